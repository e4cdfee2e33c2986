import BotFiles
import Model
import Testing

@Suite("What is wrong with a bot file")
struct BotFileProblemsTests {
  @Test("A problem is told as a compiler would, with its line and a caret")
  func shape() {
    let problems = Reading.problems(
      "repository: /git/Greeter\nnotes: true\n\nclean: daily\n  \nkeep: {}\nshedule: {}\n")
    #expect(
      problems.map(\.description) == [
        """
        bots/greeter.yml:7:1: unknown key 'shedule'; did you mean 'schedule'?
          shedule: {}
          ^
        """
      ])
  }

  @Test("All problems of a file are told at once, in the order in which they stand there")
  func all() {
    let text = """
      repository: git://example.org/Greeter.git
      schedule:
        on: comit
        every: {hour: 61}
      tests:
        timeout: 90
        filtr: [x]
      triggers:
        - {before: ../prepare.sh}
        - mail: {to: [nobody]}
      keep: 5
      """
    #expect(
      Reading.problems(text).map(Reading.line) == [
        "1:13: 'git://' does not prove who answers; use https:// or ssh://",
        "3:7: 'on' should be one of commit, periodic, manual, not 'comit'; did you mean 'commit'?",
        "4:10: 'every' needs 'on: periodic'; this bot integrates on: commit",
        "4:17: 'hour' should be a whole number from 0 to 59, not '61'",
        "6:12: 'timeout' needs a unit: write 90s for seconds, or a duration such as 10m or 2h",
        "7:3: unknown key 'filtr' in 'tests'; did you mean 'filter'?",
        "9:14: '../prepare.sh' leads out of the repository; write a path inside it such as script/deploy.sh",
        "10:17: 'nobody' is neither an address nor a name under 'people' or 'aliases' in martlet.yml",
        "11:7: 'keep' should be a mapping such as {integrations: 50, days: 90}, not '5'",
      ])
  }

  @Test("Columns count characters, and the caret stands below the place")
  func columns() {
    let problems = Reading.problems("repository: /git/Greeter\nenvironment: {ä: \"e\u{301}🇩🇪\", Ö: 1}\n\tx: 1")
    #expect(problems.map(Reading.line).first == "3:1: a tab; YAML is indented with spaces")
    let others = Reading.problems("repository: /git/Greeter\nenvironment: {A: \"e\u{301}🇩🇪\", Ö: 1}")
    #expect(
      others.map(\.description) == [
        """
        bots/greeter.yml:2:24: 'Ö' is no name of a variable; use letters, digits and _
          environment: {A: "e\u{301}🇩🇪", Ö: 1}
                                 ^
        """
      ])
  }

  @Test("A long line is cut around the place")
  func longLine() {
    let text =
      "repository: /git/Greeter\narguments: [\(String(repeating: "a, ", count: 200))[], \(String(repeating: "b, ", count: 200))]"
    let excerpt = Reading.problems(text).first?.place?.excerpt ?? ""
    let lines = excerpt.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.count < 120 })
    #expect(lines.first?.hasPrefix("  …") == true)
    let caret = lines.last?.prefix { $0 != "^" }.count ?? 0
    #expect(lines.first?.dropFirst(caret).hasPrefix("[], ") == true)
  }

  @Test(
    "Each wrong value says what was expected, with an example",
    arguments: [
      ("repositry: x", ["2:1: unknown key 'repositry'; did you mean 'repository'?"]),
      ("branches: \"\"", ["2:11: 'branches' should be a list such as [main, \"release/*\"], not an empty text"]),
      ("branches: {main: 1}", ["2:11: 'branches' should be a pattern such as release/*, not a mapping"]),
      (
        "branches: main, next",
        ["2:11: 'main, next' holds a space, which no branch or tag does; write a list with commas"]
      ),
      (
        "arguments: -Xswiftc -DSLOW",
        ["2:12: '-Xswiftc -DSLOW' holds a space; write several arguments as [-Xswiftc, -DSLOW]"]
      ),
      (
        "sanitize: adress", ["2:11: 'sanitize' should be one of address, thread, not 'adress'; did you mean 'address'?"]
      ),
      ("branches:", ["2:1: 'branches' has no value; give one, or leave the line out for the default"]),
      ("branches: [refs/heads/main]", ["2:12: write the name without refs/heads/: main"]),
      ("branches: [main, main]", ["2:18: 'branches' holds this a second time"]),
      ("branches: [a b]", ["2:12: 'a b' holds a space, which no branch or tag does; write a list with commas"]),
      ("branches: [[main]]", ["2:12: each of 'branches' should be a pattern such as release/*, not a list"]),
      ("notes: yes", ["2:8: 'notes' should be true or false, not 'yes'"]),
      ("clean: {}", ["2:8: 'clean' should be one of never, always, daily, weekly, not a mapping"]),
      ("package: /x", ["2:10: '/x' leads out of the repository; write a path inside it such as Packages/Core"]),
      ("actions: []", ["2:10: 'actions' should hold at least one of build, analyze, test, archive"]),
      (
        "actions: [analyze]",
        ["2:10: the action 'analyze' needs a command, such as analyze: swift format lint -r ."]
      ),
      (
        "analyze: lint",
        ["2:1: 'analyze' is a command that would never run; ask for it with actions: [build, analyze, test]"]
      ),
      ("sanitize: [address, thread]", ["2:11: 'address' and 'thread' cannot be built together; write a bot for each"]),
      (
        "build-system: xcode",
        ["2:15: 'build-system' should be one of native, swiftbuild, not 'xcode'"]
      ),
      (
        "arguments: [--build-system, native]",
        ["2:13: '--build-system' is what 'build-system' says; write it there"]
      ),
      ("arguments: [-c, release]", ["2:13: '-c' is what 'configuration' says; write it there"]),
      (
        "arguments: [--show-bin-path]",
        ["2:13: '--show-bin-path' has swift build build nothing; leave it out"]
      ),
      ("arguments: [--scratch-path=x]", ["2:13: '--scratch-path' is Martlet's to give; leave it out"]),
      (
        "toolchain: \"6.2\"",
        [
          "2:12: '6.2' is neither a whole path such as /usr/local/swift nor a name under 'toolchains' in martlet.yml"
        ]
      ),
      ("tests: 5", ["2:8: 'tests' should be none or a mapping such as {timeout: 5m}, not '5'"]),
      ("tests: {filter: [\"a(b\"]}", ["2:18: 'a(b' is no regular expression: expected ')'"]),
      ("tests: {timeout: 0s}", ["2:18: 'timeout' should be longer than nothing and at most 366d, not '0s'"]),
      ("tests: {timeout: 200000d}", ["2:18: 'timeout' should be longer than nothing and at most 366d, not '200000d'"]),
      (
        "tests: {timeout: 999999999.999d}",
        ["2:18: 'timeout' should be longer than nothing and at most 366d, not '999999999.999d'"]
      ),
      (
        "tests: {timeout: 10 minutes}",
        ["2:18: 'timeout' should be a duration such as 10m, 2h or 0.1s, not '10 minutes'"]
      ),
      (
        "tests: {only: changed}",
        ["2:15: 'only' should be one of off, affected, not 'changed'"]
      ),
      (
        "tests: {only: affected, every: 1}", ["2:32: 'every' should be a whole number from 2 to 1000, not '1'"]
      ),
      (
        "tests: {every: 5}",
        ["2:16: 'every' has everything run every so often, and needs 'only: affected'"]
      ),
      (
        "tests: {only: affected}\ncoverage: off",
        [
          "2:1: 'only: affected' has to know which lines each test runs, and 'coverage: off' measures none; leave out one of the two"
        ]
      ),
      (
        "tests: {only: affected}\ndestinations: [{configuration: debug}, {configuration: release}]",
        ["2:1: 'only: affected' is for bots that build in one way, so it goes with no 'destinations'"]
      ),
      ("tests: {retries: -1}", ["2:18: 'retries' should be a whole number from 0 to 100, not '-1'"]),
      ("coverage: {gates: [patch]}", ["2:20: the gate 'patch' needs a percentage; write {patch: 80}"]),
      (
        "coverage: {gates: [{patch: 101}]}",
        ["2:28: 'patch' should be a percentage from 0 to 100 such as 80, not '101'"]
      ),
      (
        "coverage: {gates: [ratched]}",
        [
          "2:20: each of 'gates' should be one of patch-fully-covered, no-lost-coverage, ratchet, no-unchecked-changes, not 'ratched'; did you mean 'ratchet'?"
        ]
      ),
      ("timeout: 5m", ["2:1: unknown key 'timeout'; it belongs under 'tests'"]),
      (
        "sandbox: {read: [share]}",
        ["2:18: 'share' should be a whole path that begins with / or ~/, such as /usr/share/dict"]
      ),
      (
        "sandbox: {allow: [iouring]}",
        [
          "2:19: each of 'allow' should be one of keyrings, vsock, sockets, io_uring, bpf, perf, userfaultfd, setuid, not 'iouring'; did you mean 'io_uring'?"
        ]
      ),
      (
        "sandbox: {allow: iouring}",
        [
          "2:18: 'allow' should be one of keyrings, vsock, sockets, io_uring, bpf, perf, userfaultfd, setuid, not 'iouring'; did you mean 'io_uring'?"
        ]
      ),
      (
        "submodules: {allow: [../Lib]}",
        ["2:22: '../Lib' should be a whole path that begins with / or ~/, such as /srv/git"]
      ),
      ("environment: {A-B: x}", ["2:15: 'A-B' is no name of a variable; use letters, digits and _"]),
      (
        "environment: {A: x}\nsecrets: [A]",
        ["3:1: 'A' is both a secret and a variable of 'environment'; take it out of one"]
      ),
      (
        "secrets: [A B]",
        ["2:11: each of 'secrets' should be a name of letters, digits and _ such as API_URL, not 'A B'"]
      ),
      ("keep: {days: 0}", ["2:14: 'days' should be a whole number from 1 to 36500, not '0'"]),
    ])
  func values(text: String, messages: [String]) {
    #expect(Reading.messages(saying: text) == messages)
  }

  @Test(
    "Schedules that cannot be kept are refused",
    arguments: [
      ("{on: periodic}", "'on: periodic' needs 'every', such as every: {day: daily, at: \"03:00\"}"),
      ("{on: periodic, every: {day: sunday}}", "'day' needs a time of day: {day: sunday, at: \"03:00\"}"),
      (
        "{on: periodic, every: {day: sonday, at: \"03:00\"}}",
        "'day' should be one of daily, monday, tuesday, wednesday, thursday, friday, saturday, sunday, not 'sonday'; did you mean 'monday'?"
      ),
      (
        "{on: periodic, every: {day: daily, at: 0300}}",
        "'at' should be a time of day in quotes, such as \"03:00\", not '0300'"
      ),
      (
        "{on: periodic, every: {hour: 1, at: \"03:00\"}}",
        "'at' goes with 'day'; {hour: 15} (every hour at that minute), {day: sunday, at: \"03:00\"} or {cron: \"30 4 * * mon\"}"
      ),
      (
        "{time-zone: Berlin time}",
        "'time-zone' should be the name of a time zone such as Europe/Berlin or UTC, not 'Berlin time'"
      ),
      ("{every: {hour: 1}}", "'every' needs 'on: periodic'; this bot integrates on: commit"),
    ])
  func schedules(text: String, message: String) {
    #expect(Reading.problems("repository: /git/Greeter\nschedule: \(text)").map(\.message) == [message])
  }

  @Test(
    "Triggers that cannot be pulled are refused",
    arguments: [
      (
        "script/x.sh",
        "each of 'triggers' should be {before: script/prepare.sh}, {after: script/deploy.sh}, {mail: {…}} or {webhook: {…}}, not 'script/x.sh'"
      ),
      (
        "{before: a.sh, after: b.sh}",
        "a trigger is one of {before: script/prepare.sh}, {after: script/deploy.sh}, {mail: {…}} or {webhook: {…}}; write two"
      ),
      ("{before: a.sh, when: [always]}", "'when' goes with 'after'; before an integration there is no outcome yet"),
      ("{before: a.sh, write: [/srv]}", "'write' goes with 'after'; nothing is deployed before an integration"),
      ("{before: a.sh, network: false}", "'network' goes with 'after'; nothing is deployed before an integration"),
      (
        "{after: a.sh, write: [srv/www]}",
        "'srv/www' should be a whole path that begins with / or ~/, such as /srv/greeter"
      ),
      ("{after: a.sh, network: no}", "'network' should be true or false, not 'no'"),
      (
        "{after: {run: x, beside: y}}",
        "'after' should be one of: a script of the package such as script/deploy.sh, {beside: deploy.sh} or {run: \"echo done\"}"
      ),
      (
        "{after: a.sh, when: [succes]}",
        "each of 'when' should be one of success, failure, warnings, analyzer-warnings, test-failures, build-errors, all-resolved, always, not 'succes'; did you mean 'success'?"
      ),
      ("{mail: {}}", "'mail' needs somebody to write to: to: [team@example.org], or suspects: true"),
      (
        "{mail: {to: [\"a@b\\nBcc: c@d\"]}}",
        "each of 'to' holds a line break; it should be an address such as team@example.org"
      ),
      (
        "{mail: {to: [a@b.org], at: \"17:30\"}}",
        "'at' goes with 'report: daily' and 'report: weekly'; other mails follow an integration"
      ),
      (
        "{mail: {to: [a@b.org], suspects: true, report: weekly}}",
        "'suspects' goes with 'report: new-issues' and 'report: integration'; other mails tell of nobody's new issues"
      ),
      (
        "{mail: {suspects: true, report: all-resolved}}",
        "'suspects' goes with 'report: new-issues' and 'report: integration'; other mails tell of nobody's new issues"
      ),
      (
        "{webhook: {url: \"https://example.org\", ca: our.pem}}",
        "'ca' should be the whole path of a file such as /etc/ssl/our-ca.pem, not 'our.pem'"
      ),
      (
        "{webhook: {url: \"http://example.org\", ca: /etc/ssl/our.pem}}",
        "'ca' goes with an address that begins with https://; nothing proves who answers at others"
      ),
      ("{mail: {to: [a@b.org]}, when: [always]}", "unknown key 'when' in 'triggers'; mail says when with 'report'"),
      ("{webhook: {secret: A}}", "'webhook' needs an address: url: \"https://example.org/hook\""),
      (
        "{webhook: {url: \"ftp://example.org\"}}",
        "'url' should be an address such as https://example.org/hook, not 'ftp://example.org'"
      ),
      (
        "{webhook: {url: \"https://a:b@example.org\"}}",
        "an address in 'url' is no place for a password; sign with 'secret' instead"
      ),
    ])
  func triggers(text: String, message: String) {
    #expect(Reading.problems("repository: /git/Greeter\ntriggers: [\(text)]").map(\.message) == [message])
  }

  @Test("A repository is needed")
  func repository() {
    #expect(
      Reading.problems("").map(Reading.line) == ["1:1: the file is empty; a bot needs at least 'repository: PATH'"])
    #expect(
      Reading.problems("# nothing\n").map(Reading.line) == [
        "1:1: the file is empty; a bot needs at least 'repository: PATH'"
      ])
    #expect(
      Reading.problems("notes: true").map(Reading.line) == ["1:1: 'repository' is missing; write repository: PATH"])
    #expect(
      Reading.problems("repository: ~").map(Reading.line) == [
        "1:1: 'repository' has no value; give one, or leave the line out for the default"
      ])
    #expect(
      Reading.problems("repository: ~bob/x").map(Reading.line) == [
        "1:13: '~bob/x' names another user's home; write the whole path"
      ])
    #expect(
      Reading.problems("- a").map(Reading.line) == [
        "1:1: the file should be a mapping such as repository: ~/git/Greeter.git, not a list"
      ])
  }

  @Test(
    "The name of a bot can be the name of a folder",
    arguments: ["", "a b", ".hidden", "-x", "a/b", "ä", "..", String(repeating: "a", count: 81)])
  func names(name: String) {
    let problems = Reading.problems {
      _ = try BotFile.read(Array("repository: /x".utf8), name: name, file: "f.yml", in: Reading.surroundings())
    }
    #expect(problems.count == 1)
    #expect(problems.first?.place == nil)
    #expect(problems.first?.message.hasSuffix("(of ASCII), the first a letter or digit") == true)
  }
}
