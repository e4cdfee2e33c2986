package import Model

/// Which tests are to run, in the words of `swift test --filter` and `--skip`.
package struct TestSelection: Hashable, Sendable {
  /// Regular expressions; a test that matches any of them is selected, and without one every test is.
  package let filter: [String]
  /// Regular expressions; a test that matches any of them is not selected, whatever the filters say.
  package let skip: [String]

  /// - Throws: `ParsingError` for a text that is no regular expression, with the text and the place.
  package init(filter: [String] = [], skip: [String] = []) throws {
    for text in filter { _ = try Self.expression(text, option: "--filter") }
    for text in skip { _ = try Self.expression(text, option: "--skip") }
    self.filter = filter
    self.skip = skip
  }

  /// Splits the tests, keeping their order.
  ///
  /// An expression may match anywhere in `Module.Suite/test`; for a test of Swift Testing the text goes on with the
  /// place it is declared at, `/File.swift:15:6`, where `places` knows it, and else with a bare `/`.
  package func apply(
    to tests: [TestID], places: [TestID: String] = [:]
  ) throws -> (selected: [TestID], filteredOut: [TestID]) {
    let filters = try filter.map { try Self.expression($0, option: "--filter") }
    let skips = try skip.map { try Self.expression($0, option: "--skip") }
    var selected: [TestID] = []
    var filteredOut: [TestID] = []
    for test in tests {
      let name = test.description
      let texts = [places[test] ?? name] + (name.hasSuffix(")") && places[test] == nil ? [name + "/"] : [])
      let isWanted = filters.isEmpty || Self.matches(filters, texts)
      if isWanted && !Self.matches(skips, texts) {
        selected.append(test)
      } else {
        filteredOut.append(test)
      }
    }
    return (selected, filteredOut)
  }

  private static func matches(_ expressions: [Regex<AnyRegexOutput>], _ texts: [String]) -> Bool {
    expressions.contains { expression in texts.contains { $0.firstMatch(of: expression) != nil } }
  }

  private static func expression(_ text: String, option: String) throws -> Regex<AnyRegexOutput> {
    do {
      return try Regex(text)
    } catch {
      // The standard library keeps the place to itself; its mirror shows it.
      let range = Mirror(reflecting: error).descendant("location", "range") as? Range<String.Index>
      throw ParsingError(
        "the regular expression '\(text)' of \(option)", at: range.map { $0.lowerBound.utf16Offset(in: text) },
        reason: String(describing: error),
        advice: "Write it as for swift test \(option), with a backslash before characters that stand for themselves.")
    }
  }
}
