/// The output of `martlet help`, generated from the declarations of the commands.
enum HelpText {
  static var overview: String {
    let commands = Martlet.commands.map { ("\($0.name)", $0.summary) }
    return """
      Martlet \(Martlet.version): continuous integration for Swift packages, on your own machine

      Usage: martlet COMMAND [OPTION…]

      \(table(commands + [("--version", "print the version")]))

      'martlet help COMMAND' tells more about one. 'martlet help bot-file', 'martlet help martlet.yml' and 'martlet help
      .martlet.yml' show every field of a bot's file, of the settings of all bots and of a package's own, 'martlet help
      triggers' what a bot's scripts see, 'martlet help service' how a whole machine is watched, 'martlet help toolchains'
      which toolchains and build systems were tried, 'martlet help exit-codes' the exit statuses.
      """
  }

  static func of(_ command: any Subcommand) -> String {
    let usage = ["martlet", command.name, command.operands, command.options.isEmpty ? "" : "[OPTION…]"]
      .filter { !$0.isEmpty }.joined(separator: " ")
    var parts = ["\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).", "Usage: \(usage)"]
    if !command.options.isEmpty { parts.append(table(command.options.map { ($0.usage, $0.summary) })) }
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    return parts.joined(separator: "\n\n")
  }

  /// Returns rows of two columns, indented.
  static func table(_ rows: [(String, String)]) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count))\(text)"
    }.joined(separator: "\n")
  }
}

extension Option {
  /// The option as shown in usage, such as `--commit REV`.
  var usage: String {
    guard let value else { return name }
    return choices.isEmpty || choices.count > 4 ? "\(name) \(value)" : "\(name) \(choices.joined(separator: "|"))"
  }
}
