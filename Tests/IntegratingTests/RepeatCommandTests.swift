import FoundationEssentials
import Model
import Processes
import Testing

@testable import Git
@testable import Integrating
@testable import Rendering

@Suite("The command that repeats an integration")
struct RepeatCommandTests {
  /// What a shell makes of a command: its words.
  private func words(_ command: String) throws -> [String] {
    let script = "set -- \(command)\nfor word; do printf '%s\\0' \"$word\"; done"
    let output = try Command("/bin/sh", ["-c", script], environment: [:], workingDirectory: "/")
      .collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    return output.standardOutput.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A repository with one commit of a package at its root and in a folder.
  private func target(_ request: IntegrationRequest) throws -> Target {
    try Target(of: request, in: Repository(at: request.repository))
  }

  private static func request(
    _ repository: String, _ subject: IntegrationRequest.Subject = .head
  ) -> IntegrationRequest {
    IntegrationRequest(Bot(name: "", repository: repository), subject, queuedAt: Date(timeIntervalSince1970: 0))
  }

  private func repository(_ scratch: Scratch) throws -> String {
    let script = """
      git init --quiet --initial-branch=main . && mkdir -p "sub folder" && touch Package.swift "sub folder/Package.swift"
      git add --all && git commit --quiet --message Begin
      """
    try scratch.shell(script)
    return scratch.path
  }

  @Test("Names the repository and the commit, and nothing that is as usual")
  func plain() throws {
    let scratch = try Scratch()
    let request = Self.request(try repository(scratch))
    let target = try target(request)
    #expect(
      RepeatCommand(request, target: target, repository: "/r").text == "martlet run /r --commit \(target.commit.short)")
  }

  @Test("Names the bot if only its file says how the sources are built, or how long tests may take")
  func bot() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch))
    request.bot.arguments = ["-Xswiftc", "-DSLOW"]
    func command() throws -> String { try RepeatCommand(request, target: target(request), repository: "/r").text }
    // A run from the shell has no bot.
    #expect(try !command().contains("--bot"))
    request.bot.name = "Mira's bot"
    let commit = try target(request).commit.short
    #expect(try words(command()) == ["martlet", "run", "/r", "--commit", commit, "--bot", "Mira's bot"])
    (request.bot.arguments, request.bot.environment) = ([], ["WHICH": "x"])
    #expect(try words(command()).suffix(2) == ["--bot", "Mira's bot"])
    request.bot.environment = [:]
    request.bot.tests.limits.test = .seconds(1200)
    request.bot.tests.limits.allowSilence()
    #expect(try words(command()).suffix(2) == ["--timeout", "20m"])
    for limit in [\TestLimits.silence, \.step] {
      var short = request
      short.bot.tests.limits[keyPath: limit] = .seconds(3)
      let command = try RepeatCommand(short, target: target(short), repository: "/r")
      #expect(try words(command.unfiltered).suffix(2) == ["--bot", "Mira's bot"], "No option says that.")
    }
  }

  @Test("Only builds with what decides how the sources are compiled")
  func build() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch))
    func command() throws -> String { try RepeatCommand(request, target: target(request), repository: "/r").build }
    #expect(try command() == "swift build --build-tests")
    (request.bot.package, request.bot.configuration) = ("sub folder", "release")
    request.bot.arguments = ["-Xswiftc", "-DX=$y"]
    request.bot.tests.retries = 2
    #expect(
      try words(command()) == [
        "swift", "build", "--build-tests", "--package-path", "sub folder", "--configuration", "release", "-Xswiftc",
        "-enable-testing", "-Xswiftc", "-DX=$y",
      ])
    request.bot.actions = [.build]
    #expect(try !command().contains("test"))
  }

  @Test("Tests as it was tested: with configuration, sanitizer, traits, build system and environment")
  func test() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch))
    func command() throws -> String { try RepeatCommand(request, target: target(request), repository: "/r").test }
    #expect(try command() == "swift test")
    (request.bot.package, request.bot.buildSystem) = ("sub folder", .native)
    (request.bot.environment, request.bot.arguments) = (["WHICH": "a b"], ["-Xswiftc", "-DSLOW"])
    (request.way.configuration, request.way.sanitize, request.way.traits) = ("release", [.address], ["A", "B"])
    #expect(
      try words(command()) == [
        "env", "ASAN_OPTIONS=detect_leaks=0", "WHICH=a b", "swift", "test", "--package-path", "sub folder",
        "--build-system", "native", "--configuration", "release", "-Xswiftc", "-enable-testing", "--sanitize",
        "address", "-Xswiftc", "-DSLOW", "--traits", "A,B",
      ])
  }

  @Test("Has every option that decides what is integrated")
  func options() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch), .workingTree)
    request.bot.package = "./sub folder/"
    request.bot.configuration = "release"
    (request.bot.tests.filter, request.bot.tests.skip) = (["A", "B.*"], ["$x"])
    request.bot.tests.limits.test = .seconds(90)
    #expect(
      try words(RepeatCommand(request, target: target(request), repository: scratch.path).text) == [
        "martlet", "run", scratch.path, "--working-tree", "--package", "sub folder", "--configuration", "release",
        "--timeout", "90s", "--filter", "A", "--filter", "B.*", "--skip", "$x",
      ])
    // Who runs one test that hangs waits no longer than the bot.
    #expect(
      try words(RepeatCommand(request, target: target(request), repository: scratch.path).unfiltered).suffix(2) == [
        "--timeout", "90s",
      ])
  }

  @Test("An integration of a bot is repeated by its number")
  func rerun() throws {
    let place = IntegrationRequest.Place(bot: "Mira's bot", number: 7)
    #expect(try words(RepeatCommand.rerun(place)) == ["martlet", "rerun", "Mira's bot/7"])
  }

  @Test("Maps the tests if they were, and leaves out what else only a report is asked for, unless a gate needs it")
  func reportOnly() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch))
    (request.bot.coverage.map, request.bot.coverage.blame, request.bot.coverage.incidental) = (true, true, true)
    request.bot.coverage.mutants = .changed
    let target = try target(request)
    let plain = "martlet run /r --commit \(target.commit.short) --map"
    #expect(RepeatCommand(request, target: target, repository: "/r").text == plain)
    request.bot.coverage.gates = [.noUncheckedChanges]
    #expect(
      RepeatCommand(request, target: target, repository: "/r").text
        == "martlet run /r --commit \(target.commit.short) --gate no-unchecked-changes --map --mutants changed")
  }

  @Test("Has the combinations that are built, their traits, and which of them only inform")
  func combinations() throws {
    let scratch = try Scratch()
    var request = Self.request(try repository(scratch))
    var axes = Destinations.Axes()
    (axes.configurations, axes.traits) = (["debug", "release"], [[], ["A", "B"]])
    request.bot.destinations = Destinations(axes: axes)
    request.bot.destinations?.all[3].isRequired = false
    let target = try target(request)
    #expect(
      try words(RepeatCommand(request.first, target: target, repository: "/r").text).dropFirst(5) == [
        "--configuration", "debug", "--configuration", "release", "--traits", "none", "--traits", "A,B", "--optional",
        "release+A,B",
      ])
    var single = Self.request(scratch.path)
    single.way.traits = ["A"]
    #expect(single.arguments == ["--traits", "A"])
    #expect(try words(RepeatCommand(single, target: target, repository: "/r").text).dropFirst(5) == ["--traits", "A"])
  }

  @Test("A test is repeated until it is red, whatever its name")
  func untilRed() throws {
    for name in ["adds()", "`it's $(id) \"! \\`()", "a\nb", "`é🦅;&|`()"] {
      let id = TestID(module: "M", suite: "S", name: name)
      let failed = TestAttempt(state: .failed, duration: 0)
      let command = RepeatCommands(TestResult(id: id, library: .xctest, attempts: [failed, failed]), testCommand: nil)
      let pattern = try #require(try words(command.filter).last)
      // The third run is red.
      let script =
        "swift() { runs=$((runs + 1)); printf '%s\\0' \"$3\"; test \"$runs\" -lt 3; }\n\(command.untilItFails)"
      let output = try Command("/bin/sh", ["-c", script], environment: [:], workingDirectory: "/")
        .collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
      #expect(String(decoding: output.standardOutput, as: UTF8.self) == String(repeating: "\(pattern)\0", count: 3))
      #expect(pattern.wholeMatch(of: try Regex("\\^.*\\$").dotMatchesNewlines()) != nil)
    }
  }

  @Test("A shell reads hostile words as they were given")
  func quoting() throws {
    let scratch = try Scratch()
    let hostile = [
      "it's", "''", "'", "\"", "a b", "", "$HOME", "`id`", "$(id)", "\\", "\\'", "a\nb", "*", "?", "~", "!", "#", ";",
      "&", "|", ">", "(", "{a,b}", "--skip", "é🦅", "\t", "=", "a=b", "-",
    ]
    let path = try repository(scratch)
    for word in hostile {
      // Not every word is a regular expression, so it stands where the repository stands.
      let request = Self.request(path)
      let text = RepeatCommand(request, target: try target(request), repository: word).text
      #expect(try words(text)[2] == word, "\(text)")
    }
  }
}
