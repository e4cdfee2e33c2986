import Model

/// The manual page, generated from the declarations of the commands.
enum ManualPage {
  static func text(commands: [any Subcommand]) -> String {
    var lines = [
      ".TH MARTLET 1 \"\" \"Martlet \(Martlet.version)\" \"User Commands\"",
      ".SH NAME", "martlet \\- continuous integration for Swift packages, on your own machine",
      ".SH SYNOPSIS", ".B martlet", "\\fICOMMAND\\fR [\\fIOPTION\\fR\\&...]", ".SH COMMANDS",
    ]
    for command in commands {
      lines += [
        ".SS martlet \(escaped(command.name)) \(escaped(command.operands))",
        "\(escaped(command.summary.capitalizedFirst)).",
      ]
      for option in command.options {
        lines += [".TP", "\\fB\(escaped(option.usage))\\fR", "\(escaped(option.summary.capitalizedFirst))."]
      }
      if !command.discussion.isEmpty {
        lines +=
          [".PP"]
          + command.discussion.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? ".PP" : escaped(String($0))
          }
      }
    }
    lines += HelpCommand.topics.flatMap { topic in section(topic.name.uppercased(), verbatim: topic.text) }
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B MARTLET_HOME", "The folder of workspaces, integrations and reports.", ".TP",
      ".B MARTLET_CONFIG", "The folder with martlet.yml, bots and secrets.", ".TP",
      ".B MARTLET_TEMPLATES", "A folder of templates that stand before those of the program.", ".TP", ".B NO_COLOR",
      "Where it is set, nothing is coloured.",
    ]
    lines.append(".SH FILES")
    for (file, words) in files { lines += [".TP", ".I \(escaped(file))", escaped(words)] }
    lines.append(".SH EXAMPLES")
    for (command, words) in examples { lines += [".TP", ".B \(escaped(command))", escaped(words)] }
    lines += [".SH SEE ALSO", ".BR git (1),", ".BR swift (1),", ".BR bwrap (1)"]
    return lines.joined(separator: "\n")
  }

  private static func section(_ title: String, verbatim text: String) -> [String] {
    [".SH \(escaped(title == ExitCode.topic.uppercased() ? "EXIT STATUS" : title))", ".nf"]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) } + [".fi"]
  }

  private static let files = [
    ("~/.config/martlet/martlet.yml", "Settings of all bots."),
    ("~/.config/martlet/bots/NAME.yml", "One bot."),
    ("~/.config/martlet/secrets/NAME.env", "The values of its secrets; its mode is 600."),
    ("~/.config/martlet/secrets.env", "The login of the mail server; its mode is 600."),
    (".martlet.yml", "How a package wants to be tested; it lies beside Package.swift."),
    ("~/.local/state/martlet/site/index.html", "The pages, to be opened or served."),
    ("~/.local/state/martlet/integrations/BOT/N/integration.json", "What came of an integration, for programs."),
    ("~/.local/state/martlet/workspaces/BOT/BRANCH", "What was built, for the next build; it may be removed."),
    ("~/.local/state/martlet/martlet.sqlite", "The queue, and the index that 'martlet reindex' makes anew."),
    ("/etc/martlet, /var/lib/martlet", "Configuration and home of the system service."),
  ]

  private static let examples = [
    ("martlet run", "Integrates HEAD of the package around the current folder."),
    ("martlet run --working-tree --filter GreeterTests", "Tries what is not committed yet, with some of the tests."),
    (
      "martlet run --gate patch-fully-covered --output report",
      "Is red when a changed line never ran; copies the report."
    ),
    ("martlet bots new greeter --repository ~/git/Greeter", "Writes the file of a bot."),
    ("martlet watch", "Integrates what bots ask for, until it is stopped."),
    ("martlet log greeter building --follow", "Shows what the compiler prints now."),
    ("martlet prune --dry-run", "Says what could be removed."),
  ]

  /// Escapes a text for troff, in which a backslash, a dash and a leading dot have special meanings.
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
