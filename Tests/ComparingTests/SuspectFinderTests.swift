import FoundationEssentials
@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Suspects")
struct SuspectFinderTests {
  private static let ada = change("a1b2c3d", "Ada", ["Sources/Shop/Cart.swift"])
  private static let bob = change("b0b0b0b", "Bob", ["Sources/Shop/Till.swift", "Tests/ShopTests/CartTests.swift"])
  private static let docs = change("d0c5000", "Eve", ["README.md"])

  private static func change(_ id: String, _ author: String, _ files: Set<String>) -> SuspectFinder.Change {
    SuspectFinder.Change(
      commit: Commit(
        id: CommitID(rawValue: id), summary: "", author: author, email: "\(author.lowercased())@example.org",
        date: Date(timeIntervalSince1970: 0)),
      files: files)
  }

  private static let model = PackageModel(
    name: "Shop",
    targets: [
      PackageModel.Target(name: "Shop", type: "library", path: "Sources/Shop", sources: ["Cart.swift", "Till.swift"]),
      PackageModel.Target(name: "ShopTests", type: "test", path: "Tests/ShopTests", sources: ["CartTests.swift"]),
    ])

  private let warning = Issue(
    id: "w", kind: .warning, message: "never used",
    location: SourceLocation(file: "Sources/Shop/Cart.swift", line: 4))
  private let failure = Issue(
    id: "t", kind: .testFailure, message: "no",
    location: SourceLocation(file: "Tests/ShopTests/TillTests.swift", line: 9),
    test: TestID(module: "ShopTests", suite: "TillTests", name: "testSum"))

  /// `name confidence: reason` of each.
  private func words(
    _ issue: Issue, _ changes: [SuspectFinder.Change], line: String? = nil, ran: [(String, Int, String)] = [],
    isOwn: Bool = false, toolchain: Bool = false, lacksCommits: Bool = false, isFlaky: Bool = false,
    passedHere: Bool = false, wasFlaky: Bool = false, wasFixed: Bool = false, outside: [CircumstanceChange] = []
  ) -> [String] {
    var issue = issue
    issue.isKnownFlaky = isFlaky
    let lines = zip([issue.location].compactMap(\.self), [line].compactMap(\.self)).map {
      SuspectFinder.BlamedLine(place: $0, commit: CommitID(rawValue: $1))
    }
    let ran = ran.map {
      SuspectFinder.BlamedLine(place: SourceLocation(file: $0, line: $1), commit: CommitID(rawValue: $2))
    }
    return SuspectFinder(
      changes: changes, toolchainChanged: toolchain, outside: outside, lacksCommits: lacksCommits, model: Self.model
    ).suspects(
      for: issue, lines: lines, ran: isOwn ? .ownTest(ran) : .anyTest(ran), passedHere: passedHere, wasFlaky: wasFlaky,
      wasFixed: wasFixed
    ).map { Suspect($0) }.map { "\($0.name) \($0.confidence.rawValue): \($0.reason)" }
  }

  @Test(
    "Where it is known which lines a test ran, who changed one of them is suspected, and names of files prove nothing")
  func ownLines() {
    let cart = ("Sources/Shop/Cart.swift", 4, "a1b2c3d")
    let till = ("Sources/Shop/Till.swift", 7, "b0b0b0b")
    #expect(
      words(failure, [Self.ada, Self.bob], ran: [till], isOwn: true) == [
        "Bob high: b0b0b0b changed Till.swift:7, which this test ran."
      ])
    #expect(
      words(failure, [Self.ada, Self.bob], ran: [cart, till], isOwn: true) == [
        "Ada medium: a1b2c3d changed Cart.swift:4, which this test ran.",
        "Bob medium: b0b0b0b changed Till.swift:7, which this test ran.",
      ])
    #expect(words(failure, [Self.ada, Self.bob], isOwn: true) == [])
  }

  @Test("A test turned red for no change when all that changed is known and it ran nothing of it")
  func untouched() {
    func isUntouched(
      _ ran: Set<String>, _ changes: [SuspectFinder.Change], toolchain: Bool = false,
      outside: [CircumstanceChange] = [], in model: PackageModel = Self.model
    ) -> Bool {
      SuspectFinder(changes: changes, toolchainChanged: toolchain, outside: outside, model: model).isUntouched(
        by: .init(counted: ["Sources/Shop/Cart.swift", "Sources/Shop/Till.swift"], ran: ran))
    }
    let till: Set = ["Sources/Shop/Till.swift"]
    #expect(isUntouched(till, [Self.ada, Self.docs]))
    #expect(!isUntouched(till, [Self.ada, Self.docs], toolchain: true))
    #expect(!isUntouched(till, [Self.ada], outside: [CircumstanceChange("environment.API", before: "1", after: "2")]))
    #expect(!isUntouched(["Sources/Shop/Cart.swift"], [Self.ada]))
    // A test's own source, or a resource, may be what it reads.
    #expect(!isUntouched([], [Self.bob]) && !isUntouched(till, []))
    #expect(!isUntouched(till, [Self.ada, Self.change("e0e0e0e", "Eve", ["Sources/Shop/prices.json"])]))
    var built = Self.model
    built.targets = built.targets.map { target in
      var target = target
      target.runsInBuild = true
      return target
    }
    #expect(!isUntouched(till, [Self.ada], in: built))
    #expect(!isUntouched(till, [Self.ada, Self.change("e0e0e0e", "Eve", ["Tests/ShopTests/Pages/sample.md"])]))
    #expect(isUntouched(till, [Self.ada, Self.change("e0e0e0e", "Eve", ["Sources/Shop/Shop.docc/Shop.md"])]))
  }

  @Test("Where nobody knows what a test ran, or all that changed, anything may have touched it")
  func unknown() {
    let finder = SuspectFinder(changes: [Self.docs], toolchainChanged: false, model: Self.model)
    #expect(!finder.isUntouched(by: nil))
    let till = SuspectFinder.FilesRan(counted: ["Sources/Shop/Till.swift"], ran: ["Sources/Shop/Till.swift"])
    #expect(finder.isUntouched(by: till))
    let more = SuspectFinder(changes: [Self.docs], toolchainChanged: false, isComplete: false, model: Self.model)
    #expect(!more.isUntouched(by: till))
    let other = Self.change("e0e0e0e", "Eve", ["Packages/Dep/Sources/Dep/Res/a.md"])
    #expect(!SuspectFinder(changes: [other], toolchainChanged: false, model: Self.model).isUntouched(by: till))
  }

  @Test("Who changed only other tests of the file is not suspected, and did nothing to the test")
  func otherTests() {
    let eve = Self.change("e1e1e1e", "Eve", ["Tests/ShopTests/TillTests.swift"])
    let finder = SuspectFinder(changes: [eve], toolchainChanged: false, model: Self.model)
    let files = SuspectFinder.FilesRan(counted: ["Sources/Shop/Till.swift"], ran: ["Sources/Shop/Till.swift"])
    func names(_ finder: SuspectFinder) -> [String] {
      finder.suspects(for: failure, lines: [], ran: .ownTest([])).map(\.commit.author)
    }
    #expect(names(finder) == ["Eve"])
    #expect(!finder.isUntouched(by: files))
    let apart = finder.leavingOut { commit, file in commit == eve.commit.id && file.hasSuffix("TillTests.swift") }
    #expect(apart.isUntouched(by: files))
    let other = finder.leavingOut { commit, _ in commit == Self.ada.commit.id }
    #expect(names(other) == ["Eve"])
  }

  /// A function whose last line is the fifth after the first, unless one is said.
  private static func function(_ first: Int, _ last: Int? = nil) -> FunctionCoverage {
    FunctionCoverage(
      name: "f", symbol: "", count: 1,
      regions: [
        CoverageRegion(
          start: SourcePosition(line: first, column: 9), end: SourcePosition(line: last ?? first + 5, column: 2),
          count: 1)
      ])
  }

  /// The files that the third of three tests is said to have run, of one that it ran nothing of.
  private func ran(after hunks: [LineMap.Hunk], status: FileDifference.Status = .modified) -> Set<String> {
    let path = "Sources/Shop/Cart.swift"
    let tests = ["T.C/testA", "T.C/testB", "T.C/testC"].compactMap { TestID($0) }
    let starts = [(10, 0), (20, 1), (30, 0), (40, 0)]
    let map = TestMap(
      tests: tests, sets: [[0, 1], [0]],
      files: [
        path: TestMap.File(
          lines: [.init(lines: 10...15, set: 0), .init(lines: 20...25, set: 1)],
          functions: starts.map { .init(start: SourcePosition(line: $0, column: 9), set: $1) }, once: [30...35])
      ])
    let file = FileCoverage(
      path: path, target: "Shop", lines: [], deadStretches: [],
      functions: [Self.function(10), Self.function(20), Self.function(30), Self.function(40, 40), Self.function(50)],
      totals: CoverageTotals(), llvmLines: Tally())
    let difference = SourceDifference([
      FileDifference(
        status: status, oldPath: status == .added ? nil : path, newPath: path, lines: LineMap(hunks: hunks))
    ])
    return SuspectFinder.FilesRan(by: 2, in: map, of: [file], changed: difference) { _, lines in
      Set(lines.filter { $0 == 3 })
    }.ran
  }

  @Test("A change concerns only the tests that ran it where it lies within functions that several of them ran, or none")
  func confined() {
    #expect(ran(after: []).isEmpty)
    #expect(ran(after: [.init(old: 12..<13, new: 12..<14)]).isEmpty)
    #expect(ran(after: [.init(old: 15..<18, new: 15..<15)]).isEmpty)
    // One line for another, where the whole function is one line.
    #expect(ran(after: [.init(old: 40..<41, new: 40..<41)]).isEmpty)
    #expect(ran(after: [.init(old: 52..<53, new: 52..<53)]).isEmpty)
    #expect(ran(after: [.init(old: 3..<3, new: 3..<4)]).isEmpty)
  }

  @Test("A change of declarations, of values that are made once, and of what one test alone ran may concern every test")
  func shared() {
    let all: Set = ["Sources/Shop/Cart.swift"]
    // Between functions, in the place of a first line, and behind the last.
    #expect(ran(after: [.init(old: 17..<18, new: 17..<18)]) == all)
    #expect(ran(after: [.init(old: 18..<19, new: 18..<18)]) == all)
    #expect(ran(after: [.init(old: 10..<12, new: 10..<11)]) == all)
    #expect(ran(after: [.init(old: 15..<16, new: 15..<17)]) == all)
    #expect(ran(after: [.init(old: 32..<33, new: 32..<33)]) == all)
    #expect(ran(after: [.init(old: 22..<23, new: 22..<23)]) == all)
    #expect(ran(after: [.init(old: 2..<3, new: 3..<4)]) == all)
    #expect(ran(after: [.init(old: 1..<1, new: 1..<Int.max)], status: .added) == all)
  }

  @Test("Where a test is known to fail by chance, only a changed line that it ran speaks for anybody")
  func flaky() {
    let till = ("Sources/Shop/Till.swift", 7, "b0b0b0b")
    #expect(words(failure, [Self.bob]) != [] && words(failure, [Self.bob], isFlaky: true) == [])
    #expect(words(failure, [Self.bob], ran: [till], isFlaky: true) == [])
    #expect(words(failure, [Self.bob], ran: [till], isOwn: true, isFlaky: true).count == 1)
    // The line that failed is one.
    #expect(words(failure, [Self.bob, Self.ada], line: "b0b0b0b", isFlaky: true).count == 1)
    // What passed with all that changed is red by chance.
    #expect(words(failure, [Self.bob, Self.ada], line: "b0b0b0b", isFlaky: true, passedHere: true) == [])
    // What was flaky before and now fails in every retry is nobody's of whom that is no more than possible.
    #expect(words(failure, [Self.ada]).count == 1 && words(failure, [Self.ada], wasFlaky: true) == [])
    #expect(words(failure, [Self.ada], ran: [("Sources/Shop/Cart.swift", 4, "a1b2c3d")], wasFlaky: true).count == 1)
  }

  @Test("Who changed a tool that runs in the build may have changed all that tests run, also where a test came back")
  func tool() {
    var model = Self.model
    model.targets.append(
      PackageModel.Target(
        name: "Gen", type: "executable", path: "Sources/Gen", sources: ["main.swift"], runsInBuild: true))
    func confidence(_ model: PackageModel) -> [Suspect.Confidence] {
      var issue = failure
      issue.life = IssueLife(firstSeen: 1, streak: 2, streakStart: 5, cameBackFrom: 2)
      let change = Self.change("e1e1e1e", "Eve", ["Sources/Gen/main.swift"])
      return SuspectFinder(changes: [change], toolchainChanged: false, model: model)
        .suspects(for: issue, lines: []).map(\.confidence)
    }
    #expect(confidence(model) == [.medium])
    model.targets[model.targets.count - 1].runsInBuild = false
    #expect(confidence(model) == [])
  }

  @Test("Who changed the line is suspected before who changed the file")
  func blame() {
    let other = Self.change("c0ffee0", "Cy", ["Sources/Shop/Cart.swift"])
    #expect(
      words(warning, [other, Self.ada, Self.docs], line: "a1b2c3d") == [
        "Ada high: a1b2c3d changed Cart.swift:4.",
        "Cy medium: c0ffee0 changed Sources/Shop/Cart.swift.",
      ])
  }

  @Test("A line that is older than this integration's commits speaks against nobody")
  func oldLine() {
    #expect(words(warning, [Self.bob, Self.docs], line: "0000000").isEmpty)
  }

  @Test("Nobody is named for whom only speaks that they changed something")
  func testedCode() {
    let other = Self.change("e1e1e1e", "Eve", ["Tests/ShopTests/CartTests.swift"])
    #expect(words(failure, [Self.bob, other, Self.docs]).isEmpty)
  }

  @Test("A changed line that ran in any test is told before changed files, but after the changed line that failed")
  func ranLine() {
    let eve = Self.change("e1e1e1e", "Eve", ["Tests/ShopTests/TillTests.swift"])
    let ran = [("Sources/Shop/Till.swift", 30, "b0b0b0b")]
    #expect(
      words(failure, [eve, Self.bob, Self.docs], ran: ran) == [
        "Bob medium: b0b0b0b changed Till.swift:30, which ran.",
        "Eve medium: e1e1e1e changed Tests/ShopTests/TillTests.swift.",
      ])
    // Of one commit that wrote the failing assertion, too.
    let both = Self.change("b0b0b0b", "Bob", ["Sources/Shop/Till.swift", "Tests/ShopTests/TillTests.swift"])
    #expect(
      words(failure, [both, Self.docs], line: "b0b0b0b", ran: ran) == [
        "Bob high: b0b0b0b changed TillTests.swift:9."
      ])
    #expect(words(failure, [both, Self.docs], line: "b0b0b0b") == ["Bob high: b0b0b0b changed TillTests.swift:9."])
    #expect(
      words(failure, [both, Self.docs], line: "b0b0b0b", ran: ran, isOwn: true) == [
        "Bob high: b0b0b0b changed Till.swift:30, which this test ran."
      ])
    #expect(
      words(failure, [eve, Self.ada], line: "e1e1e1e") == [
        "Eve high: e1e1e1e changed TillTests.swift:9."
      ])
  }

  @Test("Of changed lines in several files none is told to be the one, unless the test names its type")
  func severalFiles() {
    let ran = [("Sources/Shop/Cart.swift", 3, "b0b0b0b"), ("Sources/Shop/Till.swift", 30, "b0b0b0b")]
    #expect(
      words(failure, [Self.bob, Self.docs], ran: ran) == [
        "Bob medium: b0b0b0b changed Sources/Shop/Till.swift of the target under test."
      ])
    let lines = ran.map { file, line, commit in
      SuspectFinder.BlamedLine(
        place: SourceLocation(file: file, line: line), commit: CommitID(rawValue: commit))
    }
    #expect(SuspectFinder.lines(lines, namedBy: ["Till", "count"]) == [lines[1]])
    #expect(SuspectFinder.lines(lines, namedBy: ["count"]) == lines)
    // Another commit may be the one that broke it all the same.
    var other = lines[0]
    other.commit = CommitID(rawValue: "e1e1e1e")
    #expect(SuspectFinder.lines(lines + [other], namedBy: ["Till"]) == [lines[1], other])
  }

  @Test("What crashed in the line of a test came of that line")
  func crash() {
    var crash = failure
    crash.kind = .crash
    let both = Self.change("b0b0b0b", "Bob", ["Sources/Shop/Till.swift", "Tests/ShopTests/TillTests.swift"])
    #expect(
      words(crash, [both, Self.docs], line: "b0b0b0b", ran: [("Sources/Shop/Till.swift", 30, "b0b0b0b")]) == [
        "Bob high: b0b0b0b changed TillTests.swift:9."
      ])
  }

  @Test("Less speaks for anybody where a test came back that was red before")
  func comeback() {
    var back = failure
    back.life = IssueLife(firstSeen: 1, streak: 2, streakStart: 4, cameBackFrom: 1)
    #expect(words(back, [Self.bob]).isEmpty)
    #expect(
      words(back, [Self.bob], ran: [("Sources/Shop/Till.swift", 30, "b0b0b0b")]) == [
        "Bob medium: b0b0b0b, the only commit, changed Till.swift:30, which ran; this issue was also seen in 1."
      ])
    // What a change had mended does not come back by chance.
    #expect(words(back, [Self.bob], wasFixed: true).isEmpty)
    #expect(
      words(back, [Self.bob], ran: [("Sources/Shop/Till.swift", 30, "b0b0b0b")], wasFixed: true) == [
        "Bob high: b0b0b0b, the only commit, changed Till.swift:30, which ran; this issue was also seen in 1."
      ])
    // Neither does it speak against who changed a line that ran.
    #expect(
      words(back, [Self.bob, Self.docs], ran: [("Sources/Shop/Till.swift", 30, "b0b0b0b")]) == [
        "Bob medium: b0b0b0b changed Till.swift:30, which ran; this issue was also seen in 1."
      ])
  }

  @Test("What changed outside of the commits speaks against nobody but who changed a line that ran")
  func outside() {
    let change = CircumstanceChange("dependency till", before: "main 1", after: "main 2")
    #expect(words(failure, [Self.bob], outside: [change]).isEmpty)
    #expect(
      words(failure, [Self.bob], ran: [("Sources/Shop/Till.swift", 30, "b0b0b0b")], outside: [change]) == [
        "Bob medium: b0b0b0b, the only commit, changed Till.swift:30, which ran; dependency till changed, too."
      ])
    #expect(Suspect(change).sentence == "Possibly dependency till: it was main 1 and is main 2.")
  }

  @Test("That a gate failed before speaks for nobody: each time it judges another change")
  func gateAgain() {
    var gate = Issue(
      id: "g", kind: .gate, message: "no", location: SourceLocation(file: "Sources/Shop/Cart.swift", line: 4))
    let once = words(gate, [Self.ada, Self.docs], line: "a1b2c3d")
    gate.life = IssueLife(firstSeen: 1, streak: 2, streakStart: 4, cameBackFrom: 1)
    #expect(gate.comeback != nil)
    #expect(words(gate, [Self.ada, Self.docs], line: "a1b2c3d") == once)
  }

  @Test("The only commit is suspected more, and even when nothing else speaks against it")
  func onlyCommit() {
    #expect(
      words(failure, [Self.bob]) == [
        "Bob medium: b0b0b0b, the only commit, changed Sources/Shop/Till.swift of the target under test."
      ])
    #expect(words(warning, [Self.docs]) == ["Eve medium: d0c5000 is the only commit."])
  }

  @Test("So is the only author of several commits")
  func onlyAuthor() {
    let again = Self.change("a2a2a2a", "Ada", ["README.md"])
    #expect(
      words(warning, [again, Self.ada]) == [
        "Ada high: a1b2c3d changed Sources/Shop/Cart.swift; both commits are by Ada."
      ])
  }

  @Test("Where a shallow clone lacks commits, nobody made the only one or all of them")
  func lackingCommits() {
    #expect(words(warning, [Self.docs], lacksCommits: true).isEmpty)
    #expect(
      words(warning, [Self.ada], line: "a1b2c3d", lacksCommits: true) == ["Ada high: a1b2c3d changed Cart.swift:4."])
    let finder = SuspectFinder(changes: [Self.ada], toolchainChanged: false, lacksCommits: true, model: nil)
    #expect(!finder.isOnePerson)
  }

  @Test("One person is who made all commits, by whichever spelling of one address")
  func onePerson() {
    func isOne(_ changes: [SuspectFinder.Change]) -> Bool {
      SuspectFinder(changes: changes, toolchainChanged: false, model: nil).isOnePerson
    }
    #expect(isOne([Self.ada]))
    #expect(isOne([Self.ada, Self.change("a2a2a2a", "Ada", ["README.md"])]))
    #expect(!isOne([Self.ada, Self.bob]))
    #expect(!isOne([]))
  }

  @Test("A change of the toolchain takes a part of the blame")
  func toolchain() {
    #expect(
      words(warning, [Self.ada, Self.docs], line: "a1b2c3d", toolchain: true) == [
        "Ada medium: a1b2c3d changed Cart.swift:4; the toolchain changed, too."
      ])
    #expect(words(warning, [Self.docs], toolchain: true).isEmpty)
  }

  @Test("Nobody is suspected of a trigger's failure or of Martlet's own troubles, nor where there is no commit")
  func nobody() {
    for kind in [Issue.Kind.triggerError, .serviceError, .serviceWarning] {
      #expect(words(Issue(id: "s", kind: kind, message: "no"), [Self.ada]).isEmpty)
    }
    #expect(words(warning, []).isEmpty)
  }
}
