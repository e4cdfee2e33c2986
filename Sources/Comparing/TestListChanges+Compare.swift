package import Model

extension TestListChanges {
  /// The largest product of the numbers of new and deleted tests for which renamed tests are looked for.
  private static let mostPairs = 40_000

  /// Compares the listed tests of two integrations.
  ///
  /// A deleted and a new test of one module are taken for the same test under a new name if they have the same name in
  /// different suites, or are in the same suite and at most a third of the characters of their names differ. If there
  /// are several possible pairs, the nearest is chosen.
  ///
  /// - Parameters:
  ///   - before: the listed tests of the baseline.
  ///   - now: the listed tests.
  ///   - filteredOut: the tests that exist and were not selected; they are neither new nor deleted.
  package init(from before: Set<TestID>, to now: Set<TestID>, filteredOut: Set<TestID>) {
    var added = now.subtracting(before)
    var deleted = before.subtracting(now).subtracting(filteredOut)
    var renamed: [Renaming] = []
    if !added.isEmpty, !deleted.isEmpty, added.count <= Self.mostPairs / deleted.count {
      let pairs = deleted.sorted().flatMap { old in
        added.sorted().compactMap { new in Self.distance(old, new).map { (old, new, $0) } }
      }
      for (old, new, _) in pairs.sorted(by: { ($0.2, $0.0, $0.1) < ($1.2, $1.0, $1.1) })
      where deleted.contains(old) && added.contains(new) {
        deleted.remove(old)
        added.remove(new)
        renamed.append(Renaming(from: old, to: new))
      }
    }
    self.init(added: added.sorted(), deleted: deleted.sorted(), renamed: renamed.sorted { $0.to < $1.to })
  }

  /// Returns the distance between two names, in hundredths; nil if the tests cannot be the same.
  private static func distance(_ old: TestID, _ new: TestID) -> Int? {
    guard old.module == new.module else { return nil }
    if old.suite != new.suite { return old.name == new.name ? 0 : nil }
    let longest = max(old.name.count, new.name.count)
    guard longest <= 500 else { return nil }
    let distance = EditDistance.between(old.name, new.name)
    return distance * 3 <= longest ? distance * 100 / longest : nil
  }
}
