/// What the log of the tests says before a process that runs tests once more.
package enum RunAnnouncement: Hashable, Sendable {
  /// A red test runs again.
  case attempt(Int, of: Int, test: String)
  /// Tests run one after the other to see which lines each of them runs.
  case mapping

  private static let mark = "$ # "
  private static let mappingText = "mapping tests to lines"

  /// The line of the log.
  package var line: String {
    switch self {
    case .attempt(let number, let all, let test): "\(Self.mark)attempt \(number) of \(all): \(test)"
    case .mapping: Self.mark + Self.mappingText
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
    guard let match = text.wholeMatch(of: #/attempt (\d+) of (\d+): (.*)/#), let number = Int(match.1),
      let all = Int(match.2)
    else { return nil }
    self = .attempt(number, of: all, test: String(match.3))
  }
}
