import FoundationEssentials
import Testing

@Suite("A watcher that is killed again and again", .timeLimit(.minutes(10)))
struct TortureTests {
  /// The script is written in Python, of which the tests need nothing else.
  private static let hasPython: Bool = {
    let run = try? Program.run("/usr/bin/env", ["python3", "-c", ""], environment: variables, in: "/")
    return run?.status == 0
  }()

  private static let variables = ProcessInfo.processInfo.environment.filter { $0.key == "PATH" }

  @Test("Loses nothing, does nothing twice and leaves nothing behind", .enabled(if: hasPython, "There is no python3."))
  func torture() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let scratch = try ScratchFolder("torture")
    var variables = Self.variables
    variables["MARTLET"] = Program.path
    variables["TMPDIR"] = scratch.path
    // Fewer rounds on a machine that is busy; what was begun is always compared.
    variables["SECONDS_AT_MOST"] = "10"
    // To look less often leaves the machine to the watcher, and to other tests.
    variables["SECONDS_BETWEEN_LOOKS"] = "0.2"
    let run = try Program.run("\(root)/script/torture", ["20", "7"], environment: variables, in: scratch.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(
      run.output.contains("\nlost 0  doubled 0  orphans 0  half-written 0  unindexed 0  left behind 0 "),
      "\(run.output)")
  }
}
