import Foundation
import Model
import Synchronization
import Testing

@testable import Parsing

/// What test processes of a real toolchain printed; the path of the package is `/checkout`.
///
/// The sources of the packages are beside the captures. Each capture is the output of the test executable itself.
enum ResultsFixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/tests/swift-6.3.1")
    return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  @Sendable static func relativise(_ path: String) -> String? {
    path.hasPrefix("/checkout/") ? String(path.dropFirst("/checkout/".count)) : nil
  }

  /// The tests of the big package in one of the listed classes, in XCTest's order.
  static func listed(_ classes: String...) throws -> [TestID] {
    try TestListing.xctest(bytes("cases.dump-tests.json")).filter { test in
      classes.contains { test.suite.hasSuffix($0) || test.module == $0 }
    }
  }

  static func console(_ asked: [TestID], _ chunks: [(ProcessStream, [UInt8])]) -> ParsedTestRun {
    var console = XCTestConsole(asked: asked, relativise: relativise)
    for (stream, bytes) in chunks { console.consume(stream, bytes) }
    return console.finish()
  }

  static func console(_ name: String, asked: [TestID]) throws -> ParsedTestRun {
    console(asked, [(.standardOutput, try bytes("\(name).stdout.txt"))])
  }

  static func events(_ name: String, listed: [TestID] = []) throws -> ParsedTestRun {
    var events = SwiftTestingEvents(listed: listed, relativise: relativise)
    events.consume(events: try bytes("\(name).jsonl"))
    return events.finish()
  }
}

extension ParsedTestRun {
  /// The result of the test whose name behind the module is this.
  func result(_ name: String) throws -> TestResult {
    try #require(results.first { $0.id.description.hasSuffix(".\(name)") || $0.id.description.hasSuffix("/\(name)") })
  }

  func counts() -> TestCounts { TestCounts(of: results) }
}

/// Collects progress; the parsers call back in the thread that feeds them.
final class Progress: Sendable {
  private let seen = Mutex<[TestProgress]>([])

  func add(_ progress: TestProgress) {
    seen.withLock { $0.append(progress) }
  }

  var all: [TestProgress] { seen.withLock { $0 } }
}
