/// A package with both test libraries, C, a program and modules that no test links, in several test targets.
enum MixedPackage {
  static let bot = "Mixed"

  static let files = [
    "Package.swift": manifest,
    "Sources/CLib/include/clib.h": "int c_twice(int x);\nint c_never(int x);\n",
    "Sources/CLib/clib.c": """
    #include "clib.h"
    int c_twice(int x) {
      return 2 * x;
    }
    int c_never(int x) {
      return x;
    }

    """,
    "Sources/LooseC/include/loose.h": "int loose_c(int x);\n",
    "Sources/LooseC/loose.c": "int loose_c(int x) {\n  return x;\n}\n",
    "Sources/Loose/Loose.swift": "public func loose() -> Int {\n  3\n}\n",
    "Sources/Core/Core.swift": core,
    "Sources/Core/data.txt": "data\n",
    "Sources/Tool/Tool.swift": """
    import Core
    @main struct Main {
      static func main() {
        print(twice(4))
      }
    }
    func help() -> Int {
      5
    }

    """,
    "Tests/CoreTests/CoreTests.swift": """
    import Core
    import Testing
    import XCTest
    final class CoreTests: XCTestCase {
      func testTwice() { XCTAssertEqual(twice(2), 4) }
      func testResource() { XCTAssertEqual(data(), "data\\n") }
    }
    final class SharedNameTests: XCTestCase {
      func testName() {}
    }
    @Test func swiftly() { #expect(twice(1) == 2) }

    """,
    "Tests/OtherTests/OtherTests.swift": other,
    "Tests/EmptyTests/EmptyTests.swift": "let nothing = 1\n",
    "Tests/ToolTests/ToolTests.swift": """
    import Foundation
    import Testing
    @testable import Tool
    @Test func helps() { #expect(help() == 5) }
    @Test func runs() throws {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "mixed-tool")
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    """,
  ]

  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Mixed",
      products: [
        .library(name: "Core", targets: ["Core"]), .executable(name: "mixed-tool", targets: ["Tool"]),
      ],
      targets: [
        .target(name: "CLib"), .target(name: "LooseC"), .target(name: "Loose"),
        .target(name: "Core", dependencies: ["CLib"], resources: [.process("data.txt")]),
        .executableTarget(name: "Tool", dependencies: ["Core"]),
        .testTarget(name: "CoreTests", dependencies: ["Core", "CLib"]),
        .testTarget(name: "OtherTests", dependencies: ["Core"]),
        .testTarget(name: "EmptyTests", dependencies: ["Core"]),
        .testTarget(name: "ToolTests", dependencies: ["Tool"]),
      ])

    """

  static let core = """
    import CLib
    import Foundation
    public func twice(_ x: Int32) -> Int32 {
      c_twice(x)
    }
    public func data() -> String {
      (Bundle.module.url(forResource: "data", withExtension: "txt")).flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
    }
    public func never() -> Int {
      2
    }

    """

  static let other = """
    import Core
    import XCTest
    final class SharedNameTests: XCTestCase {
      func testTwice() { XCTAssertEqual(twice(2), 4) }
    }

    """
}
