import FoundationEssentials
import Processes
import Testing

@testable import Integrating

@Suite("The demangling of names of C++")
struct RunningCxxDemanglingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private var environment: [String: String] { ProcessInfo.processInfo.environment.filter { $0.key == "PATH" } }

  private func shell(_ script: String) -> Command {
    Command("/bin/sh", ["-c", script], environment: environment, workingDirectory: scratch.path)
  }

  private func answer(
    _ symbols: [String], compiler: Command, program: Command
  ) throws -> RunningCxxDemangling.Answer {
    try RunningCxxDemangling(
      symbols, folder: scratch.folder, compiler: compiler, program: program, cancellation: Cancellation()
    ).finish()
  }

  @Test("The compiled program reads names, and repeats what is none; nothing of it stays")
  func reads() throws {
    let toolchain = try Toolchain.locate(
      searchPath: environment["PATH"] ?? "", memory: scratch.folder.folder("memory"), cancellation: Cancellation())
    let compiler = Command(
      toolchain.program("clang"), RunningCxxDemangling.compilerArguments, environment: environment,
      workingDirectory: scratch.path)
    let program = Command(
      scratch.file(RunningCxxDemangling.program), environment: environment, workingDirectory: scratch.path)
    let long = "_ZN" + String(repeating: "9abcdefghi", count: 480) + "E"
    let answer = try answer(["_ZL5twiceIiET_S0_", "_Zodd", long], compiler: compiler, program: program)
    #expect(answer.names == ["_ZL5twiceIiET_S0_": "int twice<int>(int)", "_Zodd": "_Zodd", long: long])
    #expect(answer.problem == nil)
    #expect(answer.results.count == 2)
    #expect(scratch.folder.names() == ["memory"])
  }

  @Test("Without symbols nothing is started")
  func none() throws {
    let answer = try answer([], compiler: shell("exit 1"), program: shell("exit 1"))
    #expect(answer.results.isEmpty)
    #expect(answer.problem == nil)
  }

  @Test("What cannot be compiled is told with the compiler's first line")
  func uncompiled() throws {
    let answer = try answer(["_Z1fv"], compiler: shell("echo no header >&2; exit 1"), program: shell("exit 0"))
    #expect(answer.names.isEmpty)
    #expect(answer.problem == "clang could not compile what reads them: no header")
  }

  @Test("A program that ends in a name leaves those before it, and the others are told")
  func stopped() throws {
    let answer = try answer(
      ["_Z1fv", "_Z1gv", "_Z1hv"], compiler: shell("exit 0"), program: shell("echo 'f()'; kill -9 $$"))
    #expect(answer.names == ["_Z1fv": "f()"])
    #expect(answer.problem == "only 1 of 3 could be read")
  }

  @Test("A program that cannot be started is a problem of the names, and no error")
  func unstarted() throws {
    let missing = Command(scratch.file("missing"), environment: environment, workingDirectory: scratch.path)
    let answer = try answer(["_Z1fv"], compiler: shell("exit 0"), program: missing)
    #expect(answer.names.isEmpty)
    #expect(answer.problem != nil)
  }
}
