import Model
import TestGround
import Testing

@testable import Comparing

/// What holds of issues in every history, tried on random ones.
@Suite("Issues through random histories")
struct IssueHistoryPropertyTests {
  private static let files = ["Sources/Shop/Cart.swift", "Sources/Shop/Till.swift", "Sources/Shop/Coin.swift"]

  /// Lets something happen; at most one file moves or is renamed at a time.
  private func disturb(_ world: inout IssueWorld, step: Int, _ random: inout SeededGenerator) {
    let file = Self.files.randomElement(using: &random) ?? Self.files[0]
    let names = ["t1", "t2", "t3", "t4"]
    let test = names.randomElement(using: &random) ?? names[0]
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: world.warn("w\(step)", file, Int.random(in: 1...100_000, using: &random))
    case 2, 3: world.mend(world.openLabels.sorted().randomElement(using: &random) ?? "")
    case 4: world.insert(Int.random(in: 1...50, using: &random), before: 20_000, of: file)
    case 5: world.rename(file, to: "Sources/Shop/Renamed\(step).swift")
    case 6: world.breakBuild("e\(step)", file, step)
    case 7: world.mendBuild()
    case 8: world.test(test, [.passed, .failed, .crashed, .skipped].randomElement(using: &random) ?? .passed)
    case 9: world.test(test, .passed, flaky: true)
    case 10: world.cancel()
    default: world.delete(test: test)
    }
  }

  @Test("Nothing is resolved unless it was reached, ages count, and streaks never overlap", arguments: 0..<60)
  func rules(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var world = IssueWorld()
    for name in ["t1", "t2", "t3", "t4"] { world.test(name, .passed) }
    /// The numbers of the integrations that said something, in order.
    var conclusive: [Int] = []
    var before: [String: String] = [:]
    for step in 1...60 {
      disturb(&world, step: step, &random)
      let isCanceled = world.isCanceled
      let states = world.testStates
      let (_, issues) = world.integrate()
      if !isCanceled { conclusive.append(world.number) }
      checkReach(issues, isCanceled: isCanceled, states, in: world, "seed \(seed), step \(step)")
      #expect(Set(issues.map(\.id)).count == issues.count, "seed \(seed), step \(step)")
      guard !isCanceled, let memory = world.memory else { continue }
      checkMemory(memory, conclusive, "seed \(seed), step \(step)")
      let open = Dictionary(
        issues.filter { $0.status != .resolved && $0.test == nil }.map { (world.label(of: $0.id), $0.id) },
        uniquingKeysWith: { first, _ in first })
      for (label, id) in before where open[label] != nil && world.openLabels.contains(label) {
        #expect(open[label] == id, "seed \(seed), step \(step): \(label) has another name")
      }
      before = open
    }
  }

  private func checkReach(
    _ issues: [Issue], isCanceled: Bool, _ states: [String: TestState], in world: IssueWorld, _ place: String
  ) {
    for issue in issues where issue.status == .resolved {
      #expect(world.isBuilt && !isCanceled, "\(place): \(issue.id) was not reached")
      guard let test = issue.test?.name else { continue }
      let isFixed = states[test] == nil || states[test] == .passed && !world.isFlaky(test)
      #expect(isFixed, "\(place): \(test) is \(states[test]?.rawValue ?? "gone")")
    }
    let shown = Set(issues.filter { $0.status != .resolved }.compactMap(\.test?.name))
    for (test, state) in states where state.isRed {
      #expect(shown.contains(test), "\(place): \(test) is red and no issue")
    }
  }

  private func checkMemory(_ memory: IssueMemory, _ conclusive: [Int], _ place: String) {
    #expect(Set(memory.records.map(\.id)).count == memory.records.count, "\(place)")
    for record in memory.records {
      let since = conclusive.count { $0 > record.life.firstSeen }
      #expect(record.age == since, "\(place): \(record.id) is \(record.age) old")
      for (one, next) in zip(record.streaks, record.streaks.dropFirst()) {
        #expect(one.closed.map { $0 < next.opened } == true, "\(place): \(record.streaks)")
      }
      for streak in record.streaks {
        #expect(streak.opened <= streak.lastSeen, "\(place): \(streak)")
        #expect(streak.closed.map { $0 > streak.lastSeen } ?? true, "\(place): \(streak)")
        let last = streak.closed.map { closed in conclusive.last { $0 < closed } ?? 0 } ?? memory.number
        #expect(streak.age == conclusive.count { $0 > streak.opened && $0 <= last }, "\(place): \(streak)")
      }
    }
  }
}
