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
