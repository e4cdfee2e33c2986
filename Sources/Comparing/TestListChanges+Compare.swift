package import Model

extension TestListChanges {
  /// More new and deleted tests than this are not looked through for pairs.
  private static let mostPairs = 40_000

  /// Compares the listed tests of two integrations.
  ///
  /// A test that went and one that came are the same under another name when they are of one module, and either have the
  /// same name in different suites, or are in the same suite with names of which at most a third of the characters
  /// differ. Of several possible pairs the nearest counts.
  ///
  /// - Parameters:
  ///   - before: the listed tests of the baseline.
  ///   - now: the listed tests.
  ///   - filteredOut: tests that exist and were not chosen; they are neither new nor deleted.
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

  /// How far two names are from each other, in hundredths; nil for tests that are not the same.
  private static func distance(_ old: TestID, _ new: TestID) -> Int? {
    guard old.module == new.module else { return nil }
    if old.suite != new.suite { return old.name == new.name ? 0 : nil }
    let longest = max(old.name.count, new.name.count)
    guard longest <= 500 else { return nil }
    let distance = EditDistance.between(old.name, new.name)
    return distance * 3 <= longest ? distance * 100 / longest : nil
  }
}
