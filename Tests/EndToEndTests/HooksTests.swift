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
      run.output == "Installed \(repository.path)/.git/hooks/pre-push. It needs martlet on PATH.\n", "\(run.errors)")
    func push(red: String) throws -> Int32? {
      let commit = String(repeating: "a", count: 40)
      let zero = String(repeating: "0", count: 40)
      try scratch.write(
        "refs/heads/main \(commit) refs/heads/main \(zero)\nrefs/heads/next \(commit) refs/heads/next \(zero)\n"
          + "(delete) \(zero) refs/heads/old \(commit)\n", to: "refs")
      return try Program.run(
        "\(repository.path)/.git/hooks/pre-push", ["origin", "url"], environment: environment(red: red),
        in: repository.path, input: scratch.file("refs")
      ).status
    }
    #expect(try push(red: "none") == 0)
    let call = "--commit \(String(repeating: "a", count: 40)) --branch main"
    #expect(
      try scratch.read("log")
        == "run \(repository.path) --package . \(call)\nrun \(repository.path) --package packages/App \(call)\n")
    #expect(try push(red: "App") == 1)
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
