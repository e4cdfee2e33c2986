import Model

extension ComparisonWords {
  /// How many tests the headline names, and how many letters their names may have together.
  private static let mostNamed = (tests: 2, letters: 40)

  /// Returns what became of tests: with their names, such as `red test hang() deleted`, if these are few and short, else
  /// with their number.
  static func named(_ tests: [TestChange], _ end: String, _ adjective: String?, naming: Bool) -> String {
    let names = tests.prefix(mostNamed.tests).map(\.quotedTitle)
    let noun = (adjective.map { "\($0) " } ?? "") + CountText.agreeing(tests.count, "test", "tests")
    guard naming, names.count == tests.count, names.reduce(0, { $0 + $1.count }) <= mostNamed.letters else {
      return "\(CountText.plain(tests.count)) \(noun) \(end)"
    }
    return "\(adjective == nil ? "" : "\(noun) ")\(CountText.list(names)) \(end)"
  }
}

extension TestChange {
  /// The name as part of a sentence: that of the function, or the author's words in quotation marks.
  var quotedTitle: String { displayName == nil ? title : "“\(title)”" }
}
