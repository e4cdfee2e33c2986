import Model

/// What became of the scripts of one integration.
struct TriggerReport {
  /// Sentences about the scripts that failed, in the order in which they ran.
  var failures: [String] = []
  /// The titles of the scripts that ran to their end.
  var ran: Set<String> = []
}

extension Trigger.Script {
  /// What sentences about the script begin with.
  ///
  /// - Parameter position: from 1, among the bot's scripts of the same moment.
  func title(at position: Int) -> String {
    let name =
      switch source {
      case .packageFile(let path), .botFile(let path): " '\(path)'"
      case .inline: " \(position)"
      }
    return "The \(moment.rawValue)-trigger\(name) "
  }
}
