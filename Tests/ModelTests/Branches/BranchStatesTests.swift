import FoundationEssentials
import Model
import Testing

@Suite("How a bot stands, branch by branch")
struct BranchStatesTests {
  private static let letters: [Character: Outcome] = [
    "g": .succeeded, "w": .warnings, "r": .testFailures, "b": .buildErrors, "i": .incomplete, "e": .checkoutError,
    "c": .canceled,
  ]

  /// Integrations numbered from 1, written oldest first as `main:g feature:r :g`, the last of no branch, with `<` behind
  /// those of older commits; newest first.
  private static func ends(_ text: String) -> [IntegrationEnd] {
    text.split(separator: " ").enumerated().map { index, word in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      let ref = parts[0].isEmpty ? RefName(rawValue: "refs/tags/1") : RefName(branch: String(parts[0]))
      return IntegrationEnd(
        number: index + 1, ref: ref, outcome: parts[1].first.flatMap { letters[$0] } ?? .internalError,
        endedAt: Date(timeIntervalSince1970: Double(index)), isOneOff: parts[1].hasSuffix("<"))
    }.reversed()
  }

  private static func known(
    _ branches: [String], head: String? = nil, isBare: Bool = true, asked: [String]?
  ) -> KnownBranches {
    let refs = Dictionary(uniqueKeysWithValues: branches.map { (RefName(branch: $0), CommitID(rawValue: "a")) })
    return KnownBranches(Tips(refs: refs, head: head.map { RefName(branch: $0) }, isBare: isBare), asked: asked)
  }

  /// `branch number since`, with a mark in front of what is red; the main one first.
  private static func words(_ states: BranchStates<IntegrationEnd>) -> [String] {
    ([states.main] + states.others).map { state in
      let told = state.told.map { "\($0.number)" } ?? "-"
      let since = state.since.map { "\($0.number)" } ?? "-"
      return "\(state.isRed ? "!" : "")\(state.branch ?? "(none)") \(told) \(since)"
    }
  }

  @Test(
    "Each branch stands as its own newest integration, since the first of an unbroken row",
    arguments: [
      // A green feature branch hides no red main branch.
      ("main:g main:r feature:g", ["!main 2 2", "feature 3 3"]),
      ("main:g main:r feature:g main:r feature:r feature:r", ["!main 4 2", "!feature 6 5"]),
      ("main:r main:r main:w main:g", ["main 4 3"]),
      ("main:r main:i main:b", ["!main 3 1"]),
      // What came to no result is told first, and the result behind it stays.
      ("main:r main:e main:e feature:g", ["!main 3 2", "feature 4 4"]),
      ("main:r main:e main:r", ["!main 3 1"]),
      // Where there was nothing to integrate, nothing was green.
      ("main:g main:e main:g main:c main:w", ["main 5 3"]),
      ("main:e main:g main:c", ["main 2 2"]),
      ("main:c", ["main - -"]),
      // An older commit that is looked at again says nothing of the newest.
      ("main:g main:r main:g<", ["!main 2 2"]),
      ("main:g<", ["main 1 1"]),
      ("", ["(none) - -"]),
      // Tags and lone commits are beside every branch, unless there is none.
      ("main:g :r", ["main 1 1"]),
      (":g :r", ["!(none) 2 2"]),
    ])
  func fold(text: String, words: [String]) {
    #expect(Self.words(BranchStates(Self.ends(text), of: nil)) == words)
  }

  @Test(
    "The main branch is the one that HEAD points to, if the bot asks for it, else a usual one, else the first asked for",
    arguments: [
      (["main", "trunk"], "trunk", ["*"], "trunk"),
      (["main", "topic", "trunk"], "topic", ["main", "trunk"], "main"),
      (["master", "topic"], "topic", ["master"], "master"),
      (["a/1", "a/2", "b/1"], "x", ["b/*", "a/*"], "b/1"),
      (["main", "trunk"], "trunk", [], "trunk"),
      (["main", "topic"], nil, ["topic"], "topic"),
      // Of a bot without a file only what was integrated speaks.
      (["main", "topic"], "topic", nil, "main"),
      (["topic", "other"], "other", nil, "topic"),
    ] as [([String], String?, [String]?, String)])
  func main(branches: [String], head: String?, asked: [String]?, main: String) {
    let lines = Self.ends(branches.map { "\($0):g" }.joined(separator: " ") + " topic:r")
    let known = Self.known(branches, head: head, asked: asked)
    #expect(BranchStates(lines, of: known).main.branch == main)
  }

  @Test(
    "What somebody has checked out decides nothing, unless the bot follows it",
    arguments: [
      (["main", "feature/a"], "feature/a", ["main", "feature/*"], "main"),
      (["develop", "feature/a"], "feature/a", ["feature/*", "develop"], "develop"),
      (["feature/a", "feature/b"], "feature/b", ["feature/*"], "feature/a"),
      (["main", "topic"], "topic", [], "topic"),
    ])
  func checkedOut(branches: [String], head: String, asked: [String], main: String) {
    let known = Self.known(branches, head: head, isBare: false, asked: asked)
    #expect(BranchStates(Self.ends("\(branches[0]):g"), of: known).main.branch == main)
  }

  @Test("The newest tag is told of while it is red, beside the branches")
  func redTag() {
    let known = Self.known(["main"], head: "main", asked: [])
    let tag = RedBranch(name: "1", since: 2, isTag: true)
    #expect(BranchStates(Self.ends("main:g :b"), of: known).redBeside == [tag])
    #expect(BranchStates(Self.ends("main:g :b :c main:g"), of: known).redBeside == [tag])
    #expect(BranchStates(Self.ends("main:g :b :g"), of: known).redBeside == [])
    #expect(BranchStates(Self.ends("main:g :b"), of: known).redBranches == [])
  }

  @Test("A branch that was deleted is told of no more, and one without a result decides all the same")
  func deleted() {
    let lines = Self.ends("main:g feature:r")
    #expect(Self.words(BranchStates(lines, of: Self.known(["main"], head: "main", asked: []))) == ["main 1 1"])
    let both = Self.known(["main", "feature"], head: "main", asked: ["*"])
    #expect(Self.words(BranchStates(lines, of: both)) == ["main 1 1", "!feature 2 2"])
    #expect(BranchStates(lines, of: both).redBeside == [RedBranch(name: "feature", since: 2)])
    let fresh = Self.known(["trunk", "feature"], head: "trunk", asked: ["*"])
    #expect(Self.words(BranchStates(lines, of: fresh)) == ["trunk - -", "!feature 2 2"])
  }

  @Test("It is read back until the main branch is found, and every other that the bot asks for")
  func reading() {
    let lines = Self.ends("old:r main:g main:r " + Array(repeating: "feature:g", count: 500).joined(separator: " "))
    func read(_ known: KnownBranches?, enough: Int = .max) -> (limits: [Int], words: [String]) {
      var limits: [Int] = []
      let states = BranchStates.read(of: known, atFirst: 10, enough: enough) { limit in
        limits.append(limit)
        return Array(lines.prefix(limit))
      }.states
      return (limits, Self.words(states))
    }
    let both = read(Self.known(["main", "feature"], head: "main", asked: ["main", "feature"]))
    #expect(both.limits == [10, 100, 1000])
    #expect(both.words == ["!main 3 3", "feature 503 4"])
    // Nobody knows the branches of a repository that cannot be read.
    #expect(read(nil).words == ["!main 3 3", "feature 503 4", "!old 1 1"])
    let feature = read(Self.known(["feature"], head: "feature", asked: []), enough: 50)
    #expect(feature.limits == [10, 100])
    // Since when is not told where it was not read.
    #expect(feature.words == ["feature 503 -"])
  }

  @Test("What an older watcher wrote about its bots is still read")
  func oldState() throws {
    let text = #"{"name":"greeter","repository":"/r","settings":[],"problems":[],"passedOver":[]}"#
    let state = try JSONDecoder().decode(WatchState.BotState.self, from: Data(text.utf8))
    #expect(state.name == "greeter" && state.branches == nil)
  }

  @Test("Tests that a person chose for once tell how a branch stands only if one is red, or where nothing else does")
  func chosen() {
    func line(_ number: Int, _ outcome: Outcome, onlyGates: Bool = false, isWhole: Bool = false) -> HistoryLine {
      let date = Date(timeIntervalSince1970: 0)
      var integration = Integration(
        bot: "b", number: number, repository: "", branch: "main",
        commit: Commit(id: CommitID(rawValue: "c"), summary: "", author: "", date: date), cause: .person,
        toolchain: "", configuration: "", sandbox: "", queuedAt: date, repeatCommand: "")
      (integration.outcome, integration.onlyGatesFailed, integration.choosesTests) = (outcome, onlyGates, !isWhole)
      return HistoryLine(of: IntegrationRecord(integration, words: { _ in "" }))
    }
    let whole = line(1, .succeeded, isWhole: true)
    #expect([line(2, .succeeded), whole].telling.map(\.number) == [1])
    #expect([line(2, .incomplete), whole].telling.map(\.number) == [1])
    #expect([line(2, .testFailures, onlyGates: true), whole].telling.map(\.number) == [1])
    #expect([line(2, .testFailures), whole].telling.map(\.number) == [2, 1])
    #expect([line(2, .succeeded)].telling.map(\.number) == [2])
    var uncommitted = line(3, .testFailures, isWhole: true)
    uncommitted.uncommitted = true
    #expect([uncommitted, whole].telling.map(\.number) == [1])
    var behind = line(3, .testFailures, isWhole: true)
    behind.behindBranch = true
    #expect([behind, whole].telling.map(\.number) == [1])
  }
}
