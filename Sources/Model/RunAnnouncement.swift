/// What a log says before a process that runs tests once more, or those that are left, and in the place of the command
/// that runs a trigger's script.
package enum RunAnnouncement: Hashable, Sendable {
  /// A red test runs again.
  case attempt(Int, of: Int, test: String)
  /// Tests run one after the other to see which lines each of them runs.
  case mapping
  /// Tests run once more to find the one that ended a process beside others: its name, or how many there are.
  case search(String)
  /// The number of tests that run because an earlier process ended before it was their turn.
  case rest(Int)
  /// A trigger's position among those of its moment, from 1, and what it runs.
  case trigger(Int, String)

  private static let mark = "$ # "
  private static let mappingText = "mapping tests to lines"
  private static let searchText = "search for the guilty test: "

  /// The line of the log.
  package var line: String {
    switch self {
    case .attempt(let number, let all, let test): "\(Self.mark)attempt \(number) of \(all): \(test)"
    case .mapping: Self.mark + Self.mappingText
    case .search(let tests): Self.mark + Self.searchText + tests
    case .rest(let count): "\(Self.mark)the rest: \(count) \(CountText.agreeing(count, "test", "tests"))"
    case .trigger(let position, let script): "\(Self.mark)trigger \(position): \(script)"
    }
  }

  /// Reads a line of a log; nil for any other.
  package init?(_ line: Substring) {
    guard line.hasPrefix(Self.mark) else { return nil }
    let text = line.dropFirst(Self.mark.count)
    if text == Self.mappingText {
      self = .mapping
      return
    }
    if text.hasPrefix(Self.searchText) {
      self = .search(String(text.dropFirst(Self.searchText.count)))
      return
    }
    if let match = text.wholeMatch(of: #/the rest: (\d+) tests?/#), let count = Int(match.1) {
      self = .rest(count)
      return
    }
    if let match = text.wholeMatch(of: #/trigger (\d+): (.*)/#), let position = Int(match.1) {
      self = .trigger(position, String(match.2))
      return
    }
    guard let match = text.wholeMatch(of: #/attempt (\d+) of (\d+): (.*)/#), let number = Int(match.1),
      let all = Int(match.2)
    else { return nil }
    self = .attempt(number, of: all, test: String(match.3))
  }
}
