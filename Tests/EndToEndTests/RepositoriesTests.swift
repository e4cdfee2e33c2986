import FoundationEssentials
import Testing

@Suite("Repositories to push to", .timeLimit(.minutes(10)))
struct RepositoriesTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("repositories")
    program = Program(scratch: scratch)
  }

  @Test("What is pushed to one is what a bot watches")
  func create() throws {
    let run = try program.run("repositories", "create", "Greeter", "--home", scratch.file("home"))
    let path = scratch.file("home/repositories/Greeter.git")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3, "\(run.errors)")
    #expect(lines.first == "Made \(path).")
    #expect(lines[1].hasPrefix("Push:   git remote add martlet "))
    #expect(lines[1].hasSuffix(":\(path) && git push martlet main"))
    #expect(lines[2] == "Watch:  martlet bots new Greeter --repository \(path)")
    let origin = try GitFolder("origin", in: scratch)
    try origin.commit("Begin", ["Package.swift": ""])
    try origin.git("push", "--quiet", path, "HEAD:main")
    #expect(try program.run("bots", "new", "Greeter", "--repository", path).status == 0)
    #expect(try program.run("check").status == 0)
  }

  @Test(
    "Wrong words are refused with what is right",
    arguments: [
      (
        ["repositories"],
        "the word 'create' is missing: martlet repositories create NAME. See 'martlet help repositories'."
      ),
      (
        ["repositories", "create"],
        "the repository's name is missing: martlet repositories create NAME. See 'martlet help repositories'."
      ),
      (
        ["repositories", "create", "a b"],
        "'a b' cannot be a repository's name; it needs 1 to 80 letters, digits, '.', '_' and '-' (of ASCII), the first a letter or digit."
      ),
    ])
  func wrong(words: [String], message: String) throws {
    let run = try program.run(words)
    #expect(run.status == 2)
    #expect(run.errors == "error: \(message)\n")
  }

  @Test("One that is there already is left as it is")
  func there() throws {
    let words = ["repositories", "create", "Greeter", "--home", scratch.file("home")]
    #expect(try program.run(words).status == 0)
    let again = try program.run(words)
    #expect(again.status == 2)
    let path = scratch.file("home/repositories/Greeter.git")
    #expect(
      again.errors == "error: cannot make “\(path)”: there is something at that place. Choose another name.\n")
  }
}
