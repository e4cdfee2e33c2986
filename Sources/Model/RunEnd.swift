/// What a log says after a process of a build or of tests: how it ended, and how long it took.
package struct RunEnd: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// The limit of time at which Martlet stopped a process.
  package struct Limit: Hashable, Sendable {
    /// What took too long: one test, the whole step, or a time without output.
    package enum Kind: String, Sendable {
      case test, step, silence
    }

    package var kind: Kind
    package var seconds: Double

    package init(_ kind: Kind, of seconds: Double) { (self.kind, self.seconds) = (kind, seconds.roundedToMilliseconds) }
  }

  package var status: Status
  package var seconds: Double
  /// Nil if no limit stopped it, and in older logs.
  package var limit: Limit?

  private static let mark = "$ # "

  package init(_ status: Status, after seconds: Double, at limit: Limit? = nil) {
    (self.status, self.seconds, self.limit) = (status, seconds.roundedToMilliseconds, limit)
  }

  /// Whether it ended by itself, and well.
  package var succeeded: Bool { status == .exited(0) && limit == nil }

  /// The line of the log.
  package var line: String {
    let end =
      switch status {
      case .exited(let number): "exit status \(number)"
      case .signaled(let number): "signal \(number)"
      }
    return "\(Self.mark)\(end) after \(seconds) s" + (limit.map { ", \($0.kind.rawValue) limit \($0.seconds) s" } ?? "")
  }

  /// Reads a line of a log; nil for any other.
  package init?(_ line: Substring) {
    guard line.hasPrefix(Self.mark),
      let match = line.dropFirst(Self.mark.count)
        .wholeMatch(of: #/(exit status|signal) (\d+) after (\d+\.\d+) s(?:, (\w+) limit (\d+\.\d+) s)?/#),
      let number = Int32(match.2), let seconds = Double(match.3)
    else { return nil }
    self.init(match.1 == "signal" ? .signaled(number) : .exited(number), after: seconds)
    guard let word = match.4, let most = match.5.flatMap({ Double($0) }) else { return }
    guard let kind = Limit.Kind(rawValue: String(word)) else { return nil }
    limit = Limit(kind, of: most)
  }
}
