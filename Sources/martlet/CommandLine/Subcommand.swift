/// A command of the program.
///
/// Help, completions and the manual page are generated from the same declarations that the parser uses.
protocol Subcommand: Sendable {
  var name: String { get }
  /// One sentence without a period.
  var summary: String { get }
  /// The positional arguments as shown in usage, such as `[PATH]`.
  var operands: String { get }
  /// The words that a shell offers for each operand, in order; the last entry also applies to any further operands.
  var completions: [[Completion]] { get }
  /// The largest number of positional arguments; nil for any number.
  var operandLimit: Int? { get }
  var options: [Option] { get }
  /// Additional paragraphs for help.
  var discussion: String { get }

  /// Runs the command and returns the exit status.
  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32
}

extension Subcommand {
  var operands: String { "" }
  var completions: [[Completion]] { operands.split(separator: " ").map(Completion.all) }
  var operandLimit: Int? { operands.contains("…") ? nil : operands.split(separator: " ").count }
  var options: [Option] { [] }
  var discussion: String { "" }
}

struct Option: Sendable, Hashable {
  /// The name, including the leading dashes.
  var name: String
  /// The placeholder for the value in help; nil for a flag.
  var value: String?
  /// The allowed values, if there are only a few.
  var choices: [String] = []
  /// What a shell offers; nil for the choices, or else what the placeholder says.
  var offered: [Completion]?
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// One sentence without a period.
  var summary: String

  static let home = value(
    "--home", "DIR", "the folder of workspaces, integrations and reports (default: ~/.local/state/martlet)")
  static let homeOfWatcher = value("--home", "DIR", "the watcher's home (default: ~/.local/state/martlet)")
  static let templates = value("--templates", "DIR", "templates that override the built-in ones")
  static let bots = value("--bots", "DIR", "the folder of bot files (default: 'bots' in the configuration folder)")

  static func flag(_ name: String, _ summary: String) -> Option {
    Option(name: name, summary: summary)
  }

  static func value(
    _ name: String, _ value: String, _ summary: String, choices: [String] = [], offered: [Completion]? = nil,
    isRepeatable: Bool = false
  ) -> Option {
    Option(
      name: name, value: value, choices: choices, offered: offered, isRepeatable: isRepeatable, summary: summary)
  }
}
