import FoundationEssentials
import Testing

@Suite("Hooks", .timeLimit(.minutes(10)))
struct HooksTests {
  private let scratch: ScratchFolder
  private let program: Program
  private let repository: GitFolder

  init() throws {
    scratch = try ScratchFolder("hooks")
    program = Program(scratch: scratch)
    repository = try GitFolder("Greeter", in: scratch)
    try repository.commit("Begin", ["Package.swift": "", "packages/App/Package.swift": ""])
  }

  /// Puts a program called martlet on the path that writes down how it is called.
  private func environment(red: String = "none") throws -> [String: String] {
    let log = scratch.file("log")
    try scratch.write(
      "#!/bin/sh\necho \"$@\" >>'\(log)'\ncase \"$*\" in *\(red)*) exit 1 ;; esac\n", to: "bin/martlet", mode: 0o755)
    return ["PATH": "\(scratch.file("bin")):/usr/bin:/bin", "HOME": scratch.path]
  }

  @Test("pre-push integrates each commit once, in each package, and stops the push when one is red")
  func prePush() throws {
    let run = try program.run("hooks", "install", "--package", ".", "--package", "packages/App", in: repository.path)
    #expect(
      run.output == "Installed \(repository.path)/.git/hooks/pre-push.\n", "\(run.errors)")
    func push(red: String) throws -> Program.Run {
      let commit = String(repeating: "a", count: 40)
      let zero = String(repeating: "0", count: 40)
      try scratch.write(
        "refs/heads/main \(commit) refs/heads/main \(zero)\nrefs/heads/next \(commit) refs/heads/next \(zero)\n"
          + "(delete) \(zero) refs/heads/old \(commit)\n", to: "refs")
      return try Program.run(
        "\(repository.path)/.git/hooks/pre-push", ["origin", "url"], environment: environment(red: red),
        in: repository.path, input: scratch.file("refs"))
    }
    #expect(try push(red: "none").status == 0)
    let call = "--commit \(String(repeating: "a", count: 40)) --branch main"
    #expect(
      try scratch.read("log")
        == "run \(repository.path) --package . \(call)\nrun \(repository.path) --package packages/App \(call)\n")
    let refused = try push(red: "App")
    #expect(refused.status == 1)
    let commit = String(repeating: "a", count: 40)
    #expect(
      refused.errors
        == "pre-push: Martlet refuses the push, because \(commit) is not green. To push it nevertheless: git push --no-verify\n"
    )
  }

  @Test("pre-push integrates what a tag names once, and not at all what the remote has already or what is no commit")
  func tags() throws {
    #expect(try program.run("hooks", "install", in: repository.path).status == 0)
    func id(_ revision: String) throws -> String { String(try repository.git("rev-parse", revision).dropLast()) }
    try repository.git("tag", "old")
    try repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try repository.commit("Go on")
    try repository.git("tag", "--annotate", "--message", "New", "new")
    try repository.git("tag", "file", "HEAD:Package.swift")
    try repository.commit("Another")
    try repository.git("tag", "other")
    let zero = String(repeating: "0", count: 40)
    func pushed(_ refs: [(name: String, revision: String)]) throws -> String {
      let lines = try refs.map { ref in
        let commit = try id(ref.revision)
        return "\(ref.name) \(commit) \(ref.name) \(zero)\n"
      }
      try scratch.write(lines.joined(), to: "refs")
      try scratch.write("", to: "log")
      let run = try Program.run(
        "\(repository.path)/.git/hooks/pre-push", ["origin", "url"], environment: environment(), in: repository.path,
        input: scratch.file("refs"))
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      return try scratch.read("log")
    }
    let call = "run \(repository.path) --package . --commit"
    let (old, new, other) = (try id("old"), try id("new^{commit}"), try id("other"))
    #expect(try pushed([("refs/tags/old", "old"), ("refs/tags/file", "file")]) == "")
    #expect(
      try pushed([("refs/heads/main", "new^{commit}"), ("refs/tags/new", "new")]) == "\(call) \(new) --branch main\n")
    #expect(try pushed([("refs/tags/other", "other")]) == "\(call) \(other)\n")
    // A branch has results of its own, wherever its commit was before.
    #expect(try pushed([("refs/heads/old", "old")]) == "\(call) \(old) --branch old\n")
  }

  @Test("pre-push goes by the settings of a bot that is named, and by those of no bot that there is not")
  func bot() throws {
    let file = "\(repository.path)/.git/hooks/pre-push"
    let unknown = try program.run("hooks", "install", "--bot", "greeter", in: repository.path)
    #expect(unknown.status == 2)
    #expect(unknown.errors == "error: unknown bot 'greeter'. See 'martlet help bots'.\n")
    #expect(!FileManager.default.fileExists(atPath: file))
    _ = try program.run("bots", "new", "greeter", "--repository", repository.path)
    #expect(try program.run("hooks", "install", "--bot", "greeter", in: repository.path).status == 0)
    #expect(
      try scratch.read("Greeter/.git/hooks/pre-push").contains(" --package \"$package\" --bot greeter --commit "))
    let other = try program.run("hooks", "install", "--bot", "greeter", "--hook", "post-commit", in: repository.path)
    #expect(other.errors == "error: '--bot' goes with the hook pre-push. See 'martlet help hooks'.\n")
  }

  @Test("In the folder of a package, pre-push integrates that package")
  func packageAround() throws {
    let folder = "\(repository.path)/packages/App"
    let file = "\(repository.path)/.git/hooks/pre-push"
    let run = try program.run("hooks", "install", in: folder)
    #expect(run.output == "Installed \(file), which integrates packages/App.\n", "\(run.errors)")
    #expect(try scratch.read("Greeter/.git/hooks/pre-push").contains("\n  for package in packages/App; do\n"))
  }

  @Test("Without martlet on PATH a hook runs the one that installed it, or says that there is none")
  func noProgram() throws {
    let environment = ["PATH": "/usr/bin:/bin", "HOME": scratch.path]
    try scratch.write("", to: "refs")
    for (hook, status, words) in [
      ("pre-push", 1, "so nothing was tested and nothing is pushed."),
      ("post-commit", 0, "so the watcher was not told."),
    ] {
      #expect(try program.run("hooks", "install", "Greeter", "--hook", hook).status == 0)
      let place = "Greeter/.git/hooks/\(hook)"
      let text = try scratch.read(place)
      let search = try #require(text.split(separator: "\n").first { $0.hasPrefix("martlet=$(command -v martlet || ") })
      #expect(search.hasSuffix("/martlet)"))
      let none = text.replacing(search, with: "martlet=$(command -v martlet || echo /nowhere/martlet)")
      try scratch.write(none, to: place, mode: 0o755)
      let run = try Program.run(
        scratch.file(place), ["origin", "url"], environment: environment, in: repository.path,
        input: scratch.file("refs"))
      #expect(run.status == Int32(status))
      #expect(
        run.errors.hasPrefix("\(hook): there is no martlet on PATH or at /nowhere/martlet, \(words)\n"), "\(run.errors)"
      )
    }
  }

  @Test("A hook of Martlet's is replaced, one of somebody else's is left alone")
  func others() throws {
    let install = ["hooks", "install", "Greeter", "--hook", "post-commit"]
    for _ in 0..<2 { #expect(try program.run(install).status == 0) }
    try repository.git("config", "core.hooksPath", "own")
    try scratch.write("#!/bin/sh\n", to: "Greeter/own/post-commit")
    let refused = try program.run(install)
    #expect(refused.status == 2)
    #expect(
      refused.errors.hasPrefix(
        "error: \(repository.path)/own/post-commit is not Martlet's. Remove it first, or add these lines to it:\n#!/bin/sh\n"
      ))
    #expect(try scratch.read("Greeter/own/post-commit") == "#!/bin/sh\n")
  }

  @Test("A hook that would stop every push is not installed")
  func noPackage() throws {
    let run = try program.run("hooks", "install", "Greeter", "--package", "Nope")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "error: there is no Package.swift in \(repository.path)/Nope. Name the folders of the packages with --package SUBFOLDER. See 'martlet help hooks'.\n"
    )
  }
}
