import Glibc
import Processes
import Testing

@Suite("A program that cannot be started")
struct ProcessErrorTests {
  private func error(_ command: Command) throws -> ProcessError {
    try #require(throws: ProcessError.self) { try command.output() }
  }

  private func command(_ executable: String) -> Command {
    Command(executable, environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/")
  }

  @Test("is not on PATH")
  func notOnPath() throws {
    let error = try error(command("no-such-tool"))
    #expect(error.code == .notFound)
    #expect(
      error.description
        == "Could not start “no-such-tool”: it is in no folder of PATH (/usr/bin:/bin). Install it, or add its folder "
        + "to PATH.")
    let bare = Command("sh", environment: [:], workingDirectory: "/")
    #expect(
      try self.error(bare).description
        == "Could not start “sh”: PATH is empty. Install it, or add its folder to PATH.")
  }

  @Test("has no file")
  func noFile() throws {
    let error = try error(command("/no/such/tool"))
    #expect(error.code == .notFound)
    #expect(
      error.description
        == "Could not start “/no/such/tool”: there is no file “/no/such/tool”. Install it, or correct the path.")
  }

  @Test("is not executable")
  func notExecutable() throws {
    let scratch = try Scratch()
    let tool = try scratch.write("#!/bin/sh\n", to: "tool")
    let error = try error(command(tool))
    #expect(error.code == .notExecutable)
    #expect(
      error.description
        == "Could not start “\(tool)”: “\(tool)” may not be executed. Make it executable with “chmod +x”.")
  }

  @Test("lacks its interpreter")
  func noInterpreter() throws {
    let scratch = try Scratch()
    let tool = try scratch.write("#!/no/such/shell\n", to: "tool", mode: 0o755)
    let error = try error(command(tool))
    #expect(error.code == .notExecutable)
    #expect(
      error.description
        == "Could not start “\(tool)”: the interpreter or loader that “\(tool)” names is missing. Correct its first "
        + "line, or install that.")
  }

  @Test("is no program at all")
  func noProgram() throws {
    let scratch = try Scratch()
    let tool = try scratch.write("echo hello\n", to: "tool", mode: 0o755)
    let error = try error(command(tool))
    #expect(error.code == .notExecutable)
    #expect(
      error.description
        == "Could not start “\(tool)”: “\(tool)” is not a program for this machine. A script begins with a line such "
        + "as “#!/bin/sh”.")
  }

  @Test("is still being written")
  func busy() throws {
    let scratch = try Scratch()
    let tool = try scratch.write("#!/bin/sh\n", to: "tool", mode: 0o755)
    let writer = open(tool, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    #expect(
      try error(command(tool)).description
        == "Could not start “\(tool)”: “\(tool)” is open for writing. Wait until it is written, and run it again.")
  }

  @Test("has no folder to start in")
  func noFolder() throws {
    var command = command("true")
    command.workingDirectory = "/no/such/folder"
    let error = try error(command)
    #expect(error.code == .workingDirectory)
    #expect(
      error.description
        == "Could not start “true” in the folder “/no/such/folder”: no such file or directory. Create the folder, or "
        + "let Martlet enter it.")
  }

  @Test("has too many arguments")
  func tooLong() throws {
    var command = command("true")
    command.arguments = Array(repeating: String(repeating: "x", count: 100_000), count: 100)
    let error = try error(command)
    #expect(error.code == .malformed)
    #expect(
      error.description
        == "Could not start “true”: its arguments and environment are too long. Pass the text in a file instead.")
  }

  @Test("has strings that would arrive cut")
  func malformed() throws {
    var command = command("true")
    command.arguments = ["a\0b"]
    #expect(
      try error(command).description
        == "Could not start “true”: an argument, variable or path contains a NUL byte. Correct the command.")
    command.arguments = []
    command.environment["A=B"] = "c"
    #expect(
      try error(command).description
        == "Could not start “true”: “A=B” is not the name of an environment variable. Correct the command.")
    #expect(
      try error(Command("", environment: [:], workingDirectory: "/")).description
        == "Could not start “”: the name is empty. Correct the command.")
  }

  @Test("is ended when it writes more than can be collected")
  func tooMuchOutput() throws {
    let error = try #require(throws: ProcessError.self) {
      try shell("while :; do echo x; done").collect(limits: Limits(), cancellation: Cancellation(), limit: 1000)
    }
    #expect(error.code == .tooMuchOutput)
    #expect(
      error.description
        == "Could not collect the output of “/bin/sh”: it is longer than 1000 bytes. The program was ended; run it by "
        + "hand to see what it writes.")
  }
}
