import Comparing
import Model
import Rendering

struct TriggerReport {
  /// The failures, in the order in which the triggers ran.
  var failures: [IssueFinder.OwnFinding] = []
  /// The names of the triggers that ran to their end.
  var ran: Set<String> = []
  /// What is to be sent once the integration exists.
  var messages: [HeldMessage] = []

  /// Returns what to report about the failure of a trigger.
  ///
  /// - Parameter title: what its sentence calls it; nil for its name.
  static func failure(
    of name: String, title: String? = nil, _ code: IssueSubject.Code, _ end: String
  ) -> IssueFinder.OwnFinding {
    IssueFinder.OwnFinding(IssueSubject(code, name: name), sentence("The \(title ?? name) ", end))
  }

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

extension [Trigger] {
  /// The names of the bot's triggers of one moment, each distinguishing its trigger from the others.
  ///
  /// A script keeps its name when other triggers come or go before it.
  var names: [String] {
    var times: [String: Int] = [:]
    return indices.map { index in
      let name = self[index].name(at: index + 1)
      times[name, default: 0] += 1
      return times[name].flatMap { $0 > 1 ? "\(name) (\($0))" : nil } ?? name
    }
  }
}

extension Trigger {
  /// Returns its name.
  ///
  /// The address of a webhook can itself be a secret, but not its host.
  /// - Parameter position: from 1, among all of the bot's triggers of the same moment, mails and webhooks included.
  fileprivate func name(at position: Int) -> String {
    switch self {
    case .script(let script):
      script.command.map { "trigger \"\($0)\"" } ?? olderName(at: position)
    case .mail, .webhook: olderName(at: position)
    }
  }

  /// Returns the name that older versions gave it, which for a script without a file was its position.
  func olderName(at position: Int) -> String {
    switch self {
    case .script(let script): script.name(at: position)
    case .mail(let mail): "mail \(position) (\(mail.report.rawValue))"
    case .webhook(let webhook): "webhook \(position) to \(webhook.host)"
    }
  }

  /// Returns what sentences call it, by its name: as the name is kept for good, only the words here may change.
  func title(of name: String) -> String {
    guard case .script(let script) = self, let command = script.command else { return name }
    let words = "“\(script.printing ?? command)”"
    // Any of several commands may be the one that failed.
    return name.replacing("\"\(command)\"", with: script.isOfOneCommand ? words : "that begins with \(words)")
  }

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
  /// What a log calls it: its file, or the beginning of its first command; nil if that may not be shown.
  var beginning: String? {
    switch source {
    case .packageFile(let path): path
    case .botFile(let path): path.split(separator: "/").last.map(String.init)
    case .inline: printing ?? command
    }
  }

  /// The beginning of the first command of a script without a file; nil if it has a file, or no command that may be
  /// shown.
  fileprivate var command: String? {
    guard let first = deeds.first, let program = first.first, program.count <= 60, program.allSatisfy(Self.isOfProgram)
    else {
      return nil
    }
    // Further words may be secrets, unless they are as plain as the names of subcommands.
    let subcommand = first.dropFirst().prefix(["echo", "printf"].contains(program) ? 0 : 1).filter {
      $0.count <= 3 && $0.first != "-" && $0.allSatisfy(Self.isOfProgram)
        || $0.count <= 20 && $0.allSatisfy { "a"..."z" ~= $0 }
    }
    let shown = [program] + subcommand
    return shown.joined(separator: " ") + (shown.count < first.count ? " …" : "")
  }

  /// The beginning of a script that first prints some words: these are no secret, since the log has them.
  fileprivate var printing: String? {
    let first = commands.drop { $0[0] == "set" && $0.allSatisfy { $0.allSatisfy(Self.isOfProgram) } }.first
    guard let first, first[0] == "echo", first.allSatisfy({ $0.allSatisfy(Self.isPlain) }) else { return nil }
    var shown = "echo"
    for word in first.dropFirst() {
      guard shown.count + word.count < Self.mostShown else { return "\(shown) …" }
      shown += " \(word)"
    }
    return shown
  }

  /// The number of letters that are shown of what is printed.
  private static let mostShown = 40

  /// The commands but for what only prepares the shell, which is the same in many scripts.
  private var deeds: [[Substring]] {
    commands.filter { !$0[0].contains("=") && !["set", "export", "cd"].contains($0[0]) }
  }

  fileprivate var isOfOneCommand: Bool { deeds.count == 1 }

  /// The words of each line of a script without a file that is not a comment; empty for one with a file.
  private var commands: [[Substring]] {
    guard case .inline(let text) = source else { return [] }
    return text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
      .filter { $0.first.map { !$0.hasPrefix("#") } ?? false }
  }

  /// Whether a shell prints a letter as it is.
  private static func isPlain(_ character: Character) -> Bool {
    isOfProgram(character) || ",:!'\"".contains(character)
  }

  private static func isOfProgram(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "./_-".contains(character))
  }

  /// - Parameter position: from 1, among all of the bot's triggers of the same moment, mails and webhooks included.
  fileprivate func name(at position: Int) -> String {
    let name =
      switch source {
      case .packageFile(let path), .botFile(let path): " '\(path)'"
      case .inline: " \(position)"
      }
    return "\(moment.rawValue)-trigger\(name)"
  }
}
