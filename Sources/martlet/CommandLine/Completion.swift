import Model

/// A word that a shell offers for completion, or a kind of words.
struct Completion: Sendable, Hashable {
  /// The notation in shell scripts; words that begin with `@` are looked up when completion is requested.
  let mark: String

  static let files = Completion(mark: "@files")
  /// The bots that have a file or a history.
  static let bots = Completion(mark: "@bots")
  /// The bots that have a file, which a watcher can be asked to do something for.
  static let botFiles = Completion(mark: "@bot-files")
  /// The newest integrations, as `BOT/N`.
  static let integrations = Completion(mark: "@integrations")
  /// The ids of issues that are there.
  static let issues = Completion(mark: "@issues")
  /// The ids of issues that are silenced.
  static let silenced = Completion(mark: "@silenced")
  /// The steps of which the integration before has a log; all where it names none.
  static let steps = Completion(mark: "@steps")

  static func word(_ word: String) -> Completion { Completion(mark: word) }

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
