import BotFiles
import Integrating
import Model

struct HelpCommand: Subcommand {
  let name = "help"
  let summary = "show help for Martlet, a command or a topic"
  let operands = "[COMMAND|TOPIC]"
  let options = [
    Option.value(
      "--completions", "SHELL", "print the completions for a shell", choices: ["bash", "zsh", "fish"]),
    Option.flag("--manual", "print the manual page in troff"),
  ]
  var discussion: String { "Topics are \(CountText.list(Self.topics.map(\.name)))." }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    if let shell = arguments.value("--completions") {
      try context.say(Completions.script(for: shell, commands: Martlet.commands))
    } else if arguments.has("--manual") {
      try context.say(ManualPage.text(commands: Martlet.commands))
    } else {
      try context.say(text(for: arguments.operands.first))
    }
    return ExitCode.success
  }

  /// The help topics in addition to the commands.
  static let topics: [(name: String, summary: String, text: String)] = [
    ("bot-file", "every setting of a bot", BotFileText.text(repository: "~/git/Greeter.git")),
    ("coverage", "gates, and comments that leave lines out", HelpTopic.coverage),
    ("triggers", "a bot's scripts, mails and webhooks", TriggerEnvironment.explanation),
    ("martlet.yml", "every setting for all bots", SettingsFile.explanation),
    (PackageSettingsFile.name, "every setting of a package", PackageSettingsFile.explanation),
    ("service", "how to run Martlet as a service", HelpTopic.service),
    ("nginx", "how to serve the pages to other machines", HelpTopic.nginx),
    ("toolchains", "the toolchains and build systems that were tested", HelpTopic.toolchains),
    (ExitCode.topic, "the exit statuses", ExitCode.explanation),
  ]

  private func text(for topic: String?) throws -> String {
    guard let topic else { return HelpText.overview }
    if let found = Self.topics.first(where: { $0.name == topic }) { return found.text }
    guard let command = Martlet.commands.first(where: { $0.name == topic }) else { throw Self.unknown(topic) }
    return HelpText.of(command)
  }

  /// Returns the error for a word that is no topic: the topic that was meant, or else those that speak of it.
  private static func unknown(_ word: String) -> UsageError {
    let all = topics.map { ($0.name, $0.text) } + Martlet.commands.map { ($0.name, HelpText.of($0)) }
    let help = "martlet help"
    let speaking = all.filter { $1.lowercased().contains(word.lowercased()) }.map { name, _ in "'\(help) \(name)'" }
    guard EditDistance.nearest(to: word, among: all.map(\.0)).isEmpty, word.count > 2, !speaking.isEmpty else {
      return .unknown("topic", word, among: all.map(\.0), help: help)
    }
    return UsageError("unknown topic '\(word)'. \(CountText.list(Array(speaking.prefix(3)), "or")) may tell about it.")
  }
}
