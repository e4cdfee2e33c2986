import Model

/// The output of `martlet help`, generated from the declarations of the commands.
enum HelpText {
  static var overview: String {
    var groups = Martlet.groups.map { ($0.purpose, $0.commands.map { ($0.name, $0.summary) }) }
    groups[groups.count - 1].1 += HelpCommand.topics.map { ("help \($0.name)", $0.summary) }
    groups[groups.count - 1].1.append(("--version", "print the version"))
    let width = groups.flatMap(\.1).map(\.0.count).max() ?? 0
    let tables = groups.map { "\($0):\n\(table($1, width: width))" }.joined(separator: "\n\n")
    return """
      Martlet \(Martlet.version): continuous integration for Swift packages, on your own machine

      An integration builds and tests one commit and compares it with an earlier one. 'martlet run' makes one by hand, a
      bot one for each new commit.

      Usage: martlet COMMAND [OPTION…]

      \(tables)
      """
  }

  static func of(_ command: any Subcommand) -> String {
    let usage = ["martlet", command.name, command.operands, command.options.isEmpty ? "" : "[OPTION…]"]
      .filter { !$0.isEmpty }.joined(separator: " ")
    var parts = ["\(command.summary.capitalizedFirst).", "Usage: \(usage)"]
    if !command.options.isEmpty { parts.append(table(command.options.map { ($0.usage, $0.summary) })) }
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    return parts.joined(separator: "\n\n")
  }

  /// Returns rows of two columns, indented.
  ///
  /// - Parameter width: the characters of the widest first column, if other tables stand beside it.
  static func table(_ rows: [(String, String)], width: Int = 0) -> String {
    TextColumns.lines(rows.map { ["  \($0)", $1] }, width: width + 2).joined(separator: "\n")
  }
}

extension Option {
  /// The option as shown in usage, such as `--commit REV`.
  var usage: String {
    guard let value else { return name }
    return choices.isEmpty || choices.count > 4 ? "\(name) \(value)" : "\(name) \(choices.joined(separator: "|"))"
  }
}
