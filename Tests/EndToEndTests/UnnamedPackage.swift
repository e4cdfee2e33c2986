/// A package in which the bytes of a file are part of a C source, and a prebuild command makes a source of each word.
enum UnnamedPackage {
  static let bot = "Words"
  static let bytes = "Sources/Bytes/bytes.bin"

  static let files = [
    "Package.swift": #"""
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Words",
      targets: [
        .target(
          name: "Bytes", exclude: ["bytes.bin"],
          cSettings: [.define("BYTES", to: "\"\(Context.packageDirectory)/Sources/Bytes/bytes.bin\"")]),
        .plugin(name: "Spell", capability: .buildTool()),
        .target(name: "Words", dependencies: ["Bytes"], plugins: ["Spell"]),
        .testTarget(name: "WordsTests", dependencies: ["Words", "Bytes"]),
      ])

    """#,
    bytes: "A",
    "Sources/Bytes/include/Bytes.h": "int firstByte(void);\n",
    "Sources/Bytes/bytes.c": #"""
    #include "Bytes.h"
    __asm__(".section .rodata\nmartletBytes: .incbin \"" BYTES "\"\n.previous\n");
    extern const char bytes[] __asm__("martletBytes");
    int firstByte(void) { return bytes[0]; }

    """#,
    "Plugins/Spell/Spell.swift": """
    import Foundation
    import PackagePlugin

    @main struct Spell: BuildToolPlugin {
      func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let words = context.package.directoryURL.appending(path: "Words").path
        let output = context.pluginWorkDirectoryURL.appending(path: "Spelt")
        let script = "mkdir -p $1 && for word in $0/*.txt; do cat $word > $1/$(basename $word .txt).swift; done"
        return [
          .prebuildCommand(
            displayName: "Spell", executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", script, words, output.path], outputFilesDirectory: output)
        ]
      }
    }

    """,
    "Words/one.txt": "public let one = 1\n",
    "Words/two.txt": "public let two = 2\n",
    "Sources/Words/Words.swift": "public let none = 0\n",
    "Tests/WordsTests/WordsTests.swift": """
    import Bytes
    import Testing
    import Words

    @Test func bytes() { #expect(firstByte() == 65) }
    @Test func words() { #expect(none + one + two == 3) }

    """,
  ]
}
