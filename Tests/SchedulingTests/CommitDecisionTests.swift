import Model
import TestGround
import Testing

@testable import Scheduling

@Suite("What a bot does about commits")
struct CommitDecisionTests {
  private func changes(_ bot: Bot, _ sighting: Sighting) -> [QueueChange] {
    CommitDecision(bot).decide(sighting, at: noon).changes
  }

  @Test("At first sight the newest commit of the branch that HEAD points to is integrated, and no history")
  func firstSight() {
    let other = RefName(branch: "other")
    let first = sighting(seen: nil, now: [main: "c", other: "x"], [main: .tip(NewCommit(id: "c"))])
    #expect(changes(bot(), first) == [.sighted, queued("c"), .remember(main, "c")])
  }

  @Test("At first sight tags are remembered and not integrated; later ones are")
  func tags() {
    let bot = bot { $0.tags = ["v*"] }
    let old = RefName(rawValue: "refs/tags/v1")
    let new = RefName(rawValue: "refs/tags/v2")
    let mark = QueueChange.remember(.tagsAsked, "v*")
    #expect(changes(bot, sighting(seen: nil, now: [old: "a"], head: nil)) == [.sighted, .remember(old, "a"), mark])
    let later: [RefName: CommitID] = [old: "a", new: "b"]
    #expect(
      changes(bot, sighting(seen: [old: "a", .tagsAsked: "v*"], now: later, head: nil))
        == [queued("b", ref: new), .remember(new, "b")])
    // The first one of all.
    #expect(
      changes(bot, sighting(seen: [.tagsAsked: "v*"], now: [new: "b"], head: nil))
        == [queued("b", ref: new), .remember(new, "b")])
  }

  @Test("The first tag that comes while an earlier Martlet gives way to this one is integrated, and no old ones are")
  func tagsNotKnown() {
    let asking = bot { $0.tags = ["v*"] }
    let mark = QueueChange.remember(.tagsAsked, "v*")
    let (one, two, other) = (RefName(tag: "v1"), RefName(tag: "v2"), RefName(tag: "w2"))
    let seen: [RefName: CommitID] = [main: "a", .tagsAsked: .tagsNotKnown]
    #expect(
      changes(asking, sighting(seen: seen, now: [main: "a", one: "b", other: "c"]))
        == [queued("b", ref: one), .remember(one, "b"), mark])
    #expect(changes(asking, sighting(seen: seen, now: [main: "a"])) == [mark])
    // The bot's file was changed meanwhile.
    #expect(
      changes(asking, sighting(seen: seen, now: [main: "a", one: "b", two: "c"]))
        == [.remember(one, "b"), .remember(two, "c"), mark])
    #expect(changes(bot(), sighting(seen: seen, now: [main: "a", one: "b"])) == [.forget(.tagsAsked)])
    // An earlier Martlet saw a tag.
    #expect(
      changes(
        asking, sighting(seen: [main: "a", one: "b", .tagsAsked: "**/*"], now: [main: "a", one: "b", two: "c"]))
        == [queued("c", ref: two), .remember(two, "c"), mark])
  }

  @Test("Tags that are there when the bot begins to ask for them, or for more of them, are left alone")
  func oldTags() {
    let (one, two) = (RefName(tag: "v1"), RefName(tag: "w2"))
    let tips: [RefName: CommitID] = [main: "a", one: "b", two: "c"]
    let asking = bot { $0.tags = ["v*"] }
    #expect(
      changes(asking, sighting(now: tips)) == [.remember(one, "b"), .remember(.tagsAsked, "v*")])
    let widened = bot { $0.tags = ["v*", "w*"] }
    let seen: [RefName: CommitID] = [main: "a", .tagsAsked: "v*"]
    // What the bot asked for before is new all the same.
    #expect(
      changes(widened, sighting(seen: seen, now: tips))
        == [queued("b", ref: one), .remember(one, "b"), .remember(two, "c"), .remember(.tagsAsked, "v*\nw*")])
    #expect(changes(bot(), sighting(seen: seen, now: tips)) == [.forget(.tagsAsked)])
  }

  @Test("Tags that come while the bot does not integrate on commit are left alone when it does later")
  func tagsOfAnotherSchedule() {
    let tag = RefName(tag: "v1")
    let manual = bot { ($0.tags, $0.schedule.on) = (["v*"], .manual) }
    let tips: [RefName: CommitID] = [main: "a", tag: "b"]
    #expect(changes(manual, sighting(now: tips)) == [.remember(.tagsAsked, "")])
    let mended = bot { $0.tags = ["v*"] }
    #expect(
      changes(mended, sighting(seen: [main: "a", .tagsAsked: ""], now: tips))
        == [.remember(tag, "b"), .remember(.tagsAsked, "v*")])
  }

  @Test("Change requests that are there at first are left alone, also where the bot began to ask for them later")
  func oldRequests() {
    let (old, seen) = (RefName(rawValue: "refs/pull/7/head"), RefName.changeRequestsSeen)
    let asking = bot { $0.branches = ["main", "refs/pull/*/head"] }
    let marks: [QueueChange] = [.remember(old, "x"), .remember(seen, "")]
    #expect(changes(asking, sighting(seen: nil, now: [old: "x"])) == [.sighted] + marks)
    #expect(changes(asking, sighting(now: [main: "a", old: "x"])) == marks)
    #expect(changes(asking, sighting(seen: [main: "a", old: "x", seen: ""], now: [main: "a", old: "x"])) == [])
    let all = bot { $0.branches = ["**"] }
    #expect(changes(all, sighting(now: [main: "a", old: "x"])) == [])
    #expect(changes(all, sighting(seen: [main: "a", seen: ""], now: [main: "a"])) == [.forget(seen)])
  }

  @Test("Many change requests that move, or are gone, while as many wait take a time in proportion to them")
  func manyRequests() {
    let asking = bot { ($0.branches, $0.trust) = (["refs/pull/*/head"], .all) }
    func refs(_ count: Int) -> [RefName] { (0..<count).map { RefName(rawValue: "refs/pull/\($0)/head") } }
    func waiting(_ count: Int, now: (RefName) -> CommitID?) -> Sighting {
      let refs = refs(count)
      let seen = Dictionary(uniqueKeysWithValues: refs.map { ($0, CommitID(rawValue: "a")) })
      let tips = Dictionary(uniqueKeysWithValues: refs.compactMap { ref in now(ref).map { (ref, $0) } })
      return sighting(
        seen: seen.merging([.changeRequestsSeen: ""]) { $1 }, now: tips,
        entries: refs.enumerated().map { entry($0, "a", ref: $1) })
    }
    func decide(_ sighting: Sighting) {
      let made = changes(asking, sighting)
      #expect(made.count == 2 * sighting.entries.count)
    }
    #expect(Growth.atFourTimes(1000, of: { waiting($0) { _ in "b" } }, decide) < Growth.inProportion)
    #expect(Growth.atFourTimes(1000, of: { waiting($0) { _ in nil } }, decide) < Growth.inProportion)
  }

  @Test("A change request that moves is integrated if a branch holds its commit, or if everybody is trusted")
  func requests() {
    let (new, seen) = (RefName(rawValue: "refs/pull/8/head"), RefName.changeRequestsSeen)
    var asking = bot { $0.branches = ["refs/pull/*/head"] }
    var move = sighting(seen: [seen: ""], now: [main: "a", new: "x"])
    let integrated = [queued("x", ref: new), .remember(new, "x")]
    #expect(changes(asking, move) == integrated)
    move.strange = [new]
    let reason =
      "No branch of the repository holds this commit of “refs/pull/8/head”, so that anybody may have written it. With 'trust: all' it is integrated, contained."
    let passedOver = Assignment(bot: "greeter", ref: new, commit: "x", cause: .commit, queuedAt: noon)
    #expect(changes(asking, move) == [.skip(passedOver, reason: reason), .remember(new, "x")])
    asking.trust = .all
    #expect(changes(asking, move) == integrated)
    asking.trust = .none
    #expect(changes(asking, move) == [])
    #expect(
      CommitDecision(asking).refusal(of: new, isOnBranch: true)
        == "“refs/pull/8/head” is a pull request; the bot's file says 'trust: none'.")
    asking.trust = .all
    // Who asks for the branches does not ask for those.
    #expect(CommitDecision(asking).integrateTips(move, because: .person, at: noon).changes == [])
  }

  @Test("Nothing follows from a repository that did not move")
  func idempotent() {
    #expect(changes(bot(), sighting(now: [main: "a"])) == [])
  }

  @Test("Several commits become one integration of the newest that covers them all")
  func latest() {
    let move = sighting(now: [main: "d"], [main: .advanced(line("d", "c", "b"), from: "a")])
    #expect(changes(bot(), move) == [queued("d", ["d", "c", "b"]), .remember(main, "d")])
  }

  @Test("What waits already is turned to the newer commit, and still covers the older ones")
  func merging() {
    let move = sighting(
      now: [main: "d"], [main: .advanced(line("d"), from: "a")], entries: [entry(7, "c", covered: ["c", "b"])])
    #expect(
      changes(bot(), move) == [.extend(7, commit: "d", covered: ["d", "c", "b"]), .remember(main, "d")])
  }

  @Test("What waits for a person or another branch is left alone")
  func notMerged() {
    let entries = [entry(7, "c", cause: .person), entry(8, "x", ref: RefName(branch: "other"))]
    let move = sighting(now: [main: "d"], [main: .advanced(line("d"), from: "a")], entries: entries)
    #expect(changes(bot(), move) == [queued("d"), .remember(main, "d")])
  }

  @Test("A bot that wants every commit gets each, the oldest first")
  func every() {
    let move = sighting(
      now: [main: "d"], [main: .advanced(line("d", "c", "b"), from: "a")], entries: [entry(7, "a")])
    #expect(
      changes(bot { $0.commits = .every }, move)
        == [queued("b"), queued("c"), queued("d"), .remember(main, "d")])
  }

  @Test("A bot that wants every commit gets a merged branch as one, whichever parent the branch was before")
  func everyMerge() {
    let side = [NewCommit(id: "y", parents: ["x"]), NewCommit(id: "x", parents: ["r"])]
    let every = bot { $0.commits = .every }
    func decided(_ merge: NewCommit, _ line: [NewCommit]) -> [QueueChange] {
      changes(every, sighting(now: [main: "m"], [main: .advanced([merge] + side + line, from: "a")]))
    }
    let own = [NewCommit(id: "b", parents: ["a"])]
    #expect(
      decided(NewCommit(id: "m", parents: ["b", "y"]), own) == [queued("b"), queued("m"), .remember(main, "m")])
    // As after a pull.
    #expect(decided(NewCommit(id: "m", parents: ["y", "a"]), []) == [queued("m"), .remember(main, "m")])
    // A branch that is fast-forwarded to the other was at each of its commits.
    let forward = [NewCommit(id: "y", parents: ["x"]), NewCommit(id: "x", parents: ["a"])]
    #expect(
      changes(every, sighting(now: [main: "y"], [main: .advanced(forward, from: "a")]))
        == [queued("x"), queued("y"), .remember(main, "y")])
    // The latest one covers what was merged, too.
    let latest = sighting(
      now: [main: "m"], [main: .advanced([NewCommit(id: "m", parents: ["b", "y"])] + side + own, from: "a")])
    #expect(changes(bot(), latest) == [queued("m", ["m", "y", "x", "b"]), .remember(main, "m")])
  }

  @Test("Entries left from a time when every commit was wanted are merged into the first")
  func policyChange() {
    let move = sighting(
      now: [main: "d"], [main: .advanced(line("d"), from: "a")], entries: [entry(7, "b"), entry(8, "c")])
    #expect(
      changes(bot(), move) == [
        .supersede(8, reason: "The integration of d on “main” covers this commit."),
        .extend(7, commit: "d", covered: ["d", "c", "b"]), .remember(main, "d"),
      ])
  }

  @Test("Commits that an entry covers already are not queued again")
  func covered() {
    let move = sighting(
      now: [main: "d"], [main: .advanced(line("d", "c", "b"), from: "a")], covered: [main: ["c", "b"]])
    #expect(changes(bot(), move) == [queued("d"), .remember(main, "d")])
  }

  @Test("A filtered commit is recorded as skipped, and the newest that counts is integrated")
  func filters() {
    let commits =
      line("e", paths: ["docs/a.md", "README.md"]) + line("d", message: "Tidy [skip ci]")
      + line("c", paths: ["docs/a.md", "Sources/x.swift"]) + line("b", paths: [])
    let bot = bot {
      $0.ignore.paths = ["docs", "*.md"]
      $0.ignore.messages = ["[skip ci]"]
    }
    var linked = commits
    for index in 0..<3 { linked[index].parents = [linked[index + 1].id] }
    #expect(
      changes(bot, sighting(now: [main: "e"], [main: .advanced(linked, from: "a")])) == [
        .skip(
          Assignment(bot: "greeter", ref: main, commit: "e", cause: .commit, queuedAt: noon),
          reason: "The commit changes only files that the bot ignores: docs/a.md, README.md."),
        .skip(
          Assignment(bot: "greeter", ref: main, commit: "d", cause: .commit, queuedAt: noon),
          reason: "The message of the commit holds “[skip ci]”, which the bot ignores."),
        queued("c", ["c", "b"]), .remember(main, "e"),
      ])
  }

  @Test("Only commits that touch a wanted path are integrated, what is ignored left aside")
  func wantedPaths() {
    let commits =
      line("d", paths: ["packages/Lib/x.swift", "packages/App/README.md"]) + line("c", paths: ["packages/App/a.swift"])
      + line("b", paths: [])
    var linked = commits
    for index in 0..<2 { linked[index].parents = [linked[index + 1].id] }
    let bot = bot {
      $0.paths = ["packages/App/**"]
      $0.ignore.paths = ["*.md", "**/*.md"]
    }
    #expect(
      changes(bot, sighting(now: [main: "d"], [main: .advanced(linked, from: "a")])) == [
        .skip(
          Assignment(bot: "greeter", ref: main, commit: "d", cause: .commit, queuedAt: noon),
          reason: "The commit changes no file that 'paths' of the bot names, only packages/Lib/x.swift."),
        queued("c", ["c", "b"]), .remember(main, "d"),
      ])
  }

  @Test("The first commit that is seen of a branch is integrated whatever it touches")
  func wantedPathsAtFirst() {
    let tip = line("d", paths: ["packages/Lib/x.swift"])[0]
    let bot = bot { $0.paths = ["packages/App/**"] }
    #expect(
      changes(bot, sighting(seen: nil, now: [main: "d"], [main: .tip(tip)])) == [
        .sighted, queued("d"), .remember(main, "d"),
      ])
  }

  @Test("When only a filtered merge holds all that counts, the merge is integrated")
  func filteredMerge() {
    let commits = [
      NewCommit(id: "m", parents: ["b", "x"], message: "Merge [skip ci]"), NewCommit(id: "x", parents: ["a"]),
      NewCommit(id: "b", parents: ["a"]),
    ]
    let decided = changes(
      bot { $0.ignore.messages = ["[skip ci]"] }, sighting(now: [main: "m"], [main: .advanced(commits, from: "a")]))
    #expect(decided.contains(queued("m", ["m", "x", "b"])))
  }

  @Test("When every commit is filtered, all are recorded and nothing runs")
  func allFiltered() {
    let decided = changes(
      bot { $0.ignore.paths = ["docs"] },
      sighting(now: [main: "c"], [main: .advanced(line("c", "b", paths: ["docs/a"]), from: "a")]))
    #expect(decided.count == 3)
    #expect(decided.last == .remember(main, "c"))
  }

  @Test("A deleted branch takes what waits for it along, but not what a person asked for")
  func deleted() {
    let entries = [entry(7, "b"), entry(8, "b", cause: .person)]
    #expect(
      changes(bot(), sighting(now: [:], entries: entries)) == [
        .supersede(7, reason: "The branch “main” was deleted before its turn came."), .forget(main),
      ])
  }

  @Test("A branch that the bot no longer asks for is dropped likewise")
  func unselected() {
    let decided = changes(bot { $0.branches = ["release/*"] }, sighting(now: [main: "a"], entries: [entry(7, "a")]))
    #expect(
      decided == [.supersede(7, reason: "The bot no longer asks for the branch “main”."), .forget(main)])
  }

  @Test("A newer commit asks for the end of the running integration and covers its commits too")
  func cancelSuperseded() {
    var running = entry(7, "c", covered: ["c", "b"], state: .running, number: 3)
    let bot = bot { $0.cancelSuperseded = true }
    let history: [RefName: MoveHistory] = [main: .advanced(line("d"), from: "a")]
    let expected = queued("d", ["d", "c", "b"])
    #expect(
      changes(bot, sighting(now: [main: "d"], history, entries: [running])) == [
        .cancel(7, reason: "A newer commit of “main”, d, takes its place."), expected, .remember(main, "d"),
      ])
    running.cancelReason = "asked already"
    #expect(
      changes(bot, sighting(now: [main: "d"], history, entries: [running])) == [expected, .remember(main, "d")])
  }

  @Test("A bot that does not integrate on commit queues nothing when a branch moves")
  func manual() {
    let bot = bot { $0.schedule.on = .manual }
    #expect(changes(bot, sighting(now: [main: "b"], [main: .advanced(line("b"), from: "a")])) == [])
    #expect(changes(bot, sighting(seen: nil, now: [main: "b"])) == [.sighted])
  }
}
