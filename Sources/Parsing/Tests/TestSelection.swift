package import Model

/// The selection of tests to run, in the terms of `swift test --filter` and `--skip`.
package struct TestSelection: Hashable, Sendable {
  /// Regular expressions that select the tests they match; without any, every test is selected.
  package let filter: [String]
  /// Regular expressions that exclude the tests they match, even if a filter selects them.
  package let skip: [String]

  /// Determines for each test whether an expression matches one of its names.
  package typealias Matching = (TestPattern, [[String]]) throws -> [Bool]

  /// - Throws: `ParsingError` for an invalid regular expression, with its text and the place of the fault.
  package init(filter: [String] = [], skip: [String] = []) throws {
    for text in filter { _ = try TestPattern(text, option: .filter).expression }
    for text in skip { _ = try TestPattern(text, option: .skip).expression }
    self.filter = filter
    self.skip = skip
  }

  /// Splits the tests, keeping their order, and names the expressions that match none of them.
  ///
  /// An expression may match anywhere in `Module.Suite/test`. The text for a test of Swift Testing continues with its
  /// location, `/File.swift:15:6`, if `places` contains it, and otherwise with a bare `/`.
  ///
  /// - Parameter matching: tries one expression; it may throw to give up if that takes too long.
  package func apply(
    to tests: [TestID], places: [TestID: String] = [:], matching: Matching = { try $0.matches($1) }
  ) throws -> (selected: [TestID], filteredOut: [TestID], unmatched: Set<TestPattern>) {
    let texts = tests.map { test in
      let name = test.description
      return [places[test] ?? name] + (name.hasSuffix(")") && places[test] == nil ? [name + "/"] : [])
    }
    var unmatched: Set<TestPattern> = []
    let wanted =
      try filter.isEmpty ? texts.map { _ in true } : Self.anyOf(filter, .filter, texts, matching, &unmatched)
    let unwanted = try Self.anyOf(skip, .skip, texts, matching, &unmatched)
    var selected: [TestID] = []
    var filteredOut: [TestID] = []
    for (index, test) in tests.enumerated() {
      if wanted[index] && !unwanted[index] { selected.append(test) } else { filteredOut.append(test) }
    }
    return (selected, filteredOut, unmatched)
  }

  /// Returns for each test whether any of the expressions matches. Tests that one has matched are tried with the next only
  /// if that would match no other.
  private static func anyOf(
    _ patterns: [String], _ option: TestPattern.Option, _ texts: [[String]], _ matching: Matching,
    _ unmatched: inout Set<TestPattern>
  ) throws -> [Bool] {
    var result = texts.map { _ in false }
    for text in patterns {
      let pattern = TestPattern(text, option: option)
      let (open, others) = (result.indices.filter { !result[$0] }, result.indices.filter { result[$0] })
      let found = try open.isEmpty ? [] : matching(pattern, open.map { texts[$0] })
      for (index, isFound) in zip(open, found) { result[index] = isFound }
      if found.contains(true) { continue }
      if try others.isEmpty || !matching(pattern, others.map { texts[$0] }).contains(true) { unmatched.insert(pattern) }
    }
    return result
  }
}

/// A regular expression that selects tests.
package struct TestPattern: Hashable, Sendable {
  /// The option that the expression is given for.
  package enum Option: String, Sendable {
    case filter = "--filter"
    case skip = "--skip"
  }

  package let text: String
  package let option: Option

  package init(_ text: String, option: Option) {
    self.text = text
    self.option = option
  }

  /// Returns for each test whether the expression matches somewhere in one of its names.
  ///
  /// The time may be exponential in the length of a name, as for `(a+)+$`.
  package func matches(_ names: [[String]]) throws -> [Bool] {
    let expression = try expression
    return names.map { texts in texts.contains { $0.firstMatch(of: expression) != nil } }
  }

  var expression: Regex<AnyRegexOutput> {
    get throws {
      do {
        return try Regex(text)
      } catch {
        // The standard library does not expose the place, but its mirror does.
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

extension TestSelection {
  /// Returns the arguments that make a test executable run only the selected tests of Swift Testing; empty if all are
  /// selected. They are anchored at both ends, so that no test runs because of a similar name.
  ///
  /// Suites and modules that are selected as a whole get a single filter, because the library tries every filter on
  /// every test.
  package static func swiftTestingArguments(for selected: [TestID], of listed: [TestID]) -> [String] {
    let wanted = Set(selected)
    guard listed.contains(where: { !wanted.contains($0) }) else { return [] }
    var root = Branch()
    for test in listed { root.insert(test, isSelected: wanted.contains(test)) }
    for test in selected { root.insert(test, isSelected: true) }
    return root.filters(behind: "^", separator: #"\."#).flatMap { ["--filter", $0] }
  }

  /// The most bytes of names in one argument or environment variable: Linux accepts none above 128 KiB, and the
  /// observer takes over a variable of any length.
  private static let mostBytes = 100_000

  /// Returns the arguments that make a test executable run only the selected XCTest tests: one per process, because it
  /// accepts only one.
  package static func xctestArguments(for selected: [TestID]) -> [String] {
    xctestBatches(of: selected).map { $0.map(\.description).joined(separator: ",") }
  }

  /// Returns the classes that have to be named for XCTest to run tests in an order, as far as their names fit into an
  /// environment variable.
  ///
  /// - Parameters:
  ///   - tests: the tests in the order wanted, those of a class together.
  ///   - listed: all tests in XCTest's own order.
  /// - Returns: the first classes, which the others follow in XCTest's order; empty where that is the order wanted.
  package static func xctestClasses(first tests: [TestID], of listed: [TestID]) -> [String] {
    let classes = classes(of: tests)
    let usual = Dictionary(zip(self.classes(of: listed), 0...)) { first, _ in first }
    let places = classes.map { usual[$0] ?? .max }
    // What follows in XCTest's order need not be named.
    let inversion = places.indices.dropFirst().last { places[$0 - 1] > places[$0] }
    var room = mostBytes
    return Array(
      classes[..<(inversion ?? 0)].prefix {
        room -= $0.utf8.count + 1
        return room >= 0
      })
  }

  private static func classes(of tests: [TestID]) -> [String] {
    var seen: Set<String> = []
    return tests.map { "\($0.module).\($0.suite)" }.filter { seen.insert($0).inserted }
  }

  /// Returns the tests in batches whose names fit into one argument.
  package static func xctestBatches(of tests: [TestID]) -> [[TestID]] {
    var batches: [[TestID]] = []
    var length = 0
    for test in tests {
      let more = test.description.utf8.count + 1
      if batches.isEmpty || length + more > mostBytes {
        batches.append([])
        length = 0
      }
      batches[batches.count - 1].append(test)
      length += more
    }
    return batches
  }
}

/// A module, suite or test, and everything beneath it.
private struct Branch {
  var branches: [String: Branch] = [:]
  var isSelected = true

  mutating func insert(_ test: TestID, isSelected: Bool) {
    insert(([test.module] + test.suites + [test.name])[...], isSelected: isSelected)
  }

  private mutating func insert(_ path: ArraySlice<String>, isSelected selected: Bool) {
    isSelected = isSelected && selected
    guard let first = path.first else { return }
    branches[first, default: Branch()].insert(path.dropFirst(), isSelected: selected)
  }

  /// Returns the shortest list of expressions that match exactly the selected tests.
  func filters(behind beginning: String, separator: String) -> [String] {
    branches.sorted { $0.key < $1.key }.flatMap { name, branch -> [String] in
      let here = beginning + name.escapedForRegex
      if branch.isSelected { return [here + (name.endsWithSourcePlace ? "$" : separator)] }
      return branch.filters(behind: here + separator, separator: "/")
    }
  }
}

extension String {
  /// The text with every special character of regular expressions escaped.
  fileprivate var escapedForRegex: String {
    var escaped = ""
    for character in self {
      if #"\.+*?()[]{}^$|"#.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
