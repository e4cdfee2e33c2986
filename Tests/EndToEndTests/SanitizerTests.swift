import FoundationEssentials
import Model
import Testing

extension Integrations {
  @Suite("With a sanitizer")
  struct SanitizerTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
        name: "Clinic",
        targets: [
          .target(name: "Clinic"), .testTarget(name: "ClinicTests", dependencies: ["Clinic"]),
        ])

      """

    private static let source = """
      public final class Counter: @unchecked Sendable {
        public private(set) var number = 0
        public init() {}
        public func add() {
          number += 1
        }
      }

      public func beyond(_ count: Int) -> UInt8 {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        defer { bytes.deallocate() }
        bytes.initialize(repeating: 1, count: 16)
        return bytes[count]
      }

      """

    private static let tests = """
      import Clinic
      import Foundation
      import XCTest

      final class ClinicTests: XCTestCase {
        func testFine() { XCTAssertEqual(beyond(3), 1) }
        func testBeyond() { _ = beyond(16) }
        func testRace() {
          let counter = Counter()
          let group = DispatchGroup()
          for _ in 0..<2 {
            group.enter()
            Thread {
              for _ in 0..<1000 { counter.add() }
              group.leave()
            }.start()
          }
          group.wait()
        }
        func testWaiting() async { await Task.yield() }
      }

      """

    private static let shared = Result { try ScratchFolder("clinic") }

    private func integrate(with sanitizer: Bot.Sanitizer) throws -> (document: IntegrationRecord, page: String) {
      let scratch = try Self.shared.get()
      try scratch.beginAnew()
      let repository = try GitFolder("Clinic", in: scratch)
      try repository.commit(
        "Build a clinic",
        [
          "Package.swift": Self.manifest, "Sources/Clinic/Clinic.swift": Self.source,
          "Tests/ClinicTests/ClinicTests.swift": Self.tests,
        ])
      var bot = Bot(name: "clinic", repository: repository.path)
      bot.sanitize = [sanitizer]
      let order = IntegrationOrder(
        bot: bot, number: 1, commit: try repository.head, branch: "main", cause: .commit, queuedAt: Date())
      let integrated = try Program(scratch: scratch).integrate(order)
      return (integrated.document, try integrated.report.words("index.html"))
    }

    private func red(_ document: IntegrationRecord) -> [String: TestState] {
      let red = document.tests.cases.filter { $0.state != .passed }
      return Dictionary(red.map { ($0.id.name, $0.state) }, uniquingKeysWith: { one, _ in one })
    }

    @Test("A wrong access is a finding in the line that made it, and the other tests run on")
    func address() throws {
      let document = try integrate(with: .address).document
      #expect(red(document) == ["testBeyond": .crashed])
      #expect(document.reasons == ["1 test crashed."])
      let issue = try #require(document.issues.first)
      #expect(document.issues.count == 1)
      #expect(issue.kind == .sanitizer)
      #expect(issue.message == "AddressSanitizer: heap-buffer-overflow, READ of size 1")
      #expect(issue.file == "Sources/Clinic/Clinic.swift")
      #expect(issue.line == 13)
      #expect(issue.test?.name == "testBeyond")
    }

    @Test("A race fails the test that it happened in, though the test passed")
    func thread() throws {
      let (document, page) = try integrate(with: .thread)
      #expect(red(document) == ["testRace": .failed])
      #expect(document.reasons == ["1 test failed."])
      let issue = try #require(document.issues.first)
      #expect(document.issues.count == 1)
      #expect(issue.kind == .sanitizer)
      #expect(issue.message == "ThreadSanitizer: Swift access race")
      #expect(issue.file == "Sources/Clinic/Clinic.swift")
      #expect(issue.line == 5)
      #expect(issue.test?.name == "testRace")
      #expect(page.contains("ThreadSanitizer: Swift access race"))
    }
  }
}
