/// A package whose tests depend on luck and on each other, and leave files behind.
enum UnsteadyPackage {
  static let bot = "Unsteady"

  static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "Unsteady",
      targets: [.target(name: "Luck"), .testTarget(name: "LuckTests", dependencies: ["Luck"])])
    """

  static let luck = """
    public func side(_ number: Int) -> String {
      number < 2 ? "heads" : "tails"
    }

    public func shout(_ text: String) -> String {
      text.uppercased()
    }

    public func whisper(_ text: String) -> String {
      text.lowercased()
    }
    """

  static let tests = #"""
    import Foundation
    import Luck
    import Testing
    import XCTest

    extension Tag { @Tag static var slow: Self }

    /// How often it was asked for this name, over all processes of one integration.
    func visits(_ name: String) throws -> Int {
      let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("visits-\(name)")
      let count = (try? Data(contentsOf: file).count) ?? 0
      try Data(repeating: 0x2E, count: count + 1).write(to: file)
      return count + 1
    }

    nonisolated(unsafe) var isPrepared = false

    final class OrderTests: XCTestCase {
      func testAPrepares() { isPrepared = true }
      func testBNeedsA() {
        XCTAssertTrue(isPrepared, "nobody prepared")
        if !isPrepared { XCTAssertEqual(whisper("A"), "a") }
      }
      // Among tests that run at once, luck would also decide whether the crash has a name.
      func testCrashesAtFirst() throws { if try visits("crash") == 1 { fatalError("bad luck") } }
      func testLuck() throws {
        let visit = try visits("luck")
        XCTAssertEqual(side(visit), "tails", "the first throw")
        if visit > 1 { XCTAssertEqual(shout("a"), "A") }
      }
      func testMeasured() { measure { _ = (0..<100).map(side) } }
      private func testPrivate() {}
      func testReturning() -> Int { 1 }
      func testHelper(_ number: Int) -> Int { number }
      func testHelped() { XCTAssertEqual(testHelper(1), 1) }
    }

    @Suite struct Details {
      @Test("Pictures are shown", .tags(.slow)) func attaches() {
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        Attachment.record(picture, named: "chart.png")
        Attachment.record("<script>alert(1)</script>", named: "page.html")
        Attachment.record("outside", named: "../outside.txt")
      }
      @Test func replaces() throws {
        Attachment.record("mine", named: "mine.txt")
        let place = try #require(CommandLine.arguments.firstIndex(of: "--attachments-path"))
        let file = CommandLine.arguments[place + 1] + "/mine.txt"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
      }
      @Test func warns() { Issue.record("mind the gap", severity: .warning) }
    }
    """#

  static let files = [
    "Package.swift": manifest, "Sources/Luck/Luck.swift": luck, "Tests/LuckTests/LuckTests.swift": tests,
  ]
}
