import FoundationEssentials
import Testing

/// Requests that cannot be carried out: each ends at once with one message, and leaves nothing behind.
@Suite("Bad input", .timeLimit(.minutes(10)))
struct BadInputTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder("bad")
  }

  private static let package = [
    "Package.swift": """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Shop", targets: [.target(name: "Shop")])

    """,
    "Sources/Shop/Shop.swift": "public let open = true\n",
  ]

  private func shop() throws -> GitFolder {
    let repository = try GitFolder("Shop", in: scratch)
    try repository.commit("Begin", Self.package)
    return repository
  }

  /// Runs the program, and expects one message and nothing else; the message may end in more than is known.
  private func expect(
    _ status: Int32, _ message: String, from arguments: String..., environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(status, message, from: arguments, environment: environment, sourceLocation: sourceLocation)
  }

  private func expect(
    _ status: Int32, _ message: String, from arguments: [String], environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FolderSnapshot(scratch.path)
    let run = try Program(scratch: scratch, environment: environment, isLentTools: false).run(["run"] + arguments)
    #expect(run.status == status, sourceLocation: sourceLocation)
    #expect(run.errors == "error: \(message)\n", sourceLocation: sourceLocation)
    #expect(run.output.isEmpty, sourceLocation: sourceLocation)
    let left = try FolderSnapshot(scratch.path).differences(from: before)
    #expect(left == [], "nothing may be left behind", sourceLocation: sourceLocation)
  }

  @Test("A path that does not exist")
  func noPath() throws {
    try expect(
      2,
      "cannot open the repository at “\(scratch.file("nowhere"))”: there is no such file or folder. Check the path.",
      from: scratch.file("nowhere"))
  }

  @Test("A folder that is no repository")
  func noRepository() throws {
    try scratch.write("x", to: "plain/file")
    try expect(
      2,
      "cannot open the repository at “\(scratch.file("plain"))”: it is not inside a git repository. Give the path of a work tree or a bare repository, or run `git init` and commit there first.",
      from: scratch.file("plain"))
  }

  @Test("An empty repository")
  func emptyRepository() throws {
    let repository = try GitFolder("Empty", in: scratch)
    try expect(
      2,
      "cannot read HEAD of “\(repository.path)”: the repository has no commits yet. Commit something first.",
      from: repository.path)
  }

  @Test("An unknown revision, with the branch that was meant")
  func unknownRevision() throws {
    let repository = try shop()
    try repository.git("branch", "release/1.0")
    try expect(
      2,
      "cannot find the revision “relase/1.0” in “\(repository.path)”: no branch, tag or commit has this name. Did you mean “release/1.0”?",
      from: repository.path, "--commit", "relase/1.0")
    try expect(
      2,
      "cannot find the branch “mian” in “\(repository.path)”: there is no such branch. Did you mean “main”?",
      from: repository.path, "--branch", "mian")
    try expect(
      2,
      "cannot find the revision “main..release/1.0” in “\(repository.path)”: it names a range of commits. Name one commit.",
      from: repository.path, "--commit", "main..release/1.0")
  }

  @Test("A repository without a package")
  func noPackage() throws {
    let repository = try GitFolder("Letters", in: scratch)
    try repository.commit("Begin", ["letter.txt": "Dear Ada"])
    let commit = try repository.git("rev-parse", "--short=7", "HEAD").prefix(7)
    try expect(
      2,
      "there is no Package.swift in the repository's root at \(commit). Martlet integrates Swift packages only.",
      from: repository.path)
  }

  @Test("A package in a folder that was not named")
  func packageElsewhere() throws {
    let repository = try GitFolder("Many", in: scratch)
    try repository.commit("Begin", ["a/Package.swift": "", "b/c/Package.swift": ""])
    let commit = try repository.git("rev-parse", "--short=7", "HEAD").prefix(7)
    try expect(
      2,
      "there is no Package.swift in the repository's root at \(commit). Choose the folder of the package: --package a or --package b/c.",
      from: repository.path)
    try expect(
      2,
      "there is no folder 'd' at \(commit). Choose the folder of the package: --package a or --package b/c.",
      from: repository.path, "--package", "./d/")
    try expect(
      2,
      "the package folder '../Shop' must lie inside the repository. Give it relative to the repository's root.",
      from: repository.path, "--package", "../Shop")
  }

  @Test("A home that everybody may write to")
  func openHome() throws {
    let repository = try shop()
    try FileManager.default.createDirectory(atPath: scratch.file("open"), withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.file("open"))
    try expect(
      3,
      "cannot use the home \(scratch.file("open")): everybody on this machine may write to it, and so change what is built and told. Run: chmod o-w \(scratch.file("open"))",
      from: repository.path, "--home", scratch.file("open"))
    let watch = try Program(scratch: scratch, isLentTools: false).run("watch", "--once", "--home", scratch.file("open"))
    #expect(watch.status == 3)
    #expect(watch.errors.contains("error: cannot use the home \(scratch.file("open")): everybody"))
  }

  @Test("A working tree that is not there, or holds no package")
  func workingTree() throws {
    let repository = try shop()
    try repository.git("clone", "--quiet", "--bare", repository.path, scratch.file("Bare.git"))
    try expect(
      2, "\(scratch.file("Bare.git")) is a bare repository and has no working tree. Leave out --working-tree.",
      from: scratch.file("Bare.git"), "--working-tree")
    try FileManager.default.removeItem(atPath: scratch.file("Shop/Package.swift"))
    try expect(
      2, "there is no Package.swift in \(repository.path). Martlet integrates Swift packages only.",
      from: repository.path, "--working-tree")
  }

  @Test("A repository that names its objects by SHA-256")
  func sha256() throws {
    let repository = try GitFolder("Long", in: scratch, format: "sha256")
    try repository.commit("Begin", Self.package)
    try expect(
      3,
      "cannot open the repository at “\(repository.path)”: it names its objects by SHA-256 (extensions.objectFormat), which libgit2 cannot read. Convert it with `git init COPY` and `git fast-export --all | git -C COPY fast-import`, and name the copy.",
      from: repository.path)
  }

  @Test("A home that is a file")
  func homeIsFile() throws {
    let repository = try shop()
    try scratch.write("x", to: "file")
    try expect(
      3,
      "cannot create the folder \(scratch.file("file")): File exists. Make it writable, or choose another home with --home or MARTLET_HOME.",
      from: repository.path, "--home", scratch.file("file"))
  }

  @Test("A regular expression that is none")
  func badExpression() throws {
    try expect(
      2,
      "cannot read the regular expression '(' of --filter at byte 1: expected ')'. Write it as for swift test --filter, with a backslash before characters that stand for themselves.",
      from: try shop().path, "--filter", "(")
  }

  @Test("A time limit that is none, or longer than all tests together may take")
  func timeout() throws {
    let repository = try shop()
    for text in ["soon", "3h", "200000d"] {
      try expect(
        2,
        "'--timeout' takes a duration such as 90s or 10m, of at most 2h, not '\(text)'. See 'martlet help run'.",
        from: repository.path, "--timeout", text)
    }
  }

  @Test("Combinations of which none leads are refused, and one that is left is built")
  func combinations() throws {
    let repository = try GitFolder("Letters", in: scratch)
    try repository.commit("Begin", ["letter.txt": "Dear Ada"])
    let both = [repository.path, "--configuration", "debug", "--configuration", "release"]
    let commit = try repository.git("rev-parse", "--short=7", "HEAD").prefix(7)
    for (options, message) in [
      (
        ["--optional", "debug"],
        "these destinations cannot be used: the first leads the report, so it is required and built for every commit."
      ),
      (
        ["--exclude", "debug", "--exclude", "release"],
        "these destinations cannot be used: there should be at least one."
      ),
      (
        ["--exclude", "release"],
        "there is no Package.swift in the repository's root at \(commit). Martlet integrates Swift packages only."
      ),
    ] {
      try expect(2, message, from: both + options)
    }
  }

  @Test("Templates that are missing or broken")
  func templates() throws {
    let repository = try shop()
    try scratch.write("{{#tests}}\n{{/test}}\n", to: "mine/integration.mustache")
    try expect(
      3,
      """
      template \(scratch.file("mine/integration.mustache")):2:1: {{/test}} closes {{#tests}} of line 1.
        {{/test}}
        ^
      Close it with {{/tests}} first.
      """, from: repository.path, "--templates", scratch.file("mine"))
    try expect(
      3,
      """
      template \(scratch.file("none")): the folder cannot be read: No such file or directory.
      Name a folder that exists and that this user may read.
      """, from: repository.path, "--templates", scratch.file("none"))
  }

  @Test("A watcher says at its start what is wrong with its templates, and begins nothing")
  func templatesOfWatcher() throws {
    let none = scratch.file("none")
    let before = try FolderSnapshot(scratch.path)
    let run = try Program(scratch: scratch, isLentTools: false).run(["watch", "--once", "--templates", none])
    #expect(run.status == 3)
    // As root a warning stands before it.
    let message = """
      error: template \(none): the folder cannot be read: No such file or directory.
      Name a folder that exists and that this user may read.

      """
    #expect(run.errors.hasSuffix(message), "\(run.errors)")
    #expect(try FolderSnapshot(scratch.path).differences(from: before) == [])
  }

  @Test("Output that would replace what is not a report")
  func output() throws {
    let repository = try shop()
    try scratch.write("x", to: "file")
    try expect(
      2, "cannot copy the report to \(scratch.file("file")): it is a file. Name a folder with --output.",
      from: repository.path, "--output", scratch.file("file"))
  }

  // MARK: Toolchains

  @Test("No Swift on PATH")
  func noSwift() throws {
    try scratch.write("#!/bin/sh\n", to: "bin/git", mode: 0o755)
    try expect(
      3,
      "no Swift toolchain: there is no 'swift' in any folder of PATH. Install Swift 6.0 or newer (https://www.swift.org/install/linux/) and put its usr/bin folder on PATH.",
      from: try shop().path, environment: ["PATH": scratch.file("bin")])
  }

  @Test("A Swift that is too old")
  func oldSwift() throws {
    let name = "Swift version 5.10.1 (swift-5.10.1-RELEASE)"
    try scratch.write("#!/bin/sh\n", to: "bin/swift", mode: 0o755)
    try scratch.write(
      "#!/bin/sh\necho '{\"compilerVersion\": \"\(name)\", \"paths\": {\"runtimeResourcePath\": \"/nowhere\"}}'\n",
      to: "bin/swiftc", mode: 0o755)
    try expect(
      3,
      "the Swift toolchain at \(scratch.file("bin/swift")) is too old: it is \(name), and Martlet works from Swift 6.0 on. Install a newer one (https://www.swift.org/install/linux/) and put its usr/bin folder first on PATH.",
      from: try shop().path, environment: ["PATH": "\(scratch.file("bin")):/usr/bin:/bin"])
  }

  @Test("A Swift that does not run")
  func deadSwift() throws {
    for name in ["swift", "swiftc"] {
      try scratch.write("#!/bin/sh\necho 'cannot load libswift' >&2\nexit 127\n", to: "bin/\(name)", mode: 0o755)
    }
    try expect(
      3,
      "cannot understand what \(scratch.file("bin/swiftc")) says about itself: cannot load libswift. Martlet works from Swift 6.0 on; install a newer toolchain and put it first on PATH.",
      from: try shop().path, environment: ["PATH": "\(scratch.file("bin")):/usr/bin:/bin"])
  }

  // MARK: The words of the command line

  @Test(
    "Words that are not understood, with the nearest that is",
    arguments: [
      (["runn"], "unknown command 'runn'; did you mean 'run'? See 'martlet help'."),
      (
        ["help", "--completions", "csh"],
        "unknown value of --completions 'csh'; did you mean 'zsh'? See 'martlet help help'."
      ),
      (
        ["export", "--format", "pdf-report"],
        "unknown value of --format 'pdf-report'. It is one of: junit, lcov, cobertura, sonar, codecov, sarif, json, csv, markdown, badge, github. See 'martlet help export'."
      ),
      (["run", "--comit", "x"], "unknown option '--comit'; did you mean '--commit'? See 'martlet help run'."),
      (["run", "--frobnicate"], "unknown option '--frobnicate'. See 'martlet help run'."),
      (["run", "--commit"], "'--commit' needs a value: --commit REV. See 'martlet help run'."),
      (["run", "--json=yes"], "'--json' takes no value, but was given 'yes'. See 'martlet help run'."),
      (
        ["run", "--configuration", "relaese"],
        "unknown value of --configuration 'relaese'; did you mean 'release'? See 'martlet help run'."
      ),
      (
        ["run", "--output", ""],
        "'--output' needs a value, and was given an empty one: --output DIR. See 'martlet help run'."
      ),
      (["run", ""], "PATH is empty. Name a folder, or leave it out for the current one. See 'martlet help run'."),
      (["run", "--branch=a", "--branch=b"], "'--branch' was given twice. See 'martlet help run'."),
      (["run", "a", "b"], "unexpected argument 'b'. See 'martlet help run'."),
      (
        ["run", "--working-tree", "--commit", "x"],
        "--working-tree integrates what is checked out, so it goes with neither --commit nor --branch. See 'martlet help run'."
      ),
      (
        ["notify", "/nowhere"],
        "cannot open the repository at “/nowhere”: there is no such file or folder. Check the path."
      ),
      (["help", "runs"], "unknown topic 'runs'; did you mean 'run'? See 'martlet help'."),
    ])
  func words(arguments: [String], message: String) throws {
    let run = try Program(scratch: scratch, isLentTools: false).run(arguments)
    #expect(run.status == 2)
    #expect(run.errors == "error: \(message)\n")
    #expect(run.output.isEmpty)
    #expect(scratch.names() == [])
  }
}
