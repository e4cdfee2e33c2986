import Testing

@testable import Parsing

@Suite("Build progress")
struct BuildProgressTests {
  private func progress(_ line: String) -> BuildProgress? {
    DiagnosticFixture.read(Array((line + "\n").utf8)).progress
  }

  @Test("A counted task tells how many are done")
  func counted() {
    #expect(
      progress("[12/40] Compiling Core Calculator.swift")
        == BuildProgress(done: 12, total: 40, words: "Compiling Core Calculator.swift"))
    #expect(progress("[0/1] Planning build") == BuildProgress(done: 0, total: 1, words: "Planning build"))
  }

  @Test(
    "Swift Build's tasks count, not its percentage",
    arguments: [
      ("[57/100] Tiny 44\u{2009}/\u{2009}76", 44, 76, "Tiny"), ("[57/100] Tiny 44 / 76", 44, 76, "Tiny"),
      ("[44\u{2009}/\u{2009}76] Tiny", 44, 76, "Tiny"), ("[44 / 76] Tiny", 44, 76, "Tiny"),
      ("[100/100] ", 100, 100, ""),
      ("Pre-planning 1 / 473", 1, 473, "Pre-planning"), ("[1/2] a / 3", 1, 2, "a / 3"),
    ])
  func swiftBuild(line: String, done: Int, total: Int, words: String) {
    #expect(progress(line) == BuildProgress(done: done, total: total, words: words))
  }

  @Test(
    "Phases without a count tell what is done",
    arguments: [
      "Building for debugging...", "Fetching https://example.org/a.git", "Fetched https://example.org/a.git (0.45s)",
      "Computing version for https://example.org/a.git", "Creating working copy for https://example.org/a.git",
      "Working copy of https://example.org/a.git resolved at 1.0.0", "Updating https://example.org/a.git",
      "Build complete! (3.00s)", "Computing dependencies", "Planning deferred tasks",
    ])
  func phases(line: String) {
    #expect(progress(line) == BuildProgress(words: line))
  }

  @Test(
    "Other lines tell nothing",
    arguments: [
      "", "[", "[1/2", "[a/b] x", "[1] x", "[1/2/3] x", "[-1/2] x", "[#Group]: <https://example.org>", "done",
    ])
  func others(line: String) {
    #expect(progress(line) == nil)
  }

  @Test(
    "What brings something from elsewhere is told from what only says where the build stands",
    arguments: [
      ("Fetching https://example.org/a.git", true), ("Updating https://example.org/a.git", true),
      ("Downloading binary artifact https://example.org/a.zip", true), ("Fetched https://example.org/a.git", false),
      ("Building for debugging...", false), ("[1/2] Fetching a", false), ("Resolving a", false), ("fetching", false),
    ])
  func fetching(line: String, fetches: Bool) {
    var log = BuildLog { _ in nil }
    log.append("\(line)\n".utf8)
    #expect(log.fetches == fetches)
    log.append("Planning build\n".utf8)
    #expect(log.fetches == fetches)
  }

  @Test("The log shows the latest progress while it goes on")
  func live() {
    var log = BuildLog(relativise: { _ in nil })
    log.append(Array("[1/3] Compiling A a.swift\n[2/3] Comp".utf8))
    #expect(log.progress?.done == 1)
    log.append(Array("iling A b.swift\n".utf8))
    #expect(log.progress == BuildProgress(done: 2, total: 3, words: "Compiling A b.swift"))
  }
}
