package import Model

extension TestListChanges {
  /// The parameters and bodies of tests, in sources that changed between two integrations.
  package struct Bodies: Sendable {
    package var before: [TestID: String]
    package var now: [TestID: String]

    package init(before: [TestID: String] = [:], now: [TestID: String] = [:]) {
      (self.before, self.now) = (before, now)
    }
  }

  /// Compares the listed tests of two integrations.
  ///
  /// A test was renamed where its body stands under another name of the same module, and no other test has it. Names may
  /// have been exchanged, too: a test takes the name of one that has a new name itself. A test whose name holds a place is
  /// the one that was in its line, whatever its name was, and else the only one of its name left in its file.
  ///
  /// - Parameters:
  ///   - before: the listed tests of the baseline.
  ///   - now: the listed tests.
  ///   - filteredOut: the tests that exist and were not selected; they are neither new nor deleted.
  ///   - mayLackTests: whether there may be tests that could not be listed; then one that is missing may still exist.
  ///   - bodies: those of tests that may be other ones by now, or may have had other names.
  ///   - places: where the tests are declared; nil if that cannot be compared.
  package init(
    from before: Set<TestID>, to now: Set<TestID>, filteredOut: Set<TestID>, mayLackTests: Bool = false,
    bodies: Bodies = Bodies(), places: TestPlaces? = nil
  ) {
    let before = before.subtracting(filteredOut)
    let kept = before.intersection(now).filter { places?.tell($0) != true }
    let (apart, apartNow) = (before.subtracting(kept), now.subtracting(kept))
    var names = places?.names(of: apart, among: apartNow, byLine: true) ?? [:]
    // A diff may take the attribute of one test for that of the next.
    names = names.filter { bodies.before[$0] == bodies.now[$1] }
    let bodily = Self.renamed(
      from: before.subtracting(names.keys), to: now.subtracting(names.values), bodies, kept: kept)
    names.merge(bodily) { first, _ in first }
    for byLine in [true, false] {
      let (old, new) = (apart.subtracting(names.keys), apartNow.subtracting(names.values))
      names.merge(places?.names(of: old, among: new, byLine: byLine) ?? [:]) { first, _ in first }
    }
    self.init(
      added: apartNow.subtracting(names.values).sorted(),
      deleted: apart.subtracting(names.keys).filter { !mayLackTests || now.contains($0) }.sorted(),
      renamed: names.filter { $0 != $1 }.map { Renaming(from: $0.key, to: $0.value) }.sorted { $0.to < $1.to })
  }

  /// Returns the new names of tests that are known by their bodies.
  ///
  /// - Parameter kept: the names that tests bore before and now.
  private static func renamed(
    from before: Set<TestID>, to now: Set<TestID>, _ bodies: Bodies, kept: Set<TestID>
  ) -> [TestID: TestID] {
    struct Text: Hashable {
      var module: String
      var body: String
    }
    func texts(_ bodies: [TestID: String], of tests: Set<TestID>) -> [Text: [TestID]] {
      let known = bodies.filter { tests.contains($0.key) }
      return Dictionary(grouping: known.keys) { Text(module: $0.module, body: known[$0] ?? "") }
    }
    let earlier = texts(bodies.before, of: before)
    var names: [TestID: TestID] = [:]
    for (text, tests) in texts(bodies.now, of: now) {
      guard tests.count == 1, let old = earlier[text], old.count == 1 else { continue }
      if old[0] != tests[0] || !kept.contains(old[0]) { names[old[0]] = tests[0] }
    }
    // A name that stays belongs to the test that it always belonged to, unless that was renamed as well.
    while true {
      let taken = Set(names.values)
      let sure = names.filter { old, new in
        (!kept.contains(old) || taken.contains(old)) && (!kept.contains(new) || names[new] != nil)
      }
      if sure.count == names.count { return names }
      names = sure
    }
  }
}
