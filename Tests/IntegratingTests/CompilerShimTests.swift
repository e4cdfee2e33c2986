import FoundationEssentials
import Model
import Processes
import Testing

@testable import Integrating

@Suite("The compiler that answers from memory")
struct CompilerShimTests {
  private let scratch: Scratch
  private let environment = ["PATH": "/usr/bin:/bin"]

  init() throws { scratch = try Scratch() }

  /// A toolchain whose compiler notes what it is asked, and answers with that.
  private func toolchain(_ version: String, refusing: String = "nothing") throws -> Toolchain {
    let bin = try scratch.folder.folder("it's/bin").create()
    try scratch.folder.folder("it's/lib/swift").create()
    try bin.write(
      """
      #!/bin/sh
      printf '%s|' \(version) "$@" >>'\(scratch.path)/asked'
      printf '%s|' \(version) "$@"
      [ "$1" != "\(refusing)" ]

      """, to: "swiftc")
    try bin.write("", to: "llvm-cov")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin.file("swiftc"))
    return Toolchain(
      programs: bin.path, libraries: "/no", name: "Swift \(version)", version: .init(major: 6, minor: 3),
      stamp: version)
  }

  private func make(_ toolchain: Toolchain, _ more: [String: String] = [:]) throws -> CompilerShim? {
    CompilerShim.make(
      in: ToolchainWorkshop(
        toolchain: toolchain, folder: scratch.folder.folder("toolchains"),
        environment: environment.merging(more) { $1 },
        bubblewrap: nil, cancellation: try Cancellation()))
  }

  /// Runs it as SwiftPM does; returns what it said, and whether it succeeded.
  private func say(_ words: [String], _ shim: CompilerShim) throws -> (words: String, succeeded: Bool) {
    let compiler = try #require(shim.environment["SWIFT_EXEC"])
    let answer = try Command(compiler, words, environment: environment, workingDirectory: "/")
      .collect(limits: Limits(), cancellation: try Cancellation(), limit: 1 << 20)
    return (String(decoding: answer.standardOutput, as: UTF8.self), answer.result.succeeded)
  }

  @Test("The compiler is asked each question of SwiftPM once, and gets everything else as it was said")
  func answers() throws {
    let toolchain = try toolchain("one")
    let shim = try #require(try make(toolchain))
    let asked = scratch.text("asked")
    #expect(asked == "one|-print-target-info|one|-h|one|-version|")
    #expect(try make(toolchain) == shim)
    #expect(try say(["-print-target-info"], shim) == ("one|-print-target-info|", true))
    #expect(try say(["-h"], shim) == ("one|-h|", true))
    #expect(try say(["-version"], shim) == ("one|-version|", true))
    #expect(scratch.text("asked") == asked)
    let others = [
      ["-h", "-version"], ["-print-target-info", "-target", "wasm32"], ["--version"], ["../answers/-h"], [],
    ]
    for words in others + [["a b", "$c", "'d'", "*", ""]] {
      #expect(try say(words, shim) == ((["one"] + words).joined(separator: "|") + "|", true))
    }
  }

  @Test("A question that had no answer goes to the compiler each time")
  func refusal() throws {
    let shim = try #require(try make(toolchain("one", refusing: "-h")))
    #expect(try say(["-h"], shim) == ("one|-h|", false))
    #expect(scratch.text("asked")?.hasSuffix("|-version|one|-h|") == true)
  }

  @Test("A compiler that was replaced is asked again")
  func replaced() throws {
    let first = try #require(try make(toolchain("one")))
    let second = try #require(try make(toolchain("two")))
    #expect(first.folder != second.folder)
    #expect(try say(["-version"], second).words == "two|-version|")
  }

  @Test("Beside it stands everything else that the toolchain has")
  func view() throws {
    let shim = try #require(try make(toolchain("one")))
    let view = Folder(shim.folder)
    #expect(view.names() == ["answers", "bin", "lib"])
    #expect(view.folder("bin").names() == ["llvm-cov", "swiftc"])
    #expect(FileManager.default.fileExists(atPath: view.file("lib/swift")))
  }

  @Test("It is not used where another compiler is named", arguments: ["SWIFT_EXEC", "SWIFT_EXEC_MANIFEST", "SDKROOT"])
  func other(name: String) throws {
    #expect(try make(toolchain("one"), [name: "/elsewhere"]) == nil)
  }
}
