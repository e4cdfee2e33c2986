import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("What is kept")
struct RetentionTests {
  private let gigabyte = 1_000_000_000

  private func kept(
    _ number: Int, _ outcome: Outcome = .succeeded, ref: RefName = main, bot: String = "greeter", age: Double = 0,
    isPinned: Bool = false, bytes: Int = 1_000_000_000
  ) -> KeptIntegration {
    KeptIntegration(
      bot: bot, ref: ref, number: number, endedAt: noon - age * 86_400, outcome: outcome, isPinned: isPinned,
      bytes: bytes)
  }

  private func keep(_ integrations: Int, days: Int = 1000) -> Bot.Keep {
    var keep = Bot.Keep()
    keep.integrations = integrations
    keep.days = days
    return keep
  }

  @Test("More than the bot keeps go, the oldest first")
  func count() {
    let removals = Retention.expired((1...30).map { kept($0) }, keep: keep(20), at: noon)
    #expect(removals.map(\.number) == Array(1...10))
    #expect(removals.first?.reason == "The bot keeps 20 integrations.")
    #expect(removals.first?.bytes == gigabyte)
  }

  @Test("Older ones than the bot keeps go")
  func age() {
    let removals = Retention.expired(
      (1...30).map { kept($0, age: Double(40 - $0)) }, keep: keep(50, days: 30), at: noon)
    #expect(removals.map(\.number) == Array(1...10))
    #expect(removals.last?.reason == "The bot keeps integrations for 30 days; this one is 30 days old.")
  }

  @Test("A bot that is to keep one integration keeps twelve, and says so")
  func one() {
    let removals = Retention.expired((1...13).map { kept($0) }, keep: keep(1), at: noon)
    #expect(removals.map(\.reason) == ["The bot keeps 12 integrations."])
  }

  @Test("The newest twelve stay whatever the settings say")
  func newest() {
    let removals = Retention.expired((1...15).map { kept($0, age: 5000) }, keep: keep(1, days: 1), at: noon)
    #expect(removals.map(\.number) == [1, 2, 3])
  }

  @Test("Pinned ones, the last good one and the first bad one after it stay")
  func protected() {
    let integrations = (1...40).map { number -> KeptIntegration in
      let outcome: Outcome = number <= 5 ? .succeeded : number == 6 ? .canceled : .testFailures
      return kept(number, outcome, isPinned: number == 2)
    }
    let removals = Retention.expired(integrations, keep: keep(12), at: noon)
    #expect(removals.map(\.number) == [1, 3, 4, 6] + Array(8...28))
  }

  @Test("What a branch still has to pass a gate against stays, as does the integration that says so; no longer")
  func gates() {
    let other = RefName(branch: "other")
    func gone(_ last: [Int]?, _ refs: Set<RefName>? = nil) -> [Int] {
      var integrations = (1...30).map { kept($0) }
      integrations[2].gateBases = [2]
      integrations[29].gateBases = []
      // The first bad one of its branch stays for that.
      integrations[3] = kept(4, .testFailures, ref: other)
      integrations[3].gateBases = [1]
      integrations[4] = kept(5, .testFailures, ref: other)
      integrations[4].gateBases = last
      // Where nothing was measured, no gate was judged.
      integrations[5] = kept(6, .buildErrors, ref: other)
      return Retention.expired(integrations, keep: keep(12), refs: refs, at: noon).map(\.number)
    }
    #expect(gone([1, 3]) == [2] + Array(7...18))
    #expect(gone([]) == [1, 2, 3] + Array(7...18))
    #expect(gone(nil) == [2, 3, 5] + Array(7...18))
    #expect(gone([1, 3], [main]) == Array(1...18))
  }

  @Test("The newest of each branch stays, as do the last result and the last one of which gates were judged")
  func newestOfBranch() {
    let other = RefName(branch: "other")
    func gone(_ refs: Set<RefName>?) -> [Int] {
      var integrations = (1...40).map { kept($0) }
      integrations[2] = kept(3, .testFailures, ref: other)
      integrations[3] = kept(4, .testFailures, ref: other)
      integrations[3].gateBases = []
      integrations[4] = kept(5, .testFailures, ref: other)
      integrations[5] = kept(6, .testFailures, ref: other)
      integrations[6] = kept(7, .triggerError, ref: other)
      integrations[7] = kept(8, .triggerError, ref: other)
      return Retention.expired(integrations, keep: keep(12), refs: refs, at: noon).map(\.number)
    }
    #expect(gone(nil) == [1, 2, 5, 7] + Array(9...28))
    #expect(gone([main]) == Array(1...28))
  }

  @Test("Each branch that is still there has its own last good one")
  func branches() {
    let other = RefName(branch: "other")
    let integrations = [kept(1, ref: other), kept(2, ref: other)] + (3...30).map { kept($0) }
    func gone(_ refs: Set<RefName>?) -> [Int] {
      Retention.expired(integrations, keep: keep(12), refs: refs, at: noon).map(\.number)
    }
    #expect(gone(nil) == [1] + Array(3...18))
    #expect(gone([main]) == Array(1...18))
  }

  @Test("On a full disk each branch that is still there has its own last good one, too")
  func branchesOnFullDisk() {
    let other = RefName(branch: "other")
    let integrations = [kept(1, ref: other)] + (2...14).map { kept($0) }
    func gone(_ refs: [String: Set<RefName>]) -> [Int] {
      DiskGovernor(integrations, disk: DiskSpace(total: 100 * gigabyte, free: 0), share: 0.75, refs: refs)
        .removals.map(\.number)
    }
    #expect(gone([:]) == [2])
    #expect(gone(["greeter": [main]]) == [1, 2])
  }

  @Test("A disk that is full enough costs the bot with the most integrations its oldest")
  func fullDisk() {
    let integrations = (1...20).map { kept($0) } + (1...22).map { kept($0, bot: "parser") }
    func governor(free: Int) -> DiskGovernor {
      DiskGovernor(integrations, disk: DiskSpace(total: 100 * gigabyte, free: free * gigabyte), share: 0.75)
    }
    let fine = governor(free: 25)
    #expect(fine.removals == [] && fine.shortage == nil)
    let tight = governor(free: 20)
    #expect(
      tight.removals.map { "\($0.bot) \($0.number)" } == ["parser 1", "parser 2", "greeter 1", "parser 3", "greeter 2"])
    #expect(
      tight.removals.first?.reason
        == "More than 75% of the disk would be in use, and this bot has the most integrations.")
    #expect(tight.shortage == nil)
  }

  @Test("Where all that may go would not make enough room, because others fill the disk, nothing goes")
  func shortageOfOthers() {
    let disk = DiskSpace(total: 100 * gigabyte, free: 5 * gigabyte)
    let governor = DiskGovernor((1...15).map { kept($0) }, disk: disk, share: 0.75)
    #expect(governor.removals == [])
    #expect(
      governor.shortage
        == "The disk stays 20000 MB above the 75% at which Martlet removes old integrations: all of them together would not make enough room."
    )
  }

  @Test(
    "On a disk that is nearly full, all goes that may; nothing protected does, and it is said that it stays too full")
  func shortage() {
    let disk = DiskSpace(total: 100 * gigabyte, free: gigabyte)
    let governor = DiskGovernor((1...15).map { kept($0) }, disk: disk, share: 0.75)
    #expect(governor.removals.map(\.number) == [1, 2, 3])
    #expect(
      governor.removals.first?.reason
        == "More than 95% of the disk would be in use, and this bot has the most integrations.")
    #expect(
      governor.shortage
        == "The disk stays 21000 MB above the 75% at which Martlet removes old integrations: what is left are the newest 12 of each bot, pinned ones, the last good and first bad ones, and what gates are judged against."
    )
  }
}
