/// A package whose commits change what SwiftPM overlooks when it continues from an earlier build. Each mends what the one
/// before broke.
enum GrownPackage {
  static let bot = "Grown"

  /// What a commit does.
  struct Change {
    var message: String
    /// The files that it writes; nil removes one.
    var files: [String: String?]
    /// The functions whose tests fail with it; nil if it does not build.
    var failing: [String]?
  }

  /// The commits before the last two.
  static let changes = [
    Change(message: "Begin", files: files.mapValues { $0 }, failing: []),
    Change(
      message: "Expand to something else", files: ["Sources/Macros/main.swift": macros(expansion: "40 + 1")],
      failing: ["expanded"]),
    Change(
      message: "Expand as before, and remove a resource",
      files: ["Sources/Macros/main.swift": macros(expansion: "41 + 1"), "Sources/Kit/Resources/b.txt": nil],
      failing: ["resource"]),
    Change(
      message: "Bring it back, use a new header, and add one that may be there",
      files: [
        "Sources/Kit/Resources/b.txt": "b\n",
        "Sources/CKit/include/Second.h": "static inline int second(void) { return 2; }\n",
        "Sources/Kit/Second.swift": "import CKit\nfunc two() -> Int { Int(second()) }\n",
        "Sources/CKit/optional.h": "#define VALUE 2\n",
      ], failing: ["asked"]),
    Change(
      message: "Expect what the header says, and rename the program",
      files: [
        "Tests/KitTests/KitTests.swift": tests(value: 2),
        "Package.swift": manifest(program: "other"), "Sources/tool/main.swift": nil,
        "Sources/other/main.swift": "print(\"Hello\")\n",
      ], failing: ["program"]),
  ]

  /// Whether it builds depends on what is compiled first.
  static let undeclared = Change(
    message: "Name the program as before, and import a target without depending on it",
    files: [
      "Package.swift": manifest(),
      "Sources/other/main.swift": nil, "Sources/tool/main.swift": "print(\"Hello\")\n",
      "Sources/Kit/Four.swift": "import Extra\nfunc four() -> Number { 4 }\n",
    ])

  /// The commit behind it.
  static let last = Change(
    message: "Import it only in tests, and remove it",
    files: [
      "Sources/Kit/Four.swift": nil, "Package.swift": manifest(hasExtra: false), "Sources/Extra/Extra.swift": nil,
    ])

  private static let files = [
    "Package.swift": manifest(),
    "Sources/CKit/include/First.h": "int value(void);\n",
    "Sources/CKit/c.c": """
    #include "First.h"
    #if __has_include("optional.h")
    #include "optional.h"
    #else
    #define VALUE 1
    #endif
    int value(void) { return VALUE; }

    """,
    "Sources/Expanding/Expanding.swift": """
    @freestanding(expression) public macro answer() -> Int = #externalMacro(module: "Macros", type: "Answer")
    public func expansion() -> Int { #answer }

    """,
    "Sources/Extra/Extra.swift": "public typealias Number = Int\n",
    "Sources/Kit/Kit.swift": """
    import CKit
    import Foundation
    public func valueOfC() -> Int { Int(value()) }
    public func hasResource(_ name: String) -> Bool { Bundle.module.path(forResource: name, ofType: "txt") != nil }

    """,
    "Sources/Kit/Resources/a.txt": "a\n", "Sources/Kit/Resources/b.txt": "b\n",
    "Sources/Kit/Whole/c.txt": "c\n",
    "Sources/Macros/main.swift": macros(expansion: "41 + 1"),
    "Sources/tool/main.swift": "print(\"Hello\")\n",
    "Tests/KitTests/KitTests.swift": tests(value: 1),
  ]

  private static func tests(value: Int) -> String {
    """
    import Expanding
    import Extra
    import Glibc
    import Kit
    import Testing
    @Test func resource() { #expect(hasResource("b") && hasResource("Whole/c")) }
    @Test func asked() { #expect(valueOfC() == \(value)) }
    @Test func expanded() { #expect(expansion() == 42) }
    @Test func more() { #expect(Number(3) == 3) }
    @Test func program() {
      let me = CommandLine.arguments[0]
      #expect(system("'\\(me[..<(me.lastIndex(of: "/") ?? me.endIndex)])/tool'") == 0)
    }

    """
  }

  private static func manifest(program: String = "tool", hasExtra: Bool = true) -> String {
    """
    // swift-tools-version: 6.0
    import CompilerPluginSupport
    import PackageDescription
    let package = Package(
      name: "Grown",
      targets: [
        .target(name: "CKit"), .macro(name: "Macros"), .executableTarget(name: "\(program)"),
        .target(name: "Expanding", dependencies: ["Macros"]),
        .target(name: "Kit", dependencies: ["CKit"], resources: [.process("Resources"), .copy("Whole")]),
        \(hasExtra ? #".target(name: "Extra"),"# : "")
        .testTarget(name: "KitTests", dependencies: ["Expanding", "Kit", "\(program)"\(hasExtra ? #", "Extra""# : "")]),
      ])

    """
  }

  /// A program that expands macros without SwiftSyntax: the compiler sends messages, each behind its length in 8 bytes
  /// (https://github.com/swiftlang/swift-syntax/tree/main/Sources/SwiftCompilerPluginMessageHandling).
  private static func macros(expansion: String) -> String {
    #"""
    import Glibc
    func receive(_ count: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      while bytes.count < count {
        var more = [UInt8](repeating: 0, count: count - bytes.count)
        let got = read(0, &more, more.count)
        guard got > 0 else { return nil }
        bytes += more[..<got]
      }
      return bytes
    }
    func send(_ text: String) {
      var rest = (0..<8).map { UInt8(truncatingIfNeeded: text.utf8.count >> ($0 * 8)) } + Array(text.utf8)
      while !rest.isEmpty {
        let sent = write(1, rest, rest.count)
        guard sent > 0 else { exit(1) }
        rest.removeFirst(sent)
      }
    }
    while let head = receive(8), let message = receive(head.reversed().reduce(0) { $0 << 8 | Int($1) }) {
      let text = String(decoding: message, as: UTF8.self)
      if text.contains("getCapability") {
        send(#"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
      } else if text.contains("expandFreestandingMacro") {
        send(#"{"expandMacroResult":{"expandedSource":"\#(expansion)","diagnostics":[]}}"#)
      } else {
        send(#"{"expandMacroResult":{"diagnostics":[]}}"#)
      }
    }

    """#
  }
}
