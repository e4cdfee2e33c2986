import Model
import Testing

@testable import Parsing

@Suite("Build log")
struct BuildLogTests {
  @Test(
    "A captured log gives its messages, each once and whole",
    arguments: DiagnosticFixture.names(in: "log", suffix: ".log"))
  func golden(name: String) throws {
    let (text, expected) = (try DiagnosticFixture.printed(name).text, try DiagnosticFixture.text("log/\(name).txt"))
    #expect(text == expected)
  }

  @Test("The fixtures are there")
  func fixtures() {
    #expect(DiagnosticFixture.names(in: "log", suffix: ".log").count == 54)
  }

  @Test(
    "A tool that crashes says why in the same words each time, whatever is told after it",
    arguments: ["build-tool-crashes", "build-tool-crashes-again"])
  func crashingTool(name: String) throws {
    var log = BuildLog(relativise: DiagnosticFixture.relative(to: nil))
    log.append(try DiagnosticFixture.bytes("log/\(name).log"))
    let printed = log.finish()
    let place = SourceLocation(file: "Sources/GenTool/main.swift", line: 3, column: 1)
    let crash = Diagnostic(severity: .error, message: "Precondition failed: no arguments given", location: place)
    #expect(log.reason == crash)
    let merge = DiagnosticMerge(buildFailed: true) { _ in true }
    #expect(merge.merged(serialized: [], printed: printed, reason: log.reason) == [crash])
    #expect(!log.gaveNoReason)
  }

  @Test("A crash without a message or a place in the package is told without its address")
  func silentCrash() {
    func reason(_ text: String) -> String? {
      var log = BuildLog { _ in nil }
      log.append(text.utf8)
      _ = log.finish()
      return log.reason.map { DiagnosticFixture.render([$0]) }
    }
    let report = """
      *** Signal 11: Backtracing from 0x7fa0df11f829... done ***

      *** Program crashed: Bad pointer dereference at 0x0000000000000010 ***

      Thread 0 "Tool" crashed:

      0 0x00007fa0df11f829 main + 25 in Tool at /elsewhere/main.swift:4:1
      rax 0x0000000000000000  0
      Backtrace took 0.00s

      """
    #expect(reason("loading\n\(report)later\n") == "error: Program crashed: Bad pointer dereference\n")
    #expect(reason("Tool/main.swift:4: Fatal error: no\n\n\(report)") == "error: Tool/main.swift:4: Fatal error: no\n")
    // What another task said is not the reason, and a report that was cut short hides no error.
    #expect(
      reason("Fatal error: no\n[1/2] Making\n\(report)") == "error: Program crashed: Bad pointer dereference\n")
    var log = BuildLog { _ in nil }
    log.append("*** Program crashed: Bad pointer dereference at 0x10 ***\nrax 0x0\nerror: wrong\n".utf8)
    #expect(log.finish().map(\.message) == ["wrong"])
  }

  @Test("Without a crash, the last words are the reason, and there may be none")
  func reason() {
    var log = BuildLog { _ in nil }
    #expect(log.reason == nil)
    log.append("tool says no\nand why\n".utf8)
    #expect(log.reason == Diagnostic(severity: .error, message: "tool says no\nand why"))
  }

  @Test("Swift Build's lines of source, echoes and remarks about itself are no findings")
  func swiftBuild() {
    var log = BuildLog { _ in nil }
    log.append(
      """
      /src/A/Package.swift: A: clang: warning: argument unused during compilation: '-rdynamic' [-Wunused-command-line-argument]
      warning: '--build-system native' has been deprecated and will be removed in a future release
      /src/A/a.swift:1:1: warning: unused
      f("a: error: b")
      ^ ~~~
      /src/A/Package.swift: A: clang: warning: no such option [-Wother]
      /src/A/Package.swift: error: wrong
      error: SwiftCompile normal x86_64 /src/A/a.swift failed with a nonzero exit code. Command line:     cd /src
          swiftc -D "x: error: y"
      Failed frontend command:
      error: Build failed

      """.utf8)
    #expect(
      DiagnosticFixture.render(log.finish()) == """
        warning /src/A/a.swift:1:1: unused
        warning: clang: no such option [-Wother]
        error: /src/A/Package.swift: wrong

        """)
    #expect(log.lastWords == [])
  }

  @Test("A line that follows a message and is no source is read as it is, the last one as well")
  func held() {
    for end in ["\n", ""] {
      var log = BuildLog { _ in nil }
      log.append(
        "/src/a.c:1:1: warning: one\n/src/b.c:2:2: warning: two\n/src/c.c:3:3: warning: three\nlast words\(end)".utf8)
      #expect(log.finish().map(\.message) == ["one", "two", "three"])
      #expect(log.lastWords == ["last words"])
    }
  }

  @Test("Test targets in which nobody looked for tests of XCTest are named")
  func unsearched() {
    var log = BuildLog { _ in nil }
    log.append(
      "warning: Skipping XCTest discovery for 'CoreTests-product' because indexing was disabled\nwarning: Skipping a\n"
        .utf8)
    #expect(log.unsearchedTargets == ["CoreTests"])
  }

  @Test("How the bytes are cut into chunks makes no difference", arguments: [1, 2, 7, 64, 1000])
  func chunks(size: Int) throws {
    for name in ["errors-with-notes", "macro-expansions", "link-lld", "conflicting-requirements"] {
      #expect(try DiagnosticFixture.printed(name, chunk: size) == DiagnosticFixture.printed(name))
    }
  }

  @Test(
    "That the disk is full is heard, whoever says it",
    arguments: [
      "error: unable to open output file '/w/a.o': 'No space left on device'",
      "/usr/bin/ld.gold: fatal error: /w/a: write: Disk quota exceeded",
      "LLVM ERROR: IO failure: No space left on device",
    ])
  func fullDisk(line: String) {
    var log = BuildLog { _ in nil }
    log.append("[1/2] Compiling a.swift\n".utf8)
    #expect(!log.saysDiskIsFull)
    log.append("\(line)\n".utf8)
    #expect(log.saysDiskIsFull)
  }

  @Test("What the linker says about the toolchain's sanitizers is not the package's; the same about its own symbols is")
  func sanitizerSymbols() {
    let log = """
      [25/27] Write Objects.LinkFileList
      /usr/bin/ld.gold: warning: Cannot export local symbol '__asan_report_load1_asm'
      /usr/bin/ld.gold: warning: Cannot export local symbol 'shop_export'
      /usr/bin/ld.gold: warning: libshop.so: __asan_is_deprecated

      """
    #expect(
      DiagnosticFixture.read(Array(log.utf8)).diagnostics.map(\.message) == [
        "Cannot export local symbol 'shop_export'", "libshop.so: __asan_is_deprecated",
      ])
  }

  @Test("What GNU ld adds to a warning belongs to that, and makes no error of it")
  func linkerNote() {
    let log = """
      /usr/bin/ld: warning: a.o: missing .note.GNU-stack section implies executable stack
      /usr/bin/ld: NOTE: This behaviour is deprecated and will be removed in a future version of the linker
      Build complete! (1.00s)

      """
    let diagnostics = DiagnosticFixture.read(Array(log.utf8)).diagnostics
    #expect(diagnostics.map(\.severity) == [.warning])
    #expect(
      diagnostics.map(\.message) == [
        """
        a.o: missing .note.GNU-stack section implies executable stack
        NOTE: This behaviour is deprecated and will be removed in a future version of the linker
        """
      ])
  }

  @Test(
    "A log that breaks off says what it had said, and no more; what it was saying may be cut",
    arguments: ["errors-with-notes", "macro-expansions", "link-bfd", "unreachable-url"])
  func truncations(name: String) throws {
    let bytes = try DiagnosticFixture.bytes("log/\(name).log")
    let whole = try DiagnosticFixture.printed(name).diagnostics
    #expect(whole.contains { $0.severity == .error })
    for length in stride(from: 0, to: bytes.count, by: 199) {
      let found = DiagnosticFixture.read(Array(bytes.prefix(length))).diagnostics
      #expect(Array(found.dropLast()) == Array(whole.prefix(max(found.count - 1, 0))), "\(length) bytes")
    }
  }

  @Test("Bytes that are no text, empty lines and lines without end do not trap")
  func hostileBytes() {
    var bytes: [UInt8] = [0, 0xFF, 0xFE, 0x0A, 0x0A, 0x0D, 0x0A]
    bytes += Array("/src/A/a.swift:1:1: error: \u{0}".utf8) + [0xC3, 0x0A]
    bytes += Array(
      "99999999999999999999 | x\n   | `- note: far\n+---\n|\n `- \n[1/\n[/]\n[99999999999999999999/1] x\n".utf8)
    bytes += Array("a.swift:99999999999999999999:1: error: y\n:1:1: error: z\n: error: \nerror: \nerror:\n".utf8)
    bytes += Array("\n".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 200_000)
    let reading = DiagnosticFixture.read(bytes)
    #expect(reading.diagnostics.first?.message == "\u{0}\u{FFFD}")
    #expect(reading.lastWords.last?.utf8.count == 65_536)
  }

  @Test("A message says the same with Windows line ends")
  func carriageReturns() {
    let reading = DiagnosticFixture.read(Array("[1/2] Compiling A a.swift\r\nerror: no\r\n".utf8))
    #expect(reading.diagnostics == [Diagnostic(severity: .error, message: "no")])
    #expect(reading.progress == BuildProgress(done: 1, total: 2, words: "Compiling A a.swift"))
  }

  @Test("Source in an excerpt that looks like a message is none")
  func sourceThatLooksLikeAMessage() {
    let reading = DiagnosticFixture.read(
      Array(
        """
        /src/A/a.swift:2:9: warning: unused
        1 | // a.swift:1:1: error: not this
        2 | let x = "b.swift:3: error: nor this"
          |         `- warning: unused
        3 | // error: nor that

        """.utf8))
    #expect(
      reading.diagnostics == [
        Diagnostic(severity: .warning, message: "unused", location: SourceLocation(file: "a.swift", line: 2, column: 9))
      ])
  }

  @Test("A note inside the expansion of a macro does not move the message it follows")
  func noteInExpansion() {
    let reading = DiagnosticFixture.read(
      Array(
        """
        /src/A/a.swift:2:9: error: ambiguous
        2 | let x = f()
          |         `- error: ambiguous

        macro expansion #m:7:3: note: found this candidate
        `- /src/A/b.swift:30:1: note: expanded code originates here
        29 | struct S {
        30 | #m
           | `- note: in expansion of macro 'm' here
           +--- macro expansion #m ----
           |7 |   func f()
           |  |   `- note: found this candidate
           +---------------------------

        """.utf8))
    #expect(DiagnosticFixture.render(reading.diagnostics) == "error a.swift:2:9: ambiguous\n")
    #expect(reading.lastWords.isEmpty)
  }

  @Test("That a command failed matters only if nothing says why")
  func echoes() {
    let silent = DiagnosticFixture.read(
      Array("error: emit-module command failed with exit code 1 (use -v to see invocation)\n".utf8))
    #expect(silent.diagnostics.map(\.message) == ["emit-module command failed with exit code 1"])
    let explained = DiagnosticFixture.read(
      Array("error: compile command failed with exit code 1\na.swift:1:1: error: no\nerror: fatalError\n".utf8))
    #expect(explained.diagnostics.map(\.message) == ["no"])
  }

  @Test("A build that fails without an error leaves its last words")
  func lastWords() throws {
    #expect(try DiagnosticFixture.printed("build-tool-fails").lastWords == ["and on stderr", "tool says no"])
    let long = DiagnosticFixture.read(Array((1...30).map { "line \($0)\n" }.joined().utf8))
    #expect(long.lastWords == (11...30).map { "line \($0)" })
  }

  @Test("What was only busy gave no reason; an error and unknown words are one, and a warning is none")
  func noReason() {
    func gaveNoReason(_ text: String) -> Bool {
      var log = BuildLog { _ in nil }
      log.append(text.utf8)
      return log.gaveNoReason
    }
    #expect(gaveNoReason(""))
    #expect(gaveNoReason("Building for debugging...\n[2/13] Write sources\n"))
    #expect(gaveNoReason("warning: 'shop': ignoring a file\n"))
    #expect(!gaveNoReason("error: no space left on device\n"))
    #expect(!gaveNoReason("[2/13] Write sources\ntool says no\n"))
  }

  @Test("An error in a line blames a source; one of a compiler that was killed blames none, nor does a warning")
  func blame() {
    func blamesSource(_ text: String) -> Bool {
      var log = BuildLog { _ in nil }
      log.append(text.utf8)
      return log.blamesSource
    }
    #expect(blamesSource("/p/Sources/A/A.swift:3:7: error: cannot find 'b' in scope\n"))
    #expect(!blamesSource("/p/Sources/A/A.swift:3:7: warning: never used\n"))
    #expect(!blamesSource("error: compile command failed due to signal 9 (use -v to see invocation)\n"))
  }

  @Test("A message of many lines is kept up to a limit")
  func longMessage() {
    let lines = (1...100).map { "line \($0)" }
    let reading = DiagnosticFixture.read(Array(("error: it is so\n" + lines.joined(separator: "\n")).utf8))
    #expect(reading.diagnostics.map(\.message) == [(["it is so"] + lines.prefix(60)).joined(separator: "\n")])
  }
}
