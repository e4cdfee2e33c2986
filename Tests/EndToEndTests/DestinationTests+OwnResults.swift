import FoundationEssentials
import Model
import Testing

extension Integrations.DestinationTests {
  @Test("Idle time builds what waited for it, and takes the other results from the integration of the commit")
  func idleTime() throws {
    let repository = try GitFolder(Self.bot, in: scratch)
    try repository.commit("Begin", Self.files)
    var bot = Bot(name: Self.bot, repository: repository.path)
    bot.coverage.gates = [.patchFullyCovered]
    var (first, release, idle) = (Destination(), Destination(), Destination())
    (first.name, release.name, release.configuration) = ("first", "release", "release")
    (idle.name, idle.when, idle.arguments) = ("idle", .idle, ["-Xswiftc", "-DNEWER"])
    bot.destinations = Destinations([first, release, idle])

    let begin = try carryOut(1, bot, repository)
    #expect(outcomes(begin) == [.succeeded, .succeeded, nil])
    let completed = try carryOut(2, bot, repository, cause: .idle)
    #expect(outcomes(completed) == [.succeeded, .succeeded, .testFailures])
    let document = completed.document
    #expect(document.outcome == .testFailures)
    #expect(document.reasons == ["idle: 1 test failed."])
    #expect(document.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"idle\"]"])
    #expect(document.destination?.adoptedFrom == 1)
    #expect(document.cells?.map(\.destination?.adoptedFrom) == [1, nil])
    #expect(document.tests == begin.document.tests)
    #expect(document.coverage == begin.document.coverage)
    #expect(document.gates == begin.document.gates)
    #expect(document.cells?.first?.tests == begin.document.cells?.first?.tests)
    #expect(document.steps.map(\.name) == [.checkout])
    // Only the one that waited was built and tested.
    let logs = try FileManager.default.subpathsOfDirectory(atPath: "\(program.home)/integrations/\(Self.bot)/2")
      .filter { $0.hasSuffix("testing.log") }
    #expect(logs == ["cells/\(try cellFolder(completed, "idle"))/log/testing.log"])
    let page = try completed.report.words("index.html")
    #expect(page.contains("only idle was built here; the rest is in integration 1"))
    #expect(page.contains(", in integration 1"))
    #expect(try completed.report.text("index.html").contains("../1/cells/\(cellFolder(begin, "release"))/index.html"))
    #expect(
      try program.run("export", "\(Self.bot)/2", "--format", "lcov").output.contains("SF:Sources/Ways/Ways.swift"))

    // The next commit is compared with it as with any other.
    try repository.commit("Go on", ["README": "More.\n"])
    let next = try carryOut(3, bot, repository, includesIdle: false)
    #expect(outcomes(next) == [.succeeded, .succeeded, nil])
    #expect(next.document.baseline == 2)
    #expect(next.document.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"idle\"]"])

    // What is not what it was is built again, and so is all that was judged with it; here for an argument that gives
    // SwiftPM nothing to compile.
    bot.destinations?.all[1].arguments = ["--explicit-target-dependency-import-check", "none"]
    let again = try carryOut(4, bot, repository, cause: .idle)
    #expect(outcomes(again) == [.succeeded, .succeeded, .testFailures])
    #expect(again.document.destination?.adoptedFrom == nil)
    #expect(again.document.cells?.map(\.destination?.adoptedFrom) == [nil, nil])
  }

  @Test("What was told as new of a commit is not told again when idle time finds it for another destination, too")
  func idleNews() throws {
    let repository = try GitFolder(Self.bot, in: scratch)
    try repository.commit("Begin", Self.files)
    var bot = Bot(name: Self.bot, repository: repository.path)
    var (first, idle) = (Destination(), Destination())
    (first.name, idle.name, idle.when, idle.configuration) = ("first", "release", .idle, "release")
    bot.destinations = Destinations([first, idle])
    let begin = try carryOut(1, bot, repository)
    #expect(try begin.report.words("index.html").contains("first: 2 tests passed"))
    #expect(outcomes(try carryOut(2, bot, repository, cause: .idle)) == [.succeeded, .succeeded])

    try repository.commit("Break", ["Sources/Ways/Ways.swift": "public func twice(_ number: Int) -> Int { number }\n"])
    let broken = try carryOut(3, bot, repository)
    #expect(broken.document.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["new [\"first\"]"])
    let completed = try carryOut(4, bot, repository, cause: .idle)
    #expect(outcomes(completed) == [.testFailures, .testFailures])
    let issue = try #require(completed.document.issues.first)
    #expect(completed.document.issues.count == 1)
    #expect(issue.status == .unresolved && issue.destinations == nil && issue.life?.streakStart == 3)
    #expect(
      try program.run("show", "\(Self.bot)/4").output.contains("since 3, probably Mira (Ways.swift:1)"))
    #expect(completed.document.cells?.first?.issues.map(\.status) == [.new])
  }

  @Test("A destination is compared with what it was itself, whatever became of the others")
  func besideBuildErrors() throws {
    let repository = try GitFolder(Self.bot, in: scratch)
    try repository.commit("Begin", Self.files)
    var bot = Bot(name: Self.bot, repository: repository.path)
    var (first, release) = (Destination(), Destination())
    (first.name, release.name, release.configuration) = ("first", "release", "release")
    bot.destinations = Destinations([first, release])
    _ = try carryOut(1, bot, repository)
    try repository.commit("Break release", ["Sources/Ways/Other.swift": "#if !DEBUG\nlet broken: Missing\n#endif\n"])
    #expect(outcomes(try carryOut(2, bot, repository)) == [.succeeded, .buildErrors])

    try repository.commit("Break", ["Sources/Ways/Ways.swift": "public func twice(_ number: Int) -> Int { number }\n"])
    let broken = try carryOut(3, bot, repository)
    #expect(outcomes(broken) == [.testFailures, .buildErrors])
    let suspects = try #require(broken.document.issues.first { $0.test != nil }?.suspects)
    #expect(suspects.map(\.commit) == [broken.document.commit.id])
    #expect(suspects.first?.reason.contains("the only commit") == true)

    let mended = Self.files.merging(["Sources/Ways/Other.swift": "\n"]) { $1 }
    try repository.commit("Mend", mended)
    let page = try carryOut(4, bot, repository).report.words("index.html")
    #expect(page.contains("first: doubles() fixed: 2 passed; release: builds again: 2 passed"))
  }

  @Test("A test that each destination has red since another commit is told as each has it")
  func sinceDifferentCommits() throws {
    let repository = try GitFolder(Self.bot, in: scratch)
    func commit(_ message: String, debug: String, release: String) throws {
      let source = "public func twice(_ number: Int) -> Int {\n#if DEBUG\n\(debug)\n#else\n\(release)\n#endif\n}\n"
      try repository.commit(message, Self.files.merging(["Sources/Ways/Ways.swift": source]) { $1 })
    }
    try commit("Begin", debug: "number * 2", release: "number + number")
    var bot = Bot(name: Self.bot, repository: repository.path)
    var (first, release) = (Destination(), Destination())
    (first.name, release.name, release.configuration) = ("first", "release", "release")
    bot.destinations = Destinations([first, release])
    _ = try carryOut(1, bot, repository)
    try commit("Break", debug: "number * 3", release: "number + number")
    let broken = try carryOut(2, bot, repository)
    try commit("Break release", debug: "number * 3", release: "number + 7")
    let both = try carryOut(3, bot, repository)
    let issue = try #require(both.document.issues.first)
    #expect(both.document.issues.count == 1 && issue.status == .new && issue.message.contains("9"))
    #expect(issue.destinations == ["release"] && issue.suspects?.map(\.commit) == [both.document.commit.id])
    let other = try #require(issue.elsewhere?.first)
    #expect(other.destinations == ["first"] && other.life?.streakStart == 2 && other.message.contains("6"))
    #expect(other.suspects?.map(\.commit) == [broken.document.commit.id])

    let shown = try program.run("show", "\(Self.bot)/3").output
    #expect(shown.contains("\n  since 2, probably Mira (Ways.swift:3)"), "\(shown)")
    #expect(shown.contains("\n    new, "), "\(shown)")
    #expect(try program.run("issues", Self.bot).output.contains("for first: 6 ≠ 4, since 2, probably Mira"))
    let compared = try program.run("compare", "\(Self.bot)/2", "3").output
    #expect(compared.hasPrefix("\(Self.bot) 2 → 3: doubles() went red for release\n"), "\(compared)")
  }

  @Test("Issues of all destinations can be silenced, and keep their age when the destinations change their order")
  func reordered() throws {
    let story = try RedBesideStory.told.get()
    #expect(outcomes(story.begin) == [.succeeded, .testFailures, nil])
    let id = try #require(story.begin.document.issues.first?.id)
    #expect(story.listed.contains(id))
    #expect(story.silencing == [0, 0])
    #expect(story.silenced.document.outcome.isGreen)
    #expect(story.silenced.document.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["silenced [\"newer\"]"])

    let reordered = story.reordered.document
    #expect(outcomes(story.reordered) == [.testFailures, .succeeded, nil])
    #expect(reordered.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"newer\"]"])
    #expect(reordered.issues.map(\.life?.streakStart) == [1])
  }

  @Test("What ends the destination that leads keeps no other one from being built and tested")
  func stoppedLeader() throws {
    let story = try RedBesideStory.told.get()
    #expect(outcomes(story.begin) == [.succeeded, .testFailures, nil])

    let stopped = story.stopped.document
    #expect(stopped.outcome == .internalError)
    #expect(outcomes(story.stopped) == [.internalError, .testFailures, nil])
    #expect(stopped.cells?.map(\.tests.listed) == [2, 0])
    #expect(stopped.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"newer\"]"])

    let spared = story.spared.document
    #expect(outcomes(story.spared) == [.internalError, nil, nil])
    #expect(spared.cells?.first?.reasons == ["Not built, because first is red."])
    #expect(spared.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"newer\"]"])
  }

  @Test("A destination has gates of its own, judged by its own coverage beside its own earlier one")
  func gatesOfItsOwn() throws {
    let repository = try GitFolder(Self.measured, in: scratch)
    // Only a release build leaves the second branch out.
    let source = """
      public func half(_ number: Int) -> Int {
        #if DEBUG
        number / 2
        #else
        number < 0 ? -1 : number / 2
        #endif
      }

      """
    let all = """
      import Testing
      import Ways
      @Test func halves() {
        #expect(half(4) == 2)
        #expect(half(-4) < 0)
      }

      """
    try repository.commit(
      "Begin",
      Self.files.merging(["Sources/Ways/Ways.swift": source, "Tests/WaysTests/WaysTests.swift": all]) { $1 })
    var bot = Bot(name: Self.measured, repository: repository.path)
    var (first, release) = (Destination(), Destination())
    (first.name, release.name, release.configuration) = ("first", "release", "release")
    release.gates = [.noLostCoverage]
    bot.destinations = Destinations([first, release])
    let begin = try carryOut(1, bot, repository)
    #expect(outcomes(begin) == [.succeeded, .succeeded])
    #expect(begin.document.gates == nil)
    #expect(begin.document.cells?.first?.gates?.map(\.state) == [.notJudged])
    #expect(begin.document.cells?.first?.coverage.available == true)
    let exported = try program.run("export", "\(bot.name)/1:release", "--format", "lcov")
    #expect(exported.output.contains("SF:Sources/Ways/Ways.swift"))

    // The same lines run in both; what the release build alone has is lost.
    try repository.commit(
      "Try less",
      ["Tests/WaysTests/WaysTests.swift": all.replacing("  #expect(half(-4) < 0)\n", with: "")])
    let less = try carryOut(2, bot, repository)
    #expect(outcomes(less) == [.succeeded, .testFailures])
    #expect(less.document.outcome == .testFailures)
    #expect(less.document.onlyGatesFailed == true)
    #expect(less.document.gates == nil)
    let gate = try #require(less.document.cells?.first?.gates?.first)
    #expect(gate.state == .failed)
    #expect(gate.base == .commit(begin.document.commit.id, number: 1))
    #expect(less.document.reasons.count == 1)
    #expect(less.document.reasons.first?.hasPrefix("release: Lost-coverage gate: ") == true)
    #expect(less.document.issues.map { "\($0.kind) \($0.destinations ?? [])" } == ["gate [\"release\"]"])
    #expect(less.document.own?.issues == [])

    try repository.commit("Try all", ["Tests/WaysTests/WaysTests.swift": all])
    let mended = try carryOut(3, bot, repository)
    #expect(outcomes(mended) == [.succeeded, .succeeded])
    #expect(mended.document.issues.map { "\($0.status)" } == ["resolved"])
  }

  @Test(
    "A test that failed by chance in a destination after the first is known there, and nobody is blamed for it again")
  func ownChance() throws {
    let repository = try GitFolder(Self.uncontained, in: scratch)
    let luck = scratch.file("luck")
    let tests = """
      import Glibc
      import Testing
      import Ways
      @Test func doubles() {
        #if NEWER
        #expect(access("\(luck)", F_OK) == 0)
        #endif
        #expect(twice(2) == 4)
      }

      """
    try repository.commit("Begin", Self.files.merging(["Tests/WaysTests/WaysTests.swift": tests]) { $1 })
    var bot = uncontainedBot(repository)
    var (first, newer) = (Destination(), Destination())
    (first.name, newer.name, newer.arguments) = ("first", "newer", ["-Xswiftc", "-DNEWER"])
    bot.destinations = Destinations([first, newer])

    #expect(outcomes(try carryOut(1, bot, repository)) == [.succeeded, .testFailures])
    try Data().write(to: URL(filePath: luck))
    #expect(outcomes(try carryOut(2, bot, repository)) == [.succeeded, .succeeded])
    try FileManager.default.removeItem(atPath: luck)
    try repository.commit(
      "Add", ["Sources/Ways/Ways.swift": "public func twice(_ number: Int) -> Int { number + number }\n"])
    let failed = try carryOut(3, bot, repository)
    #expect(outcomes(failed) == [.succeeded, .testFailures])
    for issues in [failed.document.issues, failed.document.cells?.first?.issues ?? []] {
      #expect(issues.map(\.status) == [.new] && issues.map(\.knownFlaky) == [true])
      #expect(issues.map(\.suspects) == [nil])
    }
    let folder = try cellFolder(failed, "newer")
    #expect(try failed.report.words("cells/\(folder)/index.html").contains("Known flaky"))
  }
}
