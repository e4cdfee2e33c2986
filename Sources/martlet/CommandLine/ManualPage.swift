/// The manual page, made from the declarations of the commands.
enum ManualPage {
  static func text(commands: [any Subcommand]) -> String {
    var lines = [
      ".TH MARTLET 1 \"\" \"Martlet \(Martlet.version)\" \"User Commands\"",
      ".SH NAME", "martlet \\- continuous integration for Swift packages, on your own machine",
      ".SH SYNOPSIS", ".B martlet", "\\fICOMMAND\\fR [\\fIOPTION\\fR\\&...]", ".SH COMMANDS",
    ]
    for command in commands {
      lines += [
        ".SS martlet \(escaped(command.name)) \(escaped(command.operands))", "\(escaped(sentence(command.summary))).",
      ]
      for option in command.options {
        lines += [".TP", "\\fB\(escaped(option.usage))\\fR", "\(escaped(sentence(option.summary)))."]
      }
      if !command.discussion.isEmpty {
        lines +=
          [".PP"]
          + command.discussion.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? ".PP" : escaped(String($0))
          }
      }
    }
    lines +=
      [".SH EXIT STATUS", ".nf"] + ExitCode.explanation.split(separator: "\n").map { escaped(String($0)) } + [".fi"]
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B MARTLET_HOME", "The folder of workspaces, integrations and reports.", ".TP",
      ".B MARTLET_CONFIG", "The folder with martlet.yml, bots and secrets.", ".TP",
      ".B MARTLET_TEMPLATES", "A folder of templates that stand before those of the program.", ".TP", ".B NO_COLOR",
      "Where it is set, nothing is coloured.",
    ]
    return lines.joined(separator: "\n")
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// A backslash, a dash and a leading dot mean something to troff.
  private static func escaped(_ text: String) -> String {
    let body = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "…": "..."
      default: String(character)
      }
    }.joined()
    return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&\(body)" : body
  }
}
