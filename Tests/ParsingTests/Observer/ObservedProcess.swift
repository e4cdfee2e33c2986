import Model

@testable import Parsing

/// Writes records as the observer in a test process does.
struct ObservedProcess {
  static let key = [UInt8](0..<16)

  private(set) var messages: [[UInt8]] = []
  private var number: UInt64 = 0

  mutating func tell(_ kind: ObserverRecord.Kind, _ fields: Field...) {
    messages.append(Self.message(number, kind, fields))
    number += 1
  }

  /// A start of `Class.method` of module `M`.
  mutating func start(_ name: String, in module: String = "M") { tell(.testStarted, .test(name, in: module)) }

  mutating func end(
    _ name: String, in module: String = "M", skipped: Bool = false, failures: UInt64 = 0, seconds: Double = 0.5
  ) {
    tell(
      .testFinished, .test(name, in: module), .number(skipped ? 1 : 0), .number(failures),
      .number(seconds.bitPattern))
  }

  mutating func fail(_ name: String, _ message: String, file: String = "/checkout/T.swift", line: UInt64 = 7) {
    tell(.testIssue, .test(name, in: "M"), .text(file), .number(line), .text(message))
  }

  mutating func over(started: UInt64, finished: UInt64, issues: UInt64 = 0) {
    tell(.bundleFinished, .number(started), .number(finished), .number(issues))
  }

  /// Who ends the process, and with which status.
  enum End {
    case byXCTest(UInt64)
    case bySomebody(UInt64)
  }

  mutating func exit(_ end: End) {
    switch end {
    case .byXCTest(let status): tell(.exit, .number(1), .number(status), .number(0), .text("exit"), .text("/lib"))
    case .bySomebody(let status): tell(.exit, .number(0), .number(status), .number(0), .text("exit"), .text("/p"))
    }
  }

  enum Field {
    case text(String)
    case number(UInt64)
    case test(String, in: String)

    var bytes: [UInt8] {
      switch self {
      case .text(let text): Field.number(UInt64(text.utf8.count)).bytes + Array(text.utf8)
      case .number(let number): (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      case .test(let name, let module):
        [Field.text("\(module).\(name.prefix { $0 != "." })"), .text(String(name.prefix { $0 != "." })), .text(name)]
          .flatMap(\.bytes)
      }
    }
  }

  static func message(_ number: UInt64, _ kind: ObserverRecord.Kind, _ fields: [Field], key: [UInt8] = Self.key)
    -> [UInt8]
  {
    let rest = Field.number(number).bytes + [kind.rawValue] + fields.flatMap(\.bytes)
    return Field.number(SipHash(key: key).hash(rest[...])).bytes + rest
  }

  /// What these records make of the tests that were asked for.
  func run(_ asked: [TestID], printed: String = "", bounds: Bounds = .standard) -> ParsedTestRun {
    var records = ObserverRecords(key: Self.key)
    var observation = XCTestObservation(asked: asked, bounds: bounds, relativise: ResultsFixture.relativise)
    var console = XCTestConsole(asked: asked, bounds: bounds, relativise: ResultsFixture.relativise)
    console.consume(.standardOutput, Array(printed.utf8))
    for message in messages {
      if let record = records.take(message) { observation.take(record) }
    }
    return console.finish(observation)
  }
}
