import Integrating
import Model
import Rendering

/// A question about which tests ran which lines.
enum MapQuestion {
  /// Which tests ran a file, or its lines.
  case tests(path: String, lines: ClosedRange<Int>?)
  /// Which lines a test ran.
  case lines(of: TestID)

  /// Returns the question of the options; nil if there is none.
  init?(_ arguments: ParsedArguments, help: String) throws(UsageError) {
    switch (arguments.value("--tests-of"), arguments.value("--lines-of")) {
    case (nil, nil): return nil
    case (.some, .some):
      throw UsageError("'--tests-of' and '--lines-of' are two questions; ask one at a time. See '\(help)'.")
    case (let place?, nil): self = try Self.tests(of: place, help)
    case (nil, let name?):
      guard let test = TestID(name) else {
        throw UsageError(
          "'\(name)' is no full name of a test, such as ShopTests.CartTests/testSum. See '\(help)'.")
      }
      self = .lines(of: test)
    }
  }

  private static func tests(of place: String, _ help: String) throws(UsageError) -> MapQuestion {
    guard let colon = place.lastIndex(of: ":") else { return .tests(path: place, lines: nil) }
    let numbers = place[place.index(after: colon)...].split(separator: "-", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    guard let first = numbers.first, let last = numbers.last, numbers.count <= 2, 0 < first, first <= last else {
      throw UsageError("'\(place)' names no lines: write FILE:LINE or FILE:FIRST-LAST. See '\(help)'.")
    }
    return .tests(path: String(place[..<colon]), lines: first...last)
  }

  /// Returns the lines to print, and a remark about them.
  func answer(_ stored: StoredIntegration, help: String) throws -> (lines: [String], remark: String?) {
    let name = "\(stored.document.bot)/\(stored.document.number)"
    guard let map = try stored.testMap() else {
      throw UsageError(
        "\(name) has no record of which tests ran which lines. Integrate with 'martlet run --map', or with coverage: {map: on} in the bot's file. See '\(help)'."
      )
    }
    switch self {
    case .tests(let path, let lines):
      guard let file = map.files[path] else {
        throw UsageError.unknown("file", path, among: map.files.keys.sorted(), help: help)
      }
      let all = lines ?? 1...Int.max
      let sets = Set(file.lines.filter { $0.lines.overlaps(all) }.map(\.set))
      let tests = Set(sets.flatMap { map.sets[$0] }).sorted()
      let isOnce = lines.map { lines in file.once.contains { $0.overlaps(lines) } } ?? false
      return (tests.map { map.tests[$0].description }, isOnce ? TestMapWords.onceSentence : nil)
    case .lines(let test):
      guard map.number(of: test) != nil else {
        throw UsageError.unknown("test", "\(test)", among: map.tests.map(\.description), help: help)
      }
      let found = map.lines(of: test).sorted { $0.key < $1.key }
      return (
        found.flatMap { path, ranges in
          ranges.map { "\(path):\($0.lowerBound)\($0.count > 1 ? "-\($0.upperBound)" : "")" }
        }, nil
      )
    }
  }
}
