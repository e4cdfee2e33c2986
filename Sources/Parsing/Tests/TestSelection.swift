package import Model

/// Which tests are to run, in the words of `swift test --filter` and `--skip`.
package struct TestSelection: Hashable, Sendable {
  /// Regular expressions; a test that matches any of them is selected, and without one every test is.
  package let filter: [String]
  /// Regular expressions; a test that matches any of them is not selected, whatever the filters say.
  package let skip: [String]

  /// Says of each test whether an expression matches one of its names.
  package typealias Matching = (TestPattern, [[String]]) throws -> [Bool]

  /// - Throws: `ParsingError` for a text that is no regular expression, with the text and the place.
  package init(filter: [String] = [], skip: [String] = []) throws {
    for text in filter { _ = try TestPattern(text, option: .filter).expression }
    for text in skip { _ = try TestPattern(text, option: .skip).expression }
    self.filter = filter
    self.skip = skip
  }

  /// Splits the tests, keeping their order.
  ///
  /// An expression may match anywhere in `Module.Suite/test`; for a test of Swift Testing the text goes on with the
  /// place it is declared at, `/File.swift:15:6`, where `places` knows it, and else with a bare `/`.
  ///
  /// - Parameter matching: tries one expression; it may give up, by throwing, what takes too long.
  package func apply(
    to tests: [TestID], places: [TestID: String] = [:], matching: Matching = { try $0.matches($1) }
  ) throws -> (selected: [TestID], filteredOut: [TestID]) {
    let texts = tests.map { test in
      let name = test.description
      return [places[test] ?? name] + (name.hasSuffix(")") && places[test] == nil ? [name + "/"] : [])
    }
    let wanted = try filter.isEmpty ? texts.map { _ in true } : Self.anyOf(filter, .filter, texts, matching)
    let unwanted = try Self.anyOf(skip, .skip, texts, matching)
    var selected: [TestID] = []
    var filteredOut: [TestID] = []
    for (index, test) in tests.enumerated() {
      if wanted[index] && !unwanted[index] { selected.append(test) } else { filteredOut.append(test) }
    }
    return (selected, filteredOut)
  }

  /// Whether any of the expressions matches, for each test; what one has matched is not shown to the next.
  private static func anyOf(
    _ patterns: [String], _ option: TestPattern.Option, _ texts: [[String]], _ matching: Matching
  ) throws -> [Bool] {
    var result = texts.map { _ in false }
    for pattern in patterns {
      let open = result.indices.filter { !result[$0] }
      guard !open.isEmpty else { break }
      let found = try matching(TestPattern(pattern, option: option), open.map { texts[$0] })
      for (index, isFound) in zip(open, found) { result[index] = isFound }
    }
    return result
  }
}

/// One regular expression that chooses tests.
package struct TestPattern: Hashable, Sendable {
  /// What the expression is given for.
  package enum Option: String, Sendable {
    case filter = "--filter"
    case skip = "--skip"
  }

  package let text: String
  package let option: Option

  init(_ text: String, option: Option) {
    self.text = text
    self.option = option
  }

  /// Whether it matches somewhere in one of the names, for each test.
  ///
  /// This may take a time that grows with the power of a name's length: `(a+)+$`.
  package func matches(_ names: [[String]]) throws -> [Bool] {
    let expression = try expression
    return names.map { texts in texts.contains { $0.firstMatch(of: expression) != nil } }
  }

  var expression: Regex<AnyRegexOutput> {
    get throws {
      do {
        return try Regex(text)
      } catch {
        // The standard library keeps the place to itself; its mirror shows it.
        let range = Mirror(reflecting: error).descendant("location", "range") as? Range<String.Index>
        throw ParsingError(
          "the regular expression '\(text)' of \(option.rawValue)",
          at: range.map { $0.lowerBound.utf16Offset(in: text) }, reason: String(describing: error),
          advice:
            "Write it as for swift test \(option.rawValue), with a backslash before characters that stand for themselves."
        )
      }
    }
  }
}
