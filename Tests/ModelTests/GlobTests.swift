import Testing

@testable import Model

@Suite("Globs")
struct GlobTests {
  @Test(
    "A whole name matches",
    arguments: [
      ("main", "main"), ("*", "main"), ("release/*", "release/1.0"), ("v?.?", "v1.2"), ("v[0-9]*", "v2-beta"),
      ("[!a-c]x", "dx"), ("[^a-c]x", "dx"), ("[]]x", "]x"), ("[a-]", "-"), ("**", "a/b/c"), ("docs/**", "docs/a/b.md"),
      ("**/*.md", "README.md"), ("**/*.md", "a/b/c.md"), ("a/**/z", "a/z"), ("a/**/z", "a/b/c/z"),
      ("{main,release/*}", "release/7"), ("{a,b{c,d}}e", "bde"), ("{,x}y", "y"), ("{docs/**,*.md}", "docs/a/b"),
      ("a**b", "axxb"), ("\\*", "*"), ("\\{a", "{a"), ("[a", "[a"), ("{a,b", "{a,b"), ("ä?", "äö"), ("", ""),
      ("[\\]]", "]"), ("a,b", "a,b"), ("a}b", "a}b"), ("\\", "\\"),
    ])
  func match(pattern: String, name: String) {
    #expect(Glob(pattern).matches(name))
  }

  @Test(
    "A name that differs anywhere does not match",
    arguments: [
      ("main", "main2"), ("main", "Main"), ("*", "a/b"), ("release/*", "release/1/2"), ("v?", "v"), ("?", "/"),
      ("[!a]", "/"), ("[a-c]", "d"), ("docs/**", "docs"), ("docs/**", "mydocs/a"), ("**/z", "az"), ("a**b", "a/b"),
      ("{a,b}", "c"), ("{a,b}", "a,b"), ("\\*", "x"), ("", "x"), ("[z-a]", "b"),
    ])
  func mismatch(pattern: String, name: String) {
    #expect(!Glob(pattern).matches(name))
  }

  @Test("A path matches with any of the folders it lies in")
  func folders() {
    #expect(Glob("docs").matches(path: "docs/a/b.md"))
    #expect(Glob("*/gen").matches(path: "Sources/gen/x.swift"))
    #expect(!Glob("docs").matches(path: "docs2/a"))
    #expect(!Glob("docs").matches("docs/a"))
  }

  @Test("A pattern made to be slow takes a time that grows with its length only")
  func hostile() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2000)))
    let braces = String(repeating: "{a,", count: 4000)
    #expect(!Glob(braces).matches("b"))
    let nested = String(repeating: "{a,b}", count: 500)
    #expect(Glob(nested).matches(String(repeating: "ab", count: 250)))
  }
}
