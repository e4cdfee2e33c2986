/// One command of the program: what it is called, what it takes, and what it does.
///
/// Help, completions and the manual page are made from the same declarations that the parser uses.
protocol Subcommand: Sendable {
  var name: String { get }
  /// One sentence without a full stop.
  var summary: String { get }
  /// The positional arguments as usage shows them, such as `[PATH]`.
  var operands: String { get }
  /// What a shell offers for each of them, in their order; the last one stands for those that follow.
  var completions: [[Completion]] { get }
  /// The largest number of positional arguments.
  var operandLimit: Int { get }
  var options: [Option] { get }
  /// More to say in help, in paragraphs.
  var discussion: String { get }

  /// Does it.
  ///
  /// - Returns: the exit status.
  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32
}

/// One option of a command.
struct Option: Sendable, Hashable {
  /// With the leading dashes.
  var name: String
  /// What stands for the value in help; nil for a flag.
  var value: String?
  /// The allowed values, when there are few.
  var choices: [String] = []
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// One sentence without a full stop.
  var summary: String

  static func flag(_ name: String, _ summary: String) -> Option {
    Option(name: name, summary: summary)
  }

  static func value(
    _ name: String, _ value: String, _ summary: String, choices: [String] = [], isRepeatable: Bool = false
  ) -> Option {
    Option(name: name, value: value, choices: choices, isRepeatable: isRepeatable, summary: summary)
  }
}
