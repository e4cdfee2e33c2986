/// What the log of the tests says after a process: how it ended, and how long it took.
package struct RunEnd: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
  }

  package var status: Status
  package var seconds: Double

  private static let mark = "$ # "

  package init(_ status: Status, after seconds: Double) {
    (self.status, self.seconds) = (status, seconds.roundedToMilliseconds)
  }

  /// The line of the log.
  package var line: String {
    switch status {
    case .exited(let number): "\(Self.mark)exit status \(number) after \(seconds) s"
    case .signaled(let number): "\(Self.mark)signal \(number) after \(seconds) s"
    }
  }

  /// Reads a line of a log; nil for any other.
  package init?(_ line: Substring) {
    guard line.hasPrefix(Self.mark),
      let match = line.dropFirst(Self.mark.count).wholeMatch(of: #/(exit status|signal) (\d+) after (\d+\.\d+) s/#),
      let number = Int32(match.2), let seconds = Double(match.3)
    else { return nil }
    self.init(match.1 == "signal" ? .signaled(number) : .exited(number), after: seconds)
  }
}
