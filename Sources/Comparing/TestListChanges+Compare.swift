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
  /// have been exchanged, too: a test takes the name of one that has a new name itself.
  ///
  /// - Parameters:
  ///   - before: the listed tests of the baseline.
  ///   - now: the listed tests.
  ///   - filteredOut: the tests that exist and were not selected; they are neither new nor deleted.
  ///   - bodies: those of tests that may be other ones by now, or may have had other names.
  package init(from before: Set<TestID>, to now: Set<TestID>, filteredOut: Set<TestID>, bodies: Bodies = Bodies()) {
    let gone = before.subtracting(now).subtracting(filteredOut)
    let renamed = Self.renamed(from: before.subtracting(filteredOut), to: now, bodies, gone: gone)
    self.init(
      added: now.subtracting(before).subtracting(renamed.values).sorted(),
      deleted: gone.subtracting(renamed.keys).sorted(),
      renamed: renamed.map { Renaming(from: $0.key, to: $0.value) }.sorted { $0.to < $1.to })
  }

  /// Returns the new names of renamed tests.
  private static func renamed(
    from before: Set<TestID>, to now: Set<TestID>, _ bodies: Bodies, gone: Set<TestID>
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
      guard tests.count == 1, let old = earlier[text], old.count == 1, old[0] != tests[0] else { continue }
      names[old[0]] = tests[0]
    }
    // A name that stays belongs to the test that it always belonged to, unless that was renamed as well.
    while true {
      let taken = Set(names.values)
      let sure = names.filter { old, new in
        (gone.contains(old) || taken.contains(old)) && (!before.contains(new) || names[new] != nil)
      }
      if sure.count == names.count { return names }
      names = sure
    }
  }
}
