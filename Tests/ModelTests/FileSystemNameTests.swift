import Testing

@testable import Model

@Suite("Names of folders")
struct FileSystemNameTests {
  @Test("A plain name stays as it is", arguments: ["main", "release-1.0", "Shop_2", "a", "v1.2.3"])
  func plain(name: String) {
    #expect(FileSystemName.encode(name) == name)
  }

  @Test(
    "Another name stays readable",
    arguments: [("feature/login", "feature-login-"), ("Größe", "Gr--e-"), ("a b", "a-b-"), ("..", "x-"), ("-x", "x-")])
  func readable(name: String, beginning: String) {
    #expect(FileSystemName.encode(name).hasPrefix(beginning))
  }

  private static let hostile = [
    "", ".", "..", "...", "/", "//", "-", "--", "-rf", ".git", ".hidden", "a/b", "a-b", "a/b/", "/a/b", "a//b", "../x",
    "x/..", "x\u{0}", "x\n", "x\u{1B}[31m", "é", "e\u{301}", "é-", "日本", "日木", "🦅", "a b", "a\tb", "~", "$HOME",
    "`id`", "*", "con", "CON", String(repeating: "a", count: 300), String(repeating: "a", count: 301),
    String(repeating: "é", count: 100), String(repeating: "/", count: 200), "main-\(FileSystemName.fingerprint("x"))",
  ]

  @Test("Every name is one folder's name that a file system and a shell take", arguments: hostile)
  func acceptable(name: String) {
    let encoded = FileSystemName.encode(name)
    #expect(!encoded.isEmpty)
    #expect(encoded.utf8.count <= 255)
    #expect(encoded != "." && encoded != "..")
    #expect(!encoded.hasPrefix(".") && !encoded.hasPrefix("-"))
    #expect(encoded.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
  }

  @Test("No two names share a folder")
  func collisions() {
    // Compared by their bytes: the two spellings of é are different branch names.
    let names = Dictionary(grouping: Self.hostile, by: FileSystemName.encode)
    for (folder, names) in names { #expect(names.count == 1, "\(folder)") }
  }

  @Test("A fingerprint has six digits, or sixteen, and is the same in every run")
  func fingerprint() {
    #expect(FileSystemName.fingerprint64("") == "cbf29ce484222325")
    #expect(FileSystemName.fingerprint64("a") == "af63dc4c8601ec8c")
    #expect(FileSystemName.fingerprint("a") == "af63dc")
  }
}
