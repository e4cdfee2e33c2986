import FoundationEssentials
import Testing

@Suite("Bots from the command line", .timeLimit(.minutes(10)))
struct BotsTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("bots")
    program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    try GitFolder("Greeter", in: scratch).commit("Begin", ["Package.swift": ""])
  }

  @Test("A new bot has a short file that is right, with what is changed most")
  func new() throws {
    let run = try program.run("bots", "new", "greeter", "--repository", "Greeter")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "Wrote config/bots/greeter.yml. Edit it, then run 'martlet check'.\n")
    let text = try scratch.read("config/bots/greeter.yml")
    #expect(text.contains("\nrepository: \(scratch.file("Greeter"))\n"))
    #expect(text.contains("\n#branches: [main, "))
    let permissions = try FileManager.default.attributesOfItem(atPath: scratch.file("config/secrets"))
    #expect(permissions[.posixPermissions] as? Int == 0o700)

    let check = try program.run("check")
    #expect(check.status == 0)
    #expect(check.output == "1 bot file is valid.\n")
    let list = try program.run("bots")
    #expect(list.output == "greeter  \(scratch.file("Greeter"))  on commit  config/bots/greeter.yml\n")
    #expect(try program.run("bots", "list").output == list.output)
    #expect(try program.run("help", "bot-file").output.hasPrefix("# A bot of Martlet: "))
  }

  @Test("A bot of an address with ssh gets its file, with the login to be filled in")
  func login() throws {
    let run = try program.run("bots", "new", "far", "--repository", "git@example.org:far.git")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output
        == "Wrote config/bots/far.yml. An address with ssh needs a login: take the '#' from 'credentials' in that file, name your key, then run 'martlet check'.\n"
    )
    let text = try scratch.read("config/bots/far.yml")
    let line = "credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}"
    #expect(text.contains("\n#\(line)\n"))
    #expect(try program.run("check").output.contains("an address with ssh needs credentials"))
    try scratch.write(text.replacing("\n#\(line)\n", with: "\n\(line)\n"), to: "config/bots/far.yml")
    // What is left is that the key is on no machine of a test.
    #expect(try !program.run("check").output.contains("needs credentials"))
  }

  @Test("A file that is there already is never overwritten")
  func refusal() throws {
    try scratch.write("mine", to: "config/bots/greeter.yml")
    let run = try program.run("bots", "new", "greeter", "--repository", "Greeter")
    #expect(run.status == 2)
    #expect(
      run.errors == """
        error: \(scratch.file("config/bots/greeter.yml")) is there already. Choose another name, or edit the file.

        """)
    #expect(try scratch.read("config/bots/greeter.yml") == "mine")
  }

  @Test(
    "What makes no bot is refused",
    arguments: [
      (["new"], "the new bot's name is missing: martlet bots new NAME --repository PATH. See 'martlet help bots'."),
      (["new", "a"], "'--repository PATH' is missing. See 'martlet help bots'."),
      (["nw", "a", "--repository", "b"], "unknown word 'nw'; did you mean 'new'? See 'martlet help bots'."),
      (
        ["rename", "a"], "'martlet bots rename' takes two names, the old one and the new one. See 'martlet help bots'."
      ),
      (["remove"], "'martlet bots remove' takes one name. See 'martlet help bots'."),
      (["remove", "a"], "there is no bot 'a'. 'martlet bots' lists them."),
      (["new", "a", "--dry-run"], "'--dry-run' goes with 'martlet bots remove NAME'. See 'martlet help bots'."),
      (
        ["new", "a", "--repository", "git://example.org/a.git"],
        "'git://' does not prove who answers; use https:// or ssh://."
      ),
      (["--repository", "x"], "'--repository' goes with 'martlet bots new NAME'. See 'martlet help bots'."),
    ])
  func wrongWords(words: [String], message: String) throws {
    let run = try program.run(["bots"] + words)
    #expect(run.status == 2)
    #expect(run.errors == "error: \(message)\n")
    #expect(!scratch.exists("config"))
  }

  @Test("A bot whose package is not in the repository is refused, and told where there are some")
  func package() throws {
    let many = try GitFolder("Many", in: scratch)
    try many.commit("Begin", ["packages/App/Package.swift": "", "packages/Lib/Package.swift": ""])
    let commit = try many.git("rev-parse", "--short=7", "HEAD").prefix(7)
    let absent = "there is no Package.swift in the repository's root at \(commit) of main"
    let refused = try program.run("bots", "new", "many", "--repository", "Many")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "error: \(absent). Name the folder of the package: --package packages/App or --package packages/Lib.\n")
    let made = try program.run("bots", "new", "many", "--repository", "Many", "--package", "packages/App")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try program.run("check").output == "1 bot file is valid.\n")
    let other = try program.run("bots", "new", "Many", "--repository", "Many", "--package", "packages/Lib")
    #expect(
      other.errors
        == "error: there is a bot 'many' already, and 'Many' differs only by the case of letters. Choose another name.\n"
    )
    try scratch.write("repository: ../../Many\npackage: packages/Lib\n", to: "config/bots/Many.yml")
    #expect(
      try program.run("check").output == """
        config/bots/many.yml: warning: only the case of letters tells its name from that of config/bots/Many.yml
        2 bot files are valid.

        """)
    try FileManager.default.removeItem(atPath: scratch.file("config/bots/Many.yml"))
    try scratch.write("repository: ../../Many\npackage: packages/Nope\n", to: "config/bots/many.yml")
    let check = try program.run("check")
    #expect(check.status == 2)
    #expect(
      check.output == """
        config/bots/many.yml:2:10: there is no folder 'packages/Nope' at \(commit) of main; packages are in packages/App, packages/Lib
          package: packages/Nope
                   ^
        1 problem.

        """)
  }

  @Test("Everything that is wrong is told with its place, in the file and outside of it")
  func check() throws {
    try scratch.write("repository: Greeter\nshedule: {}\nnotes: 1\n", to: "config/bots/a.yml")
    let outside = """
      repository: ../../Greeter
      branches: [nothing]
      toolchain: /nowhere
      secrets: [TOKEN]
      triggers:
        - {after: {beside: tell.sh}}
        - {after: {beside: run.sh}}
        - {after: {beside: plain.sh}}

      """
    try scratch.write(outside, to: "config/bots/b.yml")
    try scratch.write("#!/nowhere/sh\n", to: "config/bots/tell.sh")
    // The shell runs it, executable or not.
    try scratch.write("echo done\n", to: "config/bots/plain.sh")
    try scratch.write("jobs: some\n", to: "config/martlet.yml")
    let run = try program.run("check")
    #expect(run.status == 2)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        config/martlet.yml:1:7: 'jobs' should be a whole number from 1 to 1024, not 'some'
          jobs: some
                ^
        config/bots/a.yml:2:1: unknown key 'shedule'; did you mean 'schedule'?
          shedule: {}
          ^
        config/bots/a.yml:3:8: 'notes' should be true or false, not '1'
          notes: 1
                 ^
        config/bots/b.yml:2:12: warning: 'nothing' matches no branch of the repository
          branches: [nothing]
                     ^
        config/bots/b.yml:3:12: there is no toolchain in /nowhere; expected usr/bin/swift in it
          toolchain: /nowhere
                     ^
        config/bots/b.yml:4:11: the secret 'TOKEN' has no value; write TOKEN=… into \(scratch.path)/config/secrets/b.env, with the mode 600
          secrets: [TOKEN]
                    ^
        config/bots/b.yml:6:22: \(scratch.path)/config/bots/tell.sh cannot be run: its interpreter /nowhere/sh is not on this machine, or is not a program
            - {after: {beside: tell.sh}}
                               ^
        config/bots/b.yml:7:22: there is no \(scratch.path)/config/bots/run.sh
            - {after: {beside: run.sh}}
                               ^
        7 problems.

        """)
  }

  @Test("A repository that cannot be opened is told like everything else")
  func closedRepository() throws {
    try scratch.write("repository: \(scratch.file("nowhere"))\n", to: "config/bots/a.yml")
    #expect(
      try program.run("check").output == """
        config/bots/a.yml:1:13: Cannot open the repository at “\(scratch.file("nowhere"))”: there is no such file or folder. Check the path
          repository: \(scratch.file("nowhere"))
                      ^
        1 problem.

        """)
  }

  @Test("A label that no machine has is told with those that there are, and one bot can be checked by its name")
  func labels() throws {
    try scratch.write("repository: ../../Greeter\nwhere: [arm64]\n", to: "config/bots/a.yml")
    try scratch.write("repository: ../../Greeter\nwhere: [local]\n", to: "config/bots/b.yml")
    #expect(try program.run("check", "b").output == "1 bot file is valid.\n")
    #expect(try program.run("check", "c").output == "config/bots/c.yml: there is no such file\n1 problem.\n")
    let run = try program.run("check", "a")
    #expect(run.status == 2)
    #expect(
      run.output == """
        config/bots/a.yml:2:8: no machine has the label 'arm64'; the labels are local
          where: [arm64]
                 ^
        1 problem.

        """)
  }

  @Test("A shape of webhooks that no template has is warned of, in the line that names it")
  func shapes() throws {
    let bot = """
      repository: ../../Greeter
      triggers:
        - webhook: {url: "https://a.org", template: slack}
        - webhook: {url: "https://a.org", template: slak}

      """
    try scratch.write(bot, to: "config/bots/b.yml")
    let run = try program.run("check")
    #expect(run.status == 0)
    #expect(
      run.output.hasPrefix(
        "config/bots/b.yml:4:47: warning: there is no template webhook/slak.json; there is one for each of discord, matrix, slack\n"
      ), "\(run.output)")
  }

  @Test("Certificates that a mail server or a receiver is to be proved by are looked at")
  func certificates() throws {
    let (empty, right) = (scratch.file("config/empty.pem"), scratch.file("config/right.pem"))
    try scratch.write("no certificate", to: "config/empty.pem")
    try scratch.write("-----BEGIN CERTIFICATE-----\n", to: "config/right.pem")
    try scratch.write(
      "mail: {smtp: \"smtps://a.org\", from: m@a.org, ca: \(scratch.file("none.pem"))}\n", to: "config/martlet.yml")
    let bot = """
      repository: ../../Greeter
      triggers:
        - webhook: {url: "https://a.org", ca: \(empty)}
        - webhook: {url: "https://a.org", ca: \(right)}
        - webhook: {url: "https://a.org", ca: \(scratch.file("config"))}

      """
    try scratch.write(bot, to: "config/bots/b.yml")
    let run = try program.run("check")
    #expect(run.status == 2)
    let problems = run.output.split(separator: "\n").filter { $0.hasPrefix("config/") || $0.hasSuffix("problems.") }
    #expect(
      problems == [
        "config/martlet.yml:1:50: there is no \(scratch.file("none.pem"))",
        "config/bots/b.yml:3:41: \(empty) holds no certificate; expected a text (PEM) with the line -----BEGIN CERTIFICATE-----",
        "config/bots/b.yml:5:41: \(scratch.file("config")) is not a file", "3 problems.",
      ])
  }

  @Test("A bot that is broken is listed with the others")
  func list() throws {
    try scratch.write("repository: ../../Greeter\nschedule: {on: manual}", to: "config/bots/a.yml")
    try scratch.write("nothing", to: "config/bots/b.yml")
    let run = try program.run("bots")
    #expect(run.status == 2)
    let width = scratch.file("Greeter").count
    #expect(
      run.output == """
        a  \(scratch.file("Greeter"))  manual                        config/bots/a.yml
        b  –\(String(repeating: " ", count: width - 1))  1 problem, see martlet check  config/bots/b.yml

        """)
    let json = try program.run("bots", "--json")
    #expect(json.output.contains("\"schedule\" : \"manual\""))
    #expect(json.output.contains("\"problems\" : ["))
  }

  @Test("Without bots it is said how to write one", arguments: ["bots", "check"])
  func nothing(command: String) throws {
    let run = try program.run(command)
    #expect(run.status == 0)
    #expect(
      run.output
        == "There are no bots in \(scratch.file("config/bots")). Write one with 'martlet bots new NAME --repository PATH'.\n"
    )
  }

  @Test("A bot may be called martlet, and is told apart from the server's settings")
  func namedAsSettings() throws {
    try scratch.write("nothing: 1\n", to: "config/bots/martlet.yml")
    for arguments in [["check"], ["check", "config/bots/martlet.yml"]] {
      let run = try program.run(arguments)
      #expect(run.status == 2)
      #expect(
        run.output.contains("config/bots/martlet.yml:1:1: 'repository' is missing; write repository: PATH\n"),
        "\(run.output)")
    }
  }

  @Test("A package's settings and martlet.yml are checked by their own rules")
  func otherFiles() throws {
    try scratch.write("tests: {skip: Slow}\n", to: "Greeter/.martlet.yml")
    let right = try program.run("check", "Greeter/.martlet.yml")
    #expect(right.status == 0)
    #expect(right.output == "The file is valid.\n")
    let missing = try program.run("check", "Greeter/martlet.yml")
    #expect(missing.status == 2)
    #expect(missing.output == "Greeter/martlet.yml: there is no such file\n1 problem.\n")
    try scratch.write("toolchain: /x\n", to: "Greeter/.martlet.yml")
    try scratch.write("jobs: some\n", to: "other/martlet.yml")
    let wrong = try program.run("check", "Greeter/.martlet.yml", "other/martlet.yml")
    #expect(wrong.status == 2)
    #expect(
      wrong.output == """
        Greeter/.martlet.yml:1:1: a package may not set 'toolchain'; set it in the bot's file, bots/NAME.yml
          toolchain: /x
          ^
        other/martlet.yml:1:7: 'jobs' should be a whole number from 1 to 1024, not 'some'
          jobs: some
                ^
        2 problems.

        """)
  }

  @Test("Mail to suspects whom nobody named is warned of")
  func suspects() throws {
    try scratch.write(
      "mail: {sendmail: /bin/true, from: m@a.org}\n", to: "config/martlet.yml")
    try scratch.write(
      "repository: ../../Greeter\ntriggers: {mail: {suspects: true}}\n", to: "config/bots/b.yml")
    let run = try program.run("check")
    #expect(run.status == 0)
    #expect(
      run.output.hasPrefix(
        "config/bots/b.yml:2:29: warning: no suspect gets mail; name people under 'people' in martlet.yml, or domains in 'allowed-domains'\n"
      ), "\(run.output)")
  }

  @Test("A renamed bot takes its file, its secrets and its history along")
  func rename() throws {
    #expect(try program.run("bots", "new", "greeter", "--repository", "Greeter").status == 0)
    try scratch.write("TOKEN=x\n", to: "config/secrets/greeter.env", mode: 0o600)
    try scratch.write("", to: "home/integrations/greeter/bot")
    try scratch.write(
      "{\"bot\" : \"greeter\", \"x\" : \"greeter\"}", to: "home/integrations/greeter/7/integration.json")
    try scratch.write("page", to: "home/site/greeter/7/index.html")
    let run = try program.run("bots", "rename", "greeter", "hello")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "Renamed greeter to hello.\n")
    #expect(try scratch.read("config/secrets/hello.env") == "TOKEN=x\n")
    #expect(scratch.names(in: "config/bots") == ["hello.yml"])
    #expect(scratch.names(in: "home/integrations") == ["hello"])
    #expect(
      try scratch.read("home/integrations/hello/7/integration.json") == "{\"bot\" : \"hello\", \"x\" : \"greeter\"}")
    #expect(try scratch.read("home/site/hello/7/index.html") == "page")
    #expect(!scratch.exists("home/site/greeter"))
    let taken = try program.run("bots", "rename", "hello", "Hello!")
    #expect(taken.errors.hasPrefix("error: 'Hello!' cannot be a bot's name; it needs 1 to 80 letters"))
  }

  @Test("Where nothing was integrated yet, a bot is renamed and removed all the same, and no home made")
  func renameWithoutHome() throws {
    #expect(try program.run("bots", "new", "greeter", "--repository", "Greeter").status == 0)
    #expect(try program.run("bots", "rename", "greeter", "hello").output == "Renamed greeter to hello.\n")
    #expect(scratch.names(in: "config/bots") == ["hello.yml"])
    #expect(
      try program.run("bots", "remove", "hello").output
        == "Removed hello: config/bots/hello.yml and 0 bytes on the disk.\n")
    #expect(scratch.names(in: "config/bots") == [])
    #expect(!scratch.exists("home"))
  }

  @Test("A removed bot leaves nothing, or its reports where they are to stay")
  func remove() throws {
    for name in ["a", "b"] {
      #expect(try program.run("bots", "new", name, "--repository", "Greeter").status == 0)
      try scratch.write("", to: "home/integrations/\(name)/bot")
      try scratch.write("{}", to: "home/integrations/\(name)/1/integration.json")
      try scratch.write("page", to: "home/site/\(name)/1/index.html")
      try scratch.write("built", to: "home/workspaces/\(name)/main/build/x")
    }
    let dry = try program.run("bots", "remove", "a", "--dry-run")
    #expect(dry.output == "Would remove a: config/bots/a.yml, 1 integration and 12 KB on the disk.\n")
    #expect(scratch.exists("home/workspaces/a/main/build/x"))
    #expect(
      try program.run("bots", "remove", "a").output
        == "Removed a: config/bots/a.yml, 1 integration and 12 KB on the disk.\n")
    #expect(
      try program.run("bots", "remove", "b", "--keep-reports").output
        == "Removed b: config/bots/b.yml and 4.1 KB on the disk.\n")
    #expect(scratch.names(in: "config/bots") == [])
    #expect(scratch.names(in: "home/integrations") == ["b"])
    #expect(scratch.names(in: "home/workspaces") == [])
    #expect(!scratch.exists("home/site/a"))
    #expect(scratch.exists("home/site/b/1/index.html"))
  }
}
