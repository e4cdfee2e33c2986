import Model
import Testing

@testable import Parsing

@Suite("Compilers that crashed")
struct CompilerStackDumpTests {
  private static let dump = """
    Please submit a bug report (https://swift.org/contributing/#reporting-bugs) and include the crash backtrace.
    Stack dump:
    0.\tProgram arguments: /toolchain/usr/bin/swift-frontend -frontend -c
    5.\tWhile type-checking statement at [/src/A/Sources/A/a.swift:17:29 - line:19:3] RangeText="{

        grams / 28.35 as Int
      "
    7.\tWhile type-checking-target starting at /src/A/Sources/A/a.swift:18:5
     #0 0x0000562743ed2738 llvm::sys::PrintStackTrace
    #10 0x0000560a0ca624eb swift::constraints::ContextualFailure::diagnoseAsError()

    """
  private static let signal = "error: compile command failed due to signal 6 (use -v to see invocation)\n"

  private func errors(_ text: String) -> [String] {
    DiagnosticFixture.read(Array(text.utf8)).diagnostics.map { "\($0.location.map { "\($0): " } ?? "")\($0.message)" }
  }

  @Test("One that says at which line takes the place of the words that its command ended by a signal")
  func place() {
    let crash = "Sources/A/a.swift:18: compiler crashed while type-checking"
    #expect(errors(Self.signal + Self.dump + "\n[3/4] Compiling A a.swift\n") == [crash])
    #expect(errors(Self.signal + "[3/4] Compiling A b.swift\n" + Self.dump) == [crash])
    #expect(errors(Self.dump) == [crash])
    #expect(errors(Self.signal + Self.signal + Self.dump + Self.dump) == [crash])
    #expect(DiagnosticFixture.read(Array((Self.signal + Self.dump).utf8)).lastWords.isEmpty)
  }

  @Test("A request has no word of its own, and that of what it stands in if that is on its line")
  func request() {
    func dump(_ line: Int) -> String {
      """
      Stack dump:
      2.\tWhile type-checking 'Label' (at /src/A/Sources/A/a.swift:21:3)
      3.\tWhile evaluating request RequirementSignatureRequest(A.(file).Label@/src/A/Sources/A/a.swift:\(line):12)
       #0 0x0000562743ed2738 llvm::sys::PrintStackTrace

      """
    }
    #expect(errors(Self.signal + dump(21)) == ["Sources/A/a.swift:21: compiler crashed while type-checking"])
    #expect(errors(Self.signal + dump(30)) == ["Sources/A/a.swift:30: compiler crashed"])
  }

  @Test("A function has its place on the next line, and the backtrace may be that of the Swift runtime")
  func function() {
    let dump = """
      Stack dump:
      1.\tSwift version 6.3.1 (swift-6.3.1-RELEASE)
      3.\tWhile evaluating request ASTLoweringRequest(Lowering AST to SIL for file "/src/A/Sources/A/a.swift")
      4.\tWhile silgen emitFunction SIL function "@$s1A8MeasuresV3mapyqd__qd__xxQp_t_tXElF".
       for 'map(_:)' (at /src/A/Sources/A/a.swift:12:10)

      *** Signal 11: Backtracing from 0x7f50cfe79636... done ***

      """
    #expect(
      errors(Self.signal + dump) == ["Sources/A/a.swift:12: compiler crashed while emitting SIL for map(_:)"])
    #expect(errors("Stack dump:\n for 'map(_:)' (at /src/A/Sources/A/a.swift:12:10)\n").isEmpty)
  }

  @Test("The assertion that failed in a compiler is a note")
  func assertion() {
    let said = "Assertion failed: (isa<T>(Val) && \"a cast\"), function cast, file Casting.h, line 572."
    let other = "swift-frontend: Casting.h:572: decltype(auto) cast(): Assertion `isa<T>(Val)' failed."
    func notes(_ text: String) -> [[String]] {
      DiagnosticFixture.read(Array(text.utf8)).diagnostics.map { $0.notes.map(\.message) }
    }
    #expect(notes(Self.signal + "\(said)\n" + Self.dump) == [[said]])
    #expect(notes(Self.signal + "\(other)\n" + Self.dump) == [[other]])
    // What another task said before is not its own.
    #expect(notes("\(said)\n[3/4] Compiling A b.swift\n" + Self.signal + Self.dump) == [[]])
  }

  @Test("One that was killed, or that names no line, is told by its signal")
  func signals() {
    let killed = "error: compile command failed due to signal 9 (use -v to see invocation)\n"
    #expect(errors(killed + Self.dump).contains("compile command failed due to signal 9"))
    #expect(
      errors(Self.signal + "Stack dump:\n2.\tCompiling with the current language version\n #0 0x01 main\n")
        == ["compile command failed due to signal 6"])
  }

  @Test("What follows a dump is read, however it ends")
  func end() {
    let rest = "error: no such module\n"
    #expect(errors(Self.dump + rest).contains("no such module"))
    #expect(errors("Stack dump:\n1.\tWhile parsing /src/A/Sources/A/b.swift:3:1\n\(rest)").count == 2)
  }
}
