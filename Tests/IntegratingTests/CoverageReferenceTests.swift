import Comparing
import FoundationEssentials
import Git
import Model
import Rendering
import TestGround
import Testing

@testable import Integrating

@Suite("The integration that coverage is compared with")
struct CoverageReferenceTests {
  private let home: Scratch
  private let scratch: RepositoryScratch
  private let path: String

  init() throws {
    home = try Scratch()
    scratch = try RepositoryScratch()
    path = try scratch.repository()
  }

  /// A finished integration on the disk, with complete coverage, incomplete coverage or none.
  private func integrate(
    _ number: Int, _ commit: CommitID, _ outcome: Outcome = .succeeded, complete: Bool? = true, on branch: String? = nil
  ) throws -> IndexedIntegration {
    var integration = Integration(
      bot: "shop", number: number, repository: path, branch: branch,
      commit: Commit(id: commit, summary: "Sell", author: "mira", date: Date(timeIntervalSince1970: 0)), cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0),
      repeatCommand: "")
    integration.outcome = outcome
    let folder = home.folder.folder("\(number)")
    try folder.remove()
    try folder.create()
    if let complete {
      integration.coverage = .available(Coverage(files: [], isComplete: complete, reason: complete ? nil : "It died."))
      try folder.write(try #require(CoverageDocument(integration)).text, to: "coverage.json")
    }
    try folder.write(
      try IntegrationRecord(integration).encoded(), to: "integration.json")
    return IndexedIntegration(
      number: number, commit: commit, branch: branch, outcome: outcome, scope: "s", isDirty: false)
  }

  /// What is found, in a word.
  ///
  /// - Parameters:
  ///   - branch: that of a bot, which comes before the history.
  ///   - other: that of a person's integration, which comes behind it.
  private func found(
    _ entries: [IndexedIntegration], before commit: CommitID, on branch: String? = nil, elseOn other: String? = nil,
    isBehind: Bool = false, in path: String? = nil
  ) throws -> String {
    let integrations = MeasuredIntegrations(in: home.folder, package: ".")
    let search = ReferenceSearch(entries, before: commit, isBehind: isBehind, scope: "s")
    let repository = try Repository(at: path ?? self.path)
    let reference =
      other == nil
      ? search.reference(on: branch, in: repository, coverage: integrations.coverage(of:))
      : search.reference(elseOn: other, in: repository, coverage: integrations.coverage(of:))
    let nearest =
      switch reference.nearest {
      case .found(let integration): "\(integration.number)"
      case .none(let unjudged): unjudged.map { "nothing since \($0.number)" } ?? "nothing"
      case .unknown(let doubt): doubt.sentence
      }
    let others = [
      ("on the branch", reference.onBranch), ("vanished", reference.vanished),
      ("vanished on the branch", reference.vanishedOnBranch),
    ]
    return others.reduce(nearest) { text, other in text + (other.1.map { ", \(other.0) \($0.number)" } ?? "") }
  }

  @Test("However many integrations of broken commits lie between, the last complete one is found")
  func manyBroken() throws {
    let good = try scratch.commit(path)
    var entries = [try integrate(1, good)]
    for number in 2..<30 { entries.append(try integrate(number, scratch.commit(path), .buildErrors, complete: nil)) }
    let broken = try scratch.commit(path)
    for number in 30..<60 { entries.append(try integrate(number, broken, .testFailures, complete: false)) }
    let now = try scratch.commit(path)
    #expect(try found(entries, before: now) == "1")
    // A run of the same commit that came to its end counts more than a later one that did not.
    entries.insert(try integrate(60, broken), at: 40)
    #expect(try found(entries, before: now) == "60")
  }

  @Test("Where nothing was ever measured there is nothing to lose, and what was broken so far is known")
  func neverMeasured() throws {
    let first = try scratch.commit(path)
    let now = try scratch.commit(path)
    #expect(try found([], before: now) == "nothing")
    #expect(try found([integrate(1, now)], before: now) == "nothing")
    let broken = try integrate(1, first, .buildErrors, complete: nil)
    #expect(try found([broken, integrate(2, now)], before: now) == "nothing since 1")
    // A green one without coverage was not asked for any, and neither were those before.
    let next = try scratch.commit(path)
    #expect(try found([broken, integrate(2, now, complete: nil)], before: next) == "nothing")
    #expect(
      try found([integrate(1, first, complete: nil), integrate(2, now, .testFailures, complete: false)], before: next)
        == "nothing since 2")
  }

  @Test("A bot compares with its branch, also after a merge of one that was integrated later")
  func branch() throws {
    let base = try scratch.commit(path)
    let main = try scratch.commit(path)
    try scratch.git(path, "checkout", "--quiet", "-b", "feature", base.rawValue)
    let feature = try scratch.commit(path, "Sell apples")
    try scratch.git(path, "checkout", "--quiet", "main")
    try scratch.git(path, "merge", "--quiet", "--no-ff", "--message", "Merge", "feature")
    let merge = CommitID(rawValue: try scratch.git(path, "rev-parse", "HEAD"))
    let entries = try [
      integrate(1, base, on: "main"), integrate(2, main, on: "main"), integrate(3, feature, on: "feature"),
    ]
    #expect(try found(entries, before: merge, on: "main") == "2")
    // With a broken one between, too.
    let next = try scratch.commit(path)
    #expect(
      try found(entries + [integrate(4, merge, .buildErrors, complete: nil, on: "main")], before: next, on: "main")
        == "2")
    // A branch that nothing was integrated on has the nearest ancestor of any other.
    #expect(try found(Array(entries.prefix(2)), before: feature, on: "feature") == "1")
  }

  @Test("A branch that was written anew is compared with what it was")
  func rewritten() throws {
    let old = try scratch.commit(path)
    try scratch.git(path, "commit", "--quiet", "--amend", "--allow-empty", "--message", "Other")
    let new = CommitID(rawValue: try scratch.git(path, "rev-parse", "HEAD"))
    let entries = [try integrate(1, old, on: "main")]
    #expect(try found(entries, before: new, on: "main") == "1")
    #expect(try found(entries, before: new) == "nothing")
    // Where a person has it integrated, the history comes first; one of another branch says nothing.
    #expect(try found(entries, before: new, elseOn: "main") == "nothing, on the branch 1")
    #expect(try found(entries, before: new, elseOn: "feature") == "nothing")
    let next = try scratch.commit(path)
    #expect(try found(entries + [integrate(2, new, on: "main")], before: next, elseOn: "main") == "2")
  }

  @Test("An old commit that is integrated late is not compared with what came after it")
  func late() throws {
    let old = try scratch.commit(path)
    let new = try scratch.commit(path)
    #expect(try found([integrate(1, new, on: "main")], before: old, elseOn: "main") == "nothing")
  }

  @Test("What a commit was that the repository no longer has is told, and passed over for what it has")
  func gone() throws {
    let base = try scratch.commit(path)
    let old = try scratch.commit(path)
    let entries = try [integrate(1, base, on: "main"), integrate(2, old, on: "main")]
    try scratch.git(path, "commit", "--quiet", "--amend", "--allow-empty", "--message", "Other")
    let new = CommitID(rawValue: try scratch.git(path, "rev-parse", "HEAD"))
    #expect(try found(entries, before: new, on: "main") == "2")
    try scratch.forget(path)
    #expect(try found(entries, before: new, on: "main") == "1, vanished 2")
    #expect(try found([entries[1]], before: new, on: "main") == "nothing, vanished 2")
    #expect(try found([entries[1]], before: new, elseOn: "main") == "nothing, vanished on the branch 2")
    // Only the last one is told.
    let never = CommitID(rawValue: String(repeating: "c", count: 40))
    #expect(try found([integrate(3, never, on: "main"), entries[1]], before: new, on: "main") == "nothing, vanished 2")
    let next = try scratch.commit(path)
    #expect(try found(entries + [integrate(4, new, on: "main")], before: next, on: "main") == "4")
  }

  @Test("What lies beyond the end of a shallow clone is not gone")
  func beyond() throws {
    let first = try scratch.commit(path)
    let second = try scratch.commit(path)
    let clone = "\(scratch.path)/Clone"
    try scratch.git(path, "clone", "--quiet", "--depth", "1", "file://\(path)", clone)
    let reason =
      "The commit \(first.short) of integration 1 is not in the repository, which is a shallow clone. Fetch more of it, as with `git fetch --unshallow`."
    #expect(try found([integrate(1, first, on: "main")], before: second, on: "main", in: clone) == reason)
  }

  @Test("A rerun is compared with what came before its commit, and nothing with a rerun of an old commit")
  func reruns() throws {
    let commits = try (0..<4).map { _ in try scratch.commit(path) }
    var entries = try (0..<3).map { try integrate($0 + 1, commits[$0], on: "main") }
    #expect(try found(entries, before: commits[1], on: "main", isBehind: true) == "1")
    entries.append(try integrate(4, commits[1], on: "main"))
    entries[3].isBehindBranch = true
    #expect(try found(entries, before: commits[1], on: "main", isBehind: true) == "1")
    #expect(try found(entries, before: commits[3], on: "main") == "3")
    #expect(try found(entries, before: commits[2], on: "main") == "4")
  }

  @Test("A shallow clone that ends before what was integrated proves nothing")
  func shallow() throws {
    let first = try scratch.commit(path)
    let second = try scratch.commit(path)
    let clone = "\(scratch.path)/Clone"
    try scratch.git(path, "clone", "--quiet", "--depth", "1", "file://\(path)", clone)
    let measured = try integrate(1, first)
    #expect(
      try found([measured], before: second, in: clone)
        == "Shallow clone: no commit to compare with. Fetch more of it, as with `git fetch --unshallow`."
    )
    #expect(try found([], before: second, in: clone) == "nothing")
    #expect(try found([integrate(2, first, .buildErrors, complete: nil)], before: second, in: clone) == "nothing")
    try scratch.git(clone, "fetch", "--quiet", "--unshallow")
    #expect(try found([measured], before: second, in: clone) == "1")
  }

  @Test("What was removed or cannot be read is not taken for nothing")
  func unreadable() throws {
    let first = try scratch.commit(path)
    let second = try scratch.commit(path)
    let now = try scratch.commit(path)
    let (one, two) = (try integrate(1, first), try integrate(2, second))
    try home.folder.write("{", to: "2/coverage.json")
    #expect(
      try found([one, two], before: now)
        == "The coverage of integration 2 cannot be read, so lost coverage is not known.")
    try home.folder.folder("1").remove()
    #expect(
      try found([one], before: now, on: "main")
        == "Integration 1 was removed, so lost coverage is not known.")
    let gone = CommitID(rawValue: String(repeating: "a", count: 40))
    #expect(try found([one], before: gone).hasPrefix("Cannot walk the history of"))
  }

  @Test("An integration is read once, whoever asks for it")
  func once() throws {
    let entry = try integrate(1, scratch.commit(path))
    let integrations = MeasuredIntegrations(in: home.folder, package: ".")
    #expect(integrations.integration(1, of: entry.commit)?.number == 1)
    try home.folder.folder("1").remove()
    #expect(integrations.integration(1, of: entry.commit)?.number == 1)
    #expect(integrations.integration(1, of: CommitID(rawValue: "b")) == nil)
    #expect(MeasuredIntegrations(in: home.folder, package: ".").integration(1, of: entry.commit) == nil)
  }

  @Test("Only the first bytes say whether coverage is complete")
  func beginning() {
    func says(_ text: String) -> Bool? { CoverageDocument.isComplete(beginning: Array(text.utf8)) }
    #expect(says("{\n  \"available\": true,\n  \"complete\": true,\n  \"lines\"") == true)
    #expect(says("{\n  \"complete\": false,") == false)
    #expect(says("{\n  \"bot\": \"\\n  \\\"complete\\\": true\",") == nil)
    #expect(says("{\"complete\": tr") == nil)
  }
}
