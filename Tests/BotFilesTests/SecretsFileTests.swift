import BotFiles
import FoundationEssentials
import Glibc
import Testing

@Suite("Files of secrets")
struct SecretsFileTests {
  private func parse(_ text: String) throws -> [String: String] {
    try SecretsFile.parse(Array(text.utf8), file: "secrets/greeter.env")
  }

  @Test("A line is a name and a value, plain or in quotes")
  func values() throws {
    let text = """
      # what deploying needs

      PLAIN=a b # c=d
      \tTABBED=\t1
      SINGLE='it is "so" \\n'
      DOUBLE= "two\\nlines, a \\"quote\\" and \\\\"  # the key
      HASH=#1
      """
    #expect(
      try parse(text) == [
        "PLAIN": "a b # c=d", "TABBED": "1", "SINGLE": "it is \"so\" \\n", "DOUBLE": "two\nlines, a \"quote\" and \\",
        "HASH": "#1",
      ])
  }

  @Test("An empty value is none, which a call signed with it would not prove", arguments: ["", " ", "''", "\"\""])
  func emptyValue(text: String) throws {
    #expect(try parse("HOOK_KEY=\(text)\nOTHER=1") == ["OTHER": "1"])
  }

  @Test("What is wrong is told with its place and without the line, which may be secret")
  func problems() {
    let text = "A=1\nexport B=2\nhunter2\nC D=3\nA=4\nE='hunter2\nF=\"\\x\"\nG='a'b"
    #expect(
      Reading.problems { _ = try parse(text) }.map(\.description) == [
        "secrets/greeter.env:2:1: expected NAME=value; leave out 'export'",
        "secrets/greeter.env:3:1: expected NAME=value",
        "secrets/greeter.env:4:1: the text before '=' is not a name; use letters, digits and _, and no spaces around '='",
        "secrets/greeter.env:5:1: the secret 'A' stands here a second time",
        "secrets/greeter.env:6:3: the value has no closing quote",
        "secrets/greeter.env:7:3: the only escapes are \\n, \\t, \\\" and \\\\; or use single quotes",
        "secrets/greeter.env:8:3: there is something behind the closing quote",
      ])
  }

  @Test("A file that others can open is refused with the command that mends it", arguments: [0o644, 0o640, 0o604])
  func mode(mode: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.write("A=1", to: "it's.env", mode: mode)
    let problems = Reading.problems { _ = try SecretsFile.read(at: path, user: getuid()) }
    let quoted = "'\(scratch.path)/it'\\''s.env'"
    #expect(
      problems.map(\.description) == [
        "\(path): secrets are refused, because others than the owner can open the file (its mode is \(String(mode, radix: 8))); run: chmod 600 \(quoted)"
      ])
  }

  @Test("A file of another user is refused")
  func owner() throws {
    let scratch = try Scratch()
    let path = try scratch.write("A=1", to: "a.env", mode: 0o600)
    let other = getuid() + 1
    let problems = Reading.problems { _ = try SecretsFile.read(at: path, user: other) }
    #expect(
      problems.map(\.message) == [
        "secrets are refused, because the file belongs to the user \(getuid()) and Martlet runs as the user \(other); run: chown \(other) '\(path)'"
      ])
  }

  @Test("A file of one's own is read, a missing one holds nothing, a folder is refused")
  func files() throws {
    let scratch = try Scratch()
    let path = try scratch.write("A=1", to: "a.env", mode: 0o600)
    #expect(try SecretsFile.read(at: path, user: getuid()) == ["A": "1"])
    #expect(try SecretsFile.read(at: scratch.file("b.env"), user: getuid()) == [:])
    #expect(
      Reading.problems { _ = try SecretsFile.read(at: scratch.path, user: getuid()) }.map(\.message)
        == ["is not a file"])
  }
}
