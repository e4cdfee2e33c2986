import Model

/// A kind of word that a shell offers for completion.
enum Completion: Sendable, Hashable {
  case files
  /// The bots that have a file or a history.
  case bots
  /// The bots that have a file, which a watcher can be asked to do something for.
  case botFiles
  /// The newest integrations, as `BOT/N`.
  case integrations
  /// The ids of issues that are there.
  case issues
  /// The ids of issues that are silenced.
  case silenced
  /// The steps of which the integration before has a log; all where it names none.
  case steps
  case word(String)

  /// The notation in shell scripts; words that begin with `@` are looked up when completion is requested.
  var mark: String {
    switch self {
    case .files: "@files"
    case .bots: "@bots"
    case .botFiles: "@bot-files"
    case .integrations: "@integrations"
    case .issues: "@issues"
    case .silenced: "@silenced"
    case .steps: "@steps"
    case .word(let word): word
    }
  }

  /// Returns the completions for an operand or value in a usage text, such as `BOT/N|BOT|DIR` or `[STEP]`.
  static func all(for usage: some StringProtocol) -> [Completion] {
    if usage.contains("BOT[/N]") { return [.bots, .integrations] }
    let names = String(usage).filter { !"[]…".contains($0) }.split(separator: "|")
    return names.flatMap { name -> [Completion] in
      switch name {
      case "BOT": [.bots]
      case "BOT/N": [.integrations]
      case "DIR", "FILE", "PATH", "REPO", "SUBFOLDER", "GLOB": [.files]
      case "STEP": [.steps]
      case "RULE": CoverageGate.Form.allCases.map { .word($0.rawValue.replacing("=N", with: "=80")) }
      case "COMMAND": Martlet.commands.map { .word($0.name) }
      case "TOPIC": HelpCommand.topics.map { .word($0.name) }
      case _ where name.allSatisfy(\.isLowercase): [.word(String(name))]
      default: []
      }
    }
  }
}

extension Option {
  /// The words that a shell offers for the value.
  var completions: [Completion] {
    offered ?? (choices.isEmpty ? Completion.all(for: value ?? "") : choices.map { .word($0) })
  }
}
