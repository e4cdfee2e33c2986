import FoundationEssentials
package import Model

/// A reader of the lists of tests that a test executable prints.
///
/// Package code that runs during listing can print, too, so anything that is not a list entry is ignored.
package enum TestListing {
  /// Reads the output of `--dump-tests-json`, in the order in which XCTest runs the tests.
  ///
  /// - Throws: `ParsingError` if the output holds no list, more than one, or one that exceeds the bounds.
  package static func xctest(_ bytes: some Sequence<UInt8>, bounds: Bounds = .standard) throws -> [TestID] {
    var lists: [[TestID]] = []
    for line in Array(bytes).split(separator: 0x0A) {
      let starts = [#"{"name":"#, #"{"tests":"#].compactMap { line.firstRange(ofBytes: Array($0.utf8))?.lowerBound }
      guard let start = starts.min(), let end = line.lastIndex(of: UInt8(ascii: "}")), start <= end else { continue }
      let text = line[start...end]
      // Printed text may look like the beginning of a list; only text that can be decoded is one.
      guard let node = try? JSONDecoder().decode(Node.self, from: Data(text)), node.name == "All tests" else {
        continue
      }
      lists.append(tests(in: node))
    }
    guard let list = lists.first, lists.count == 1 else {
      throw ParsingError(
        "the list of XCTest tests", reason: lists.isEmpty ? "it holds no list" : "it holds \(lists.count) lists",
        advice: "Run the test executable with --dump-tests-json and look at what it prints.")
    }
    try check(list, of: .xctest, bounds)
    return list
  }

  /// Reads the output of `--list-tests`: one name per line, some with their places, which are kept for overloads alone.
  /// Anything else was printed by the tests, and is ignored.
  ///
  /// - Throws: `ParsingError` for a list that exceeds the bounds.
  package static func swiftTesting(_ bytes: some Sequence<UInt8>, bounds: Bounds = .standard) throws -> [TestID] {
    let lines = Array(bytes).split(separator: 0x0A).map(\.text).filter(isSwiftTestingName)
    var names = SwiftTestingNames()
    for line in lines { names.add(line) }
    var seen: Set<TestID> = []
    let list = lines.compactMap { names.testID(of: $0) }.filter { seen.insert($0).inserted }
    try check(list, of: .swiftTesting, bounds)
    return list
  }

  /// Checks the bounds of a list. Excess tests cannot be left out, because each test must be accounted for.
  private static func check(_ list: [TestID], of library: TestLibrary, _ bounds: Bounds) throws {
    let input = "the list of \(library.rawValue) tests"
    guard list.count <= bounds.tests else {
      throw ParsingError(
        input, reason: "it has \(list.count) tests, and an executable may have \(bounds.tests)",
        advice: "Make tests that differ in their data parameterised ones.")
    }
    for test in list {
      let length = test.description.utf8.count
      guard length <= bounds.testName else {
        throw ParsingError(
          input,
          reason:
            "the name of '\(test.description.prefix(60))…' has \(length) bytes, and it may have \(bounds.testName)",
          advice: "Shorten it.")
      }
    }
  }

  /// Reads from the event stream of `--list-tests` the names with their places, in the form that filters use:
  /// `Module.Suite/test()/File.swift:15:6`.
  package static func swiftTestingPlaces(_ bytes: some Sequence<UInt8>, listed: [TestID]) -> [TestID: String] {
    var names = SwiftTestingNames(listed: listed)
    var eventIDs: [String] = []
    for line in Array(bytes).split(separator: 0x0A) {
      // An unreadable record costs only the place of one test, for which there is a fallback.
      guard let record = try? SwiftTestingRecord(line: Array(line)), record.kind == "test",
        record.payload.kind == "function", let id = record.payload.id
      else { continue }
      names.add(id)
      eventIDs.append(id)
    }
    var places: [TestID: String] = [:]
    for eventID in eventIDs {
      if let id = names.testID(of: eventID) { places[id] = eventID }
    }
    return places
  }

  private static func isSwiftTestingName(_ line: String) -> Bool {
    guard let id = TestID(line), line.hasSuffix(")") || id.hasPlace else { return false }
    return id.module.allSatisfy(\.isPartOfName)
  }

  /// A suite, which has tests, or a test, which has none.
  private struct Node: Decodable {
    var name: String
    var tests: [Node]?
  }

  /// Collects the tests. The levels are all tests, bundle, class and test; the class name includes the module.
  private static func tests(in root: Node) -> [TestID] {
    var found: [TestID] = []
    for bundle in root.tests ?? [] {
      for suite in bundle.tests ?? [] {
        for test in suite.tests ?? [] {
          if let id = TestID("\(suite.name)/\(test.name)") { found.append(id) }
        }
      }
    }
    return found
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
