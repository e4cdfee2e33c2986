package import Model

/// Where the tests of two integrations are declared.
///
/// A name that holds the place of its declaration becomes another one with every line above it, and soon that of another
/// test. Such tests are known by where they were.
package struct TestPlaces: Sendable {
  /// What tests are known by; overloads that are written in one line are not.
  private struct Declaration: Hashable {
    var name: TestID
    var file: String
    /// Nil where the file is enough.
    var line: Int?
  }

  package var before: [TestID: SourceLocation]
  package var now: [TestID: SourceLocation]
  /// How their sources changed in between.
  package var change: SourceDifference

  package init(before: [TestID: SourceLocation], now: [TestID: SourceLocation], change: SourceDifference) {
    (self.before, self.now, self.change) = (before, now, change)
  }

  /// Whether the test that has a name by now is known by its place, and not by its name.
  func tell(_ test: TestID) -> Bool {
    guard test.hasPlace, now[test] != nil, let old = before[test] else { return false }
    return change.obstacle(from: old.file) == nil
  }

  /// Returns the names by now of tests that are declared in the line, or the file, where they were, as the only ones of
  /// their name; only where a name holds a place.
  func names(of old: Set<TestID>, among new: Set<TestID>, byLine: Bool) -> [TestID: TestID] {
    let names = Set(old.union(new).filter(\.hasPlace).map(\.withoutPlace))
    guard !names.isEmpty else { return [:] }
    func declared(_ tests: Set<TestID>, at place: (TestID) -> SourceLocation?) -> [Declaration: TestID] {
      let found = tests.compactMap { test -> (Declaration, TestID)? in
        let name = test.withoutPlace
        guard names.contains(name), let place = place(test) else { return nil }
        return (Declaration(name: name, file: place.file, line: byLine ? place.line : nil), test)
      }
      return Dictionary(grouping: found) { $0.0 }.compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }
    let earlier = declared(old) { moved($0, byLine: byLine) }
    let later = declared(new) { now[$0] }
    return Dictionary(earlier.compactMap { at, test in later[at].map { (test, $0) } }) { first, _ in first }
  }

  /// Returns where a test of the first integration would be by now; nil if its line, or its file, is gone or unknown.
  private func moved(_ test: TestID, byLine: Bool) -> SourceLocation? {
    guard var place = before[test], change.obstacle(from: place.file) == nil else { return nil }
    guard let file = change.file(from: place.file) else { return place }
    guard let path = file.newPath, let lines = file.lines else { return nil }
    place.file = path
    guard byLine else { return place }
    guard let line = lines.newLine(of: place.line) else { return nil }
    place.line = line
    return place
  }
}
