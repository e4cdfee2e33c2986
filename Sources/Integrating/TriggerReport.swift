import Model

/// What became of the triggers of one integration.
struct TriggerReport {
  /// Sentences about those that failed, in the order in which they ran.
  var failures: [String] = []
  /// The titles of those that ran to their end.
  var ran: Set<String> = []
}

extension Trigger {
  /// What sentences about the trigger begin with.
  ///
  /// The address of a webhook can be a secret by itself; its host is not.
  /// - Parameter position: from 1, among the bot's triggers of the same moment.
  func title(at position: Int) -> String {
    switch self {
    case .script(let script): script.title(at: position)
    case .mail(let mail): "The mail \(position) (\(mail.report.rawValue)) "
    case .webhook(let webhook): "The webhook \(position) to \(webhook.host) "
    }
  }
}

extension Trigger.Webhook {
  /// The host that is called, with its port.
  var host: String {
    let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url.dropFirst(7)
    return String(rest.prefix { !"/?#".contains($0) })
  }
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
