import FoundationEssentials
import Testing

@Suite("Help", .timeLimit(.minutes(10)))
struct HelpTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("help")
    program = Program(scratch: scratch)
  }

  private func text(_ arguments: String...) throws -> String {
    let run = try program.run(arguments)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    return run.output
  }

  @Test("--version is one line", arguments: ["--version", "-V"])
  func version(word: String) throws {
    #expect(try text(word).wholeMatch(of: /martlet [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  /// The commands with their summaries, as the overview lists them.
  private func commands() throws -> [(name: String, summary: String)] {
    try text("help").matches(of: /\n  ([a-z]+)  +([^\n]+)/).map { (String($0.1), String($0.2)) }
  }

  @Test("Without a command the overview is an error of use; with help it is the answer")
  func overview() throws {
    let version = try text("--version").dropFirst("martlet ".count).dropLast()
    let overview = try text("help")
    #expect(
      overview.hasPrefix(
        """
        Martlet \(version): continuous integration for Swift packages, on your own machine

        An integration builds and tests one commit and compares it with an earlier one. 'martlet run' makes one by hand, a
        bot one for each new commit.

        Usage: martlet COMMAND [OPTION…]

        Test:
          run                build and test a commit once

        """))
    #expect(
      overview.hasSuffix(
        """

        Help:
          help               show help for Martlet, a command or a topic
          help bot-file      every setting of a bot
          help coverage      gates, and comments that leave lines out
          help triggers      a bot's scripts, mails and webhooks
          help martlet.yml   every setting for all bots
          help .martlet.yml  every setting of a package
          help service       how to run Martlet as a service
          help nginx         how to serve the pages to other machines
          help toolchains    the toolchains and build systems that were tested
          help exit-codes    the exit statuses
          --version          print the version

        """))
    for group in ["Look at results", "Silence and keep", "Set up", "Clean up and repair"] {
      #expect(overview.contains("\n\n\(group):\n  "), "\(group)")
    }
    for word in ["--help", "-h"] { #expect(try text(word) == overview) }
    let run = try program.run()
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors == overview)
  }

  @Test("Every command that the overview lists has help that begins with its summary")
  func commandHelp() throws {
    let commands = try commands()
    #expect(commands.count >= 2)
    for (name, summary) in commands {
      let sentence = summary.prefix(1).uppercased() + summary.dropFirst()
      #expect(try text("help", name).hasPrefix("\(sentence).\n\nUsage: martlet \(name)"))
      #expect(try text(name, "--help") == text("help", name))
    }
  }

  @Test("The exit statuses are listed")
  func exitCodes() throws {
    #expect(
      try text("help", "exit-codes") == """
        0    succeeded, warnings, analyzer-warnings
        1    test-failures (also if only a gate failed), build-errors, incomplete, trigger-error
        2    the request was wrong: wrong arguments, not a repository or an empty one, an unknown revision, no Package.swift,
             a bad bot file
        3    Martlet could not do its job: checkout-error, internal-error, a toolchain that is missing or too old, bad
             templates, a full disk, an unusable home; also if 'watch --once' leaves a commit waiting
        130  interrupted or canceled

        """)
  }

  @Test("What was tested with which toolchain is told")
  func toolchains() throws {
    let help = try text("help", "toolchains")
    #expect(help.contains("\n  6.3          tested with 6.3.1, the default   tested with 6.3.1\n"))
  }

  @Test("The overview and all that it leads to fit into 120 columns")
  func columns() throws {
    let overview = try text("help")
    let topics = overview.matches(of: /\n  help ([a-z.-]+)  +/).map { String($0.1) }
    #expect(topics.count >= 9)
    let all = try [overview] + (topics + commands().map(\.name)).map { try text("help", $0) }
    #expect(all.flatMap { $0.split(separator: "\n") }.filter { $0.count > 120 } == [])
  }

  @Test("Help of a command has every option on a line of its own, within 120 columns")
  func command() throws {
    let help = try text("help", "run")
    #expect(
      help.hasPrefix(
        "Build and test a commit once.\n\nUsage: martlet run [PATH] [OPTION…]\n"))
    for option in Self.options { #expect(help.contains("\n  \(option) "), "\(option)") }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(try text("run", "--help") == help)
    #expect(try text("run", "-h") == help)
    #expect(try text("help", "help").hasPrefix("Show help for Martlet, a command or a topic.\n"))
  }

  @Test("Gates and the comments that leave lines out stand in one place, to which the others lead")
  func coverage() throws {
    let help = try text("help", "coverage")
    for form in ["patch-fully-covered", "patch=N", "no-lost-coverage", "ratchet", "no-unchecked-changes"] {
      #expect(help.contains("\n  \(form) "), "\(form)")
    }
    #expect(
      help.hasSuffix(
        """

        These comments leave lines out:

          // coverage:ignore        its own line
          // coverage:ignore-start  all lines through '// coverage:ignore-end', or to the end of the file
          // coverage:ignore-file   on a line of its own: the whole file

        To leave out a function, put -start on its first line and -end on its last. A reason may follow after a space. The
        report lists what was left out, and markers without effect.

        """))
    for other in ["run", "bot-file"] {
      let words = try text("help", other)
      #expect(words.contains("'martlet help coverage' lists"), "\(other)")
      #expect(!words.contains("coverage:ignore"), "\(other)")
    }
  }

  @Test("Help of serve has the addresses that people type, and leads to the others")
  func addresses() throws {
    let help = try text("help", "serve")
    #expect(
      help.contains(
        """

        Besides the pages, it serves:

          /wall           all bots, for a screen on a wall
          /metrics        metrics for Prometheus
          /feed.atom      the newest integrations of all bots, for feed readers
          /cc.xml         the state of the bots, for build lights and menu-bar programs
          /badge/BOT.svg  a badge with the state of a bot or one of its branches
          /login          the form to log in, or who is logged in

        /api/v1/openapi.json lists the rest,
        """))
    #expect(help.contains("'martlet help nginx'"))
  }

  @Test("Help of export says which formats have branches, and where their figures differ")
  func export() throws {
    let help = try text("help", "export")
    #expect(
      help.contains(
        """

        Branches are those of C, C++ and Objective-C; the Swift compiler counts none. They are in lcov, cobertura, sonar,
        codecov, json, csv and markdown. lcov accepts only '-' (not reached) for the branches of a line that never ran, so
        its figures may be lower than the report's. In codecov a line's value is the branches taken (3/4) if only some
        were, 1/2 if it ran partly in another way, and otherwise its run count.

        """))
  }

  private static let options = [
    "--commit", "--branch", "--working-tree", "--package", "--output", "--filter", "--skip", "--configuration",
    "--build-system", "--toolchain", "--sanitize",
    "--templates", "--home", "--json", "--quiet",
  ]

  @Test("Completions are scripts that their shell can read, with every option", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try text("help", "--completions", shell)
    for option in Self.options {
      #expect(script.contains(shell == "fish" ? "-l \(option.dropFirst(2)) " : option), "\(option)")
    }
    guard let program = Self.find(shell) else { return }
    try scratch.write(script, to: "script")
    let run = try Program.run(
      program, ["-n", scratch.file("script")], environment: ["HOME": scratch.path], in: scratch.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
  }

  @Test(
    "bash completes commands, options and values",
    arguments: [
      (["martlet", "ru"], "run"), (["martlet", "--v"], "--version"),
      (["martlet", "run", "--co"], "--commit --configuration --coverage-exclude"),
      (["martlet", "run", "--configuration", ""], "debug release"),
      (["martlet", "help", "--completions", "z"], "zsh"), (["martlet", "help", "bot"], "bots bot-file"),
      (["martlet", "help", ".m"], ".martlet.yml"), (["martlet", "bots", "re"], "rename remove"),
      (["martlet", "run", "--gate", "pa"], "patch-fully-covered patch=80"),
      (["martlet", "hooks", ""], "install"),
    ])
  func bash(words: [String], completed: String) throws {
    guard let bash = Self.find("bash") else { return }
    try scratch.write(text("help", "--completions", "bash"), to: "completion")
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source "\(scratch.file("completion"))"; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _martlet
      echo "${COMPREPLY[@]}"
      """
    let run = try Program.run(bash, ["--norc", "-c", script], environment: ["HOME": scratch.path], in: scratch.path)
    #expect(run.output == completed + "\n", "\(run.errors)")
  }

  @Test("bash completes the names of bots and integrations that there are")
  func bashNames() throws {
    guard let bash = Self.find("bash") else { return }
    try scratch.write("", to: "home/integrations/greeter/bot")
    for number in [1, 2] { try scratch.write("{}", to: "home/integrations/greeter/\(number)/integration.json") }
    try scratch.write(text("help", "--completions", "bash"), to: "completion")
    func completed(_ words: [String]) throws -> String {
      let list = (["'\(Program.path)'"] + words.map { "'\($0)'" }).joined(separator: " ")
      let script = """
        source "\(scratch.file("completion"))"; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _martlet
        echo "${COMPREPLY[@]}"
        """
      return try Program.run(bash, ["--norc", "-c", script], environment: program.variables, in: scratch.path).output
    }
    // What is only run by hand cannot be asked of a watcher.
    try scratch.write("", to: "user/.config/martlet/bots/own.yml")
    for words in [["integrate", ""], ["run", "--bot", ""], ["hooks", "install", "--bot", ""], ["check", ""]] {
      #expect(try completed(words) == "own\n", "\(words)")
    }
    try scratch.write("", to: "home/integrations/greeter/1/log/building.log")
    #expect(try completed(["log", "--home", scratch.file("home"), "greeter/1", ""]) == "building\n")
    #expect(try completed(["log", "other/1", "tes"]) == "testing\n")
    #expect(try completed(["rerun", "gr"]) == "greeter/2 greeter/1\n")
    #expect(try completed(["bots", "remove", "g"]) == "greeter\n")
    // Files are offered only where nothing else begins so.
    try scratch.write("", to: "greetings/integration.json")
    #expect(try completed(["show", "gr"]) == "greeter/2 greeter/1 greeter\n")
    #expect(try completed(["show", "greeti"]) == "greetings\n")
  }

  @Test("A word that is no topic leads to those that speak of it, and the service has one")
  func topics() throws {
    #expect(try text("help", "service").contains("\n  sudo -u martlet martlet status --home /var/lib/martlet\n"))
    let gates = try program.run("help", "gates")
    #expect(gates.status == 2)
    #expect(
      gates.errors.hasPrefix("error: unknown topic 'gates'. 'martlet help bot-file', 'martlet help coverage' or "),
      "\(gates.errors)")
    #expect(try program.run("help", "xyzzy").errors == "error: unknown topic 'xyzzy'. See 'martlet help'.\n")
  }

  @Test("The example of a web server passes on at /hooks/ what it does elsewhere, but no user")
  func webServer() throws {
    let parts = try text("help", "nginx").split(separator: "location /hooks/ {")
    func headers(_ part: Substring?) -> [String] {
      (part ?? "").split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^ *proxy_set_header (.+);$/).map { String($0.1) }
      }
    }
    let usual = headers(parts.first)
    #expect(usual.contains("X-Martlet-User $remote_user"))
    #expect(headers(parts.last) == usual.map { $0.hasPrefix("X-Martlet-User ") ? "X-Martlet-User \"\"" : $0 })
  }

  @Test("Help has the settings of all bots and of a package")
  func settings() throws {
    #expect(try text("help", "martlet.yml").hasPrefix("# martlet.yml lies in the configuration folder"))
    #expect(try text("help", ".martlet.yml").hasPrefix("# .martlet.yml, beside Package.swift,"))
  }

  @Test("The manual page is rendered without a warning")
  func manual() throws {
    let page = try text("help", "--manual")
    #expect(page.hasPrefix(".TH MARTLET 1 "))
    for option in Self.options { #expect(page.contains(option.replacing("-", with: "\\-")), "\(option)") }
    guard let groff = Self.find("groff") else { return }
    try scratch.write(page, to: "martlet.1")
    let environment = ["HOME": scratch.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
    let run = try Program.run(
      groff, ["-man", "-Tutf8", "-ww", scratch.file("martlet.1")], environment: environment, in: scratch.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("Build and test a commit once"))
    for section in ["FILES", "EXAMPLES", "BOT-FILE", "COVERAGE", "TRIGGERS", "NGINX", "EXIT STATUS"] {
      #expect(page.contains("\n.SH \(section.replacing("-", with: "\\-"))\n"), "\(section)")
    }
  }

  private static func find(_ program: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + program }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
