/// When a remote repository is fetched.
package enum FetchPolicy: Hashable, Sendable, Codable {
  /// This long after the previous fetch.
  case every(Duration)
  /// When a forge or `martlet notify` reports a change, and when the watcher starts.
  case webhook
  /// When requested by `martlet integrate` or `martlet notify`.
  case manual

  package static let usual = FetchPolicy.every(.seconds(300))
}

extension FetchPolicy {
  /// The policy as shown on pages and lists.
  var words: String {
    switch self {
    case .every(let interval):
      interval.inSeconds.truncatingRemainder(dividingBy: 60) == 0
        ? "every \(Int(interval.inSeconds / 60)) min" : "every \(DurationText.short(interval.inSeconds))"
    case .webhook: "when a webhook says so"
    case .manual: "when a person asks for it"
    }
  }
}
