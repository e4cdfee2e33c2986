import BotFiles
import Model
import Testing

@Suite("The text that shows every field")
struct BotFileTextTests {
  private static let text = BotFileText.text(repository: "~/git/Greeter.git")
  private static let defaults = Bot(name: "greeter", repository: "/users/ada/git/Greeter.git")

  private static let mark = "# Example: "
  /// What stands before the further lines of an example.
  private static let indent = "#" + String(repeating: " ", count: mark.count - 1)

  /// The examples as they are copied from the text, without what makes them comments.
  private static let examples: [String] = {
    var examples: [[Substring]] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(mark) {
        examples.append([line.dropFirst(mark.count)])
      } else if line.hasPrefix(indent), let last = examples.indices.last {
        examples[last].append(line.dropFirst(indent.count))
      }
    }
    return examples.map { $0.joined(separator: "\n") }
  }()

  /// The text with its settings in force: a line of prose begins with `# `, and a setting may be indented further, but
  /// not as far as an example.
  private static let inForce = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let isProse = line.hasPrefix("# ") && !line.hasPrefix("#  ") || line.hasPrefix(indent)
    return line.hasPrefix("#") && !isProse ? String(line.dropFirst()) : String(line)
  }.joined(separator: "\n")

  @Test("As it is written it says nothing but the repository")
  func written() throws {
    #expect(try Reading.bot(Self.text) == Self.defaults)
  }

  @Test("With all its settings in force it still says the defaults")
  func inForce() throws {
    #expect(Self.inForce != Self.text)
    #expect(try Reading.bot(Self.inForce) == Self.defaults)
  }

  @Test("The settings in force stand against other defaults, so that each is really there")
  func otherDefaults() throws {
    var settings = ServerSettings()
    var bot = try Reading.bot(BotFileFieldsTests.example)
    // These have no default that could be written.
    bot.environment = [:]
    bot.schedule.timeZone = nil
    bot.toolchain = nil
    bot.buildSystem = nil
    bot.analyze = nil
    settings.defaults = bot
    #expect(try Reading.bot(Self.inForce, settings: settings) == Self.defaults)
  }

  @Test("It names every key once, in a line of its own")
  func keys() {
    let lines = Self.text.split(separator: "\n")
    for key in BotFileText.keys {
      let examples = Self.examples.count { "\n\($0)".contains("\n\(key): ") }
      let settings = lines.filter { $0.hasPrefix("#\(key):") || $0.hasPrefix("\(key):") }.count
      #expect(settings == 1 || (settings == 0 && examples > 0), "\(key)")
    }
    #expect(lines.allSatisfy { $0.count <= 120 })
  }

  @Test("Every example in it can be pasted below it as it stands, and changes something")
  func pasted() throws {
    #expect(Self.examples.count > 10)
    #expect(Self.examples.contains { $0.contains("\n") })
    for example in Self.examples {
      let remote = [
        "\ncredentials: {ssh-key": "git@example.org:Greeter", "fetch": "https://example.org/Greeter",
        "token": "https://github.com/ada/Greeter",
      ]
      let repository = remote.first { "\n\(example)".contains("\($0.key):") }?.value ?? "~/git/Greeter.git"
      let whole = BotFileText.text(repository: repository)
      #expect(Reading.problems("\(whole)\n\(example)\n") == [], "\(example)")
      // An address over ssh alone is a problem, as nobody could log in.
      let before = try Reading.problems(whole).isEmpty ? Reading.bot(whole) : nil
      #expect((before == nil) == (repository == "git@example.org:Greeter"), "\(example)")
      #expect(try Reading.bot("\(whole)\n\(example)\n") != before, "\(example)")
    }
  }

  @Test("Its fields stand under headings, those that anybody needs before those of other machines and of limits")
  func headings() {
    #expect(
      Self.text.split(separator: "\n").filter { $0.hasPrefix("# ===") } == [
        "# === Which commits ===", "# === What is done ===", "# === Tests and coverage ===", "# === Who is told ===",
        "# === Remote repositories ===", "# === Limits and safety ===",
      ])
    for (heading, key) in [
      ("Which commits", "branches"), ("What is done", "actions"), ("Tests and coverage", "tests"),
      ("Who is told", "triggers"), ("Remote repositories", "fetch"), ("Limits and safety", "sandbox"),
    ] {
      let below = Self.text.split(separator: "\n# === \(heading) ===\n\n").last
      let line = below?.split(separator: "\n").first { $0 != "#" && (!$0.hasPrefix("# ") || $0.hasPrefix(Self.mark)) }
      #expect(line?.contains("\(key):") == true, "\(heading)")
    }
    #expect(BotFileText.keys.prefix(3) == ["repository", "package", "branches"])
  }

  @Test(
    "Any repository reads back as itself",
    arguments: [
      "Greeter.git", "a: b", "a # b", "it's \"quoted\"", "*x", "ä/ö", "- x", "null", "a\\b", "6", "a\tb", "{a}", "&a",
      "~",
    ])
  func repositories(path: String) throws {
    #expect(try Reading.bot(BotFileText.text(repository: "/git/\(path)")).repository == "/git/\(path)")
    if path != "~" {
      #expect(try Reading.bot(BotFileText.text(repository: path)).repository == "/etc/martlet/bots/\(path)")
    }
  }

  private static let starts = [
    BotFileStart(repository: "/git/Greeter", package: "packages/App", access: .local),
    BotFileStart(repository: "https://github.com/ada/Greeter", package: nil, access: .address),
    BotFileStart(repository: "git@example.org:Greeter", package: nil, access: .secureShell),
  ]

  @Test(
    "The short file says the repository, and each of its suggestions is right and changes something", arguments: starts)
  func start(start: BotFileStart) throws {
    let text = start.text(isLoggedIn: true)
    let bot = try Reading.bot(text)
    #expect(bot.repository == start.repository)
    #expect(bot.package == start.package ?? ".")
    let suggestions = text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
    #expect(suggestions.count >= 6)
    for suggestion in suggestions {
      #expect(try Reading.bot(text.replacing(suggestion, with: suggestion.dropFirst())) != bot, "\(suggestion)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }
}
