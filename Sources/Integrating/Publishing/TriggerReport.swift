import Comparing
import Model
import Rendering

/// The results of an integration's triggers.
struct TriggerReport {
  /// The failures, in the order in which the triggers ran.
  var failures: [IssueFinder.OwnFinding] = []
  /// The names of the triggers that ran to their end.
  var ran: Set<String> = []

  /// Returns one sentence, or more if the end has several itself, on one line and with a full stop.
  ///
  /// - Parameter end: the rest of the sentence; reasons that others gave may have several lines and end in any way.
  static func sentence(_ title: String, _ end: String) -> String {
    "\(title)\(end)".split(whereSeparator: \.isWhitespace).joined(separator: " ").withStop
  }
}

extension TemplateError {
  /// Why a template failed and what to do, on one line; `description` shows the place as well.
  var words: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "the template \(file)\(place): \(reason). \(advice)"
  }
}

extension Trigger {
  /// Returns its name, which distinguishes it from the bot's other triggers.
  ///
  /// The address of a webhook can itself be a secret, but not its host.
  /// - Parameter position: from 1, among all of the bot's triggers of the same moment, mails and webhooks included.
  func name(at position: Int) -> String {
    switch self {
    case .script(let script): script.name(at: position)
    case .mail(let mail): "mail \(position) (\(mail.report.rawValue))"
    case .webhook(let webhook): "webhook \(position) to \(webhook.host)"
    }
  }

  /// Whether it runs before the integration.
  var isBefore: Bool { if case .script(let script) = self { script.moment == .before } else { false } }
}

extension Trigger.Webhook {
  /// The host that is called, with its port.
  var host: String {
    let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url.dropFirst(7)
    return String(rest.prefix { !"/?#".contains($0) })
  }
}

extension Trigger.Script {
  /// Returns its name, which distinguishes it from the bot's other triggers.
  ///
  /// - Parameter position: from 1, among all of the bot's triggers of the same moment, mails and webhooks included.
  func name(at position: Int) -> String {
    let name =
      switch source {
      case .packageFile(let path), .botFile(let path): " '\(path)'"
      case .inline: " \(position)"
      }
    return "\(moment.rawValue)-trigger\(name)"
  }
}
