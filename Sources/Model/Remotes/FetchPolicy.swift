/// When a repository that lies elsewhere is fetched.
package enum FetchPolicy: Hashable, Sendable, Codable {
  /// That long after it was fetched before.
  case every(Duration)
  /// When a forge or `martlet notify` says that it moved, and when the watcher starts.
  case webhook
  /// When `martlet integrate` or `martlet notify` asks for it.
  case manual

  package static let usual = FetchPolicy.every(.seconds(300))
}

extension FetchPolicy {
  /// As pages and lists show it.
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
