import Model

extension ComparisonWords {
  /// How many tests the headline names, and how many letters their names may have together.
  private static let mostNamed = (tests: 2, letters: 40)

  /// Returns what became of tests: with their names, such as `red test hang() deleted`, if these are few and short, else
  /// with their number.
  static func named(_ tests: [TestChange], _ end: String, _ adjective: String?, naming: Bool) -> String {
    let noun = (adjective.map { "\($0) " } ?? "") + CountText.agreeing(tests.count, "test", "tests")
    guard naming, canName(tests) else { return "\(CountText.plain(tests.count)) \(noun) \(end)" }
    return "\(adjective == nil ? "" : "\(noun) ")\(CountText.list(tests.map(\.quotedTitle))) \(end)"
  }

  private static func canName(_ tests: [TestChange]) -> Bool {
    tests.count <= mostNamed.tests && tests.reduce(0) { $0 + $1.quotedTitle.count } <= mostNamed.letters
  }

  /// Returns which tests went red, those that were red before apart if all have their names, else in the same number.
  func brokenPhrases(naming: Bool) -> [String] {
    let groups = testGroups.filter(\.isBroken)
    let joined = Self.joiningBroken(groups)
    return (joined.count < groups.count && !(naming && Self.canName(groups.flatMap(\.tests))) ? joined : groups)
      .map { Self.named($0.tests, $0.wordWithPlace, nil, naming: naming) }
  }

  /// Returns the groups with those that went red and those that are red again as one, if these are for the same
  /// destinations.
  static func joiningBroken(_ groups: [TestGroup]) -> [TestGroup] {
    let broken = groups.filter(\.isBroken)
    guard broken.count == 2, broken[0].word != broken[1].word, broken[0].destinations == broken[1].destinations else {
      return groups
    }
    var all = broken[0]
    all.tests += broken[1].tests
    all.word += " (\(CountText.plain(broken[1].tests.count)) again)"
    return [all] + groups.filter { !$0.isBroken }
  }
}

extension TestChange {
  /// The name as part of a sentence: that of the function, or the author's words in quotation marks.
  var quotedTitle: String { displayName == nil ? title : "“\(title)”" }
}
