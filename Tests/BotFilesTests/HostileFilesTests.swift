import BotFiles
import Model
import TestGround
import Testing

@Suite("Files that are no settings")
struct HostileFilesTests {
  private func problems(_ bytes: [UInt8]) -> [FileProblem] {
    Reading.problems {
      _ = try BotFile.read(bytes, name: "greeter", file: "bots/greeter.yml", in: Reading.surroundings())
    }
  }

  @Test("Bytes that are not UTF-8 are told with their place")
  func encoding() {
    let bytes = Array("repository: /git/Gr".utf8) + [0xFC] + Array("ter\n# ".utf8) + [0xC3]
    #expect(
      problems(bytes).map(Reading.line) == [
        "1:20: the bytes here are not UTF-8; save the file as UTF-8",
        "2:3: the bytes here are not UTF-8; save the file as UTF-8",
      ])
    #expect(
      problems([0xFF, 0xFE, 0x61, 0x00]).map(Reading.line) == ["1:1: the file is UTF-16; save it as UTF-8"])
    #expect(
      Reading.messages(saying: "notes: \u{0}true") == ["2:8: the character U+0000 cannot stand in YAML"])
  }

  @Test("Of a binary file the first problems are enough")
  func binary() {
    #expect(problems([UInt8](repeating: 0xFF, count: 100_000)).count == 5)
    #expect(
      problems([UInt8](repeating: 0x61, count: 2 << 20)).map(Reading.line) == [
        "1:1: the file is larger than 1 MiB, which no settings are"
      ])
  }

  @Test("A line of nothing but mistakes is read in little time, and of its problems the first are told")
  func manyProblems() {
    let entries = String(repeating: "notes: true, ", count: 3_000)
    let problems = Reading.problems("{repository: /x, \(entries)}")
    #expect(problems.count == 50)
    #expect(
      problems.first.map(Reading.line)
        == "1:31: the key 'notes' stands here a second time; the first is in line 1")
  }

  @Test("Aliases that multiply are refused before they grow")
  func billionLaughs() {
    var text = "repository: /x\na0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...20 {
      let list = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(list)]\n"
    }
    let problems = Reading.problems(text)
    #expect(problems.count == 1)
    #expect(
      problems.first?.message == "cannot be read as YAML: more than 20000 values, counting what aliases stand for")
    #expect(problems.first?.place?.line == 6)
  }

  @Test("An alias stands below its anchor, and outside of it")
  func strayAliases() {
    #expect(
      Reading.messages(saying: "branches: *none") == [
        "2:11: cannot be read as YAML: the alias '*none' names no anchor above"
      ])
    #expect(
      Reading.messages(saying: "branches: &a [*a]") == [
        "2:15: cannot be read as YAML: the alias '*a' stands inside the value that it names"
      ])
  }

  @Test("Deep nesting is refused", arguments: ["[", "{a: ", "- "])
  func nesting(opening: String) {
    let text = "repository: /x\nbranches:\n  " + String(repeating: opening, count: 100_000)
    let problems = Reading.problems(text)
    #expect(problems.map(\.message) == ["cannot be read as YAML: nested more than 32 levels deep"])
  }

  @Test("An expression that is too deep for Swift's parser is refused")
  func deepExpression() {
    let text = String(repeating: "[", count: 101)
    #expect(
      Reading.messages(saying: "tests: {skip: [\"\(text)\"]}") == [
        "2:16: the regular expression is longer than 2000 characters, or has more than 100 brackets"
      ])
    let deepest = String(repeating: "[", count: 100)
    #expect(Reading.messages(saying: "tests: {skip: [\"\(deepest)\"]}").count == 1)
  }

  @Test(
    "What is no YAML is told in words that say what to write",
    arguments: [
      ("\tnotes: true", "2:1: a tab; YAML is indented with spaces"),
      ("branches: [*]", "2:12: a value that begins with * must be quoted, such as \"*\" or \"*.md\""),
      (
        "schedule: {on: periodic, every: {cron: @daily}}",
        "2:40: a value cannot begin with '@' unless it is quoted: \"…\""
      ),
      ("analyze: \"swift", "2:10: the quoted text that begins here has no closing quote"),
      ("analyze: a: b", "2:11: a ':' where no key can be; indent keys alike, and quote a value that holds ': '"),
      ("branches: [main\nnotes: true", "3:6: expected ',' or ']' in the list that begins in line 2"),
      ("keep: {days: 1\nnotes: true}", "3:6: expected ',' or '}' in the mapping that begins in line 2"),
      ("names\nnotes: true", "2:1: a line without ':'; expected 'key: value'"),
      (" notes: true", "2:7: a ':' where no key can be; indent keys alike, and quote a value that holds ': '"),
      ("analyze: \"\\d\"", "2:11: not an escape; in double quotes a backslash is written \\\\, or use single quotes"),
      ("branches:\n  - a\n  b: c", "4:3: expected '-' here, indented like those above it"),
      ("---\nnotes: true", "2:1: a second document begins here; a file holds one, so write a file for each"),
      ("notes: !!bool true", "2:8: the tag 'tag:yaml.org,2002:bool' has no meaning here; leave it out"),
      ("notes: true\nnotes: true", "3:1: the key 'notes' stands here a second time; the first is in line 2"),
      ("? [a]\n: b", "2:3: a key should be a word, not a list"),
      (
        "<<: {notes: true}",
        "2:1: unknown key '<<'; mappings are not merged; what all bots begin with goes under 'defaults' in martlet.yml"
      ),
    ])
  func syntax(text: String, message: String) {
    #expect(Reading.messages(saying: text) == [message])
  }

  @Test("What is wrong is shown without what a terminal might obey")
  func terminal() {
    let problem = Reading.problems("repository: /x\n\"\\e[2J\u{202E}x\": 1").first
    #expect(problem?.message.hasPrefix("unknown key '�[2J�x'; known are ") == true)
    #expect(problem?.place?.excerpt == "  \"\\e[2J�x\": 1\n  ^")
  }

  @Test("Any bytes give a bot, or problems with places inside the file", arguments: 0..<8)
  func mutations(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let valid = Array(BotFileFieldsTests.example.utf8)
    let pieces: [[UInt8]] = [
      "&a ", "*a", "{", "}", "[", "]", "\n", "\t", ": ", "- ", "\"", "'", "|\n", "!t ", "\r", "é", "\u{2028}", "? ",
      "#", "%",
    ].map { Array($0.utf8) }
    for _ in 0..<80 {
      var bytes = valid
      for _ in 0...Int.random(in: 0...6, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: bytes = Array(bytes.prefix(place))
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes.insert(contentsOf: pieces[Int.random(in: pieces.indices, using: &random)], at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...20, using: &random)))
        default:
          let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
          bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        }
      }
      expectPlaces(of: problems(bytes), inside: bytes)
      expectPlaces(of: Reading.problems { _ = try PackageSettingsFile.read(bytes) }, inside: bytes)
      expectPlaces(of: Reading.problems { _ = try Reading.settings(bytes, in: "/etc/martlet/bots") }, inside: bytes)
      expectPlaces(of: Reading.problems { _ = try SecretsFile.parse(bytes, file: "a.env") }, inside: bytes)
    }
  }

  private func expectPlaces(of problems: [FileProblem], inside bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
    var last = (0, 0)
    for place in problems.compactMap(\.place) {
      #expect((1...lines.count).contains(place.line), "\(text)")
      let length = place.line <= lines.count ? lines[place.line - 1].count : 0
      #expect((1...length + 2).contains(place.column), "\(text)")
      #expect(last <= (place.line, place.column), "\(text)")
      last = (place.line, place.column)
    }
  }
}
