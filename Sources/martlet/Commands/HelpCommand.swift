import BotFiles
import Integrating
import Model

struct HelpCommand: Subcommand {
  let name = "help"
  let summary = "show help for Martlet or one command"
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
  static let topics: [(name: String, text: String)] = [
    ("bot-file", BotFileText.text(repository: "~/git/Greeter.git")), ("martlet.yml", SettingsFile.explanation),
    (PackageSettingsFile.name, PackageSettingsFile.explanation), ("triggers", TriggerEnvironment.explanation),
    ("toolchains", ToolchainTopic.explanation), ("service", ServiceTopic.explanation),
    (ExitCode.topic, ExitCode.explanation),
  ]

  private func text(for topic: String?) throws -> String {
    guard let topic else { return HelpText.overview }
    if let found = Self.topics.first(where: { $0.name == topic }) { return found.text }
    guard let command = Martlet.commands.first(where: { $0.name == topic }) else { throw Self.unknown(topic) }
    return HelpText.of(command)
  }

  /// Returns the error for a word that is no topic: the topic that was meant, or else those that speak of it.
  private static func unknown(_ word: String) -> UsageError {
    let all = topics + Martlet.commands.map { ($0.name, HelpText.of($0)) }
    let help = "martlet help"
    let speaking = all.filter { $0.text.lowercased().contains(word.lowercased()) }.map { "'\(help) \($0.name)'" }
    guard EditDistance.nearest(to: word, among: all.map(\.name)).isEmpty, word.count > 2, !speaking.isEmpty else {
      return .unknown("topic", word, among: all.map(\.name), help: help)
    }
    return UsageError("unknown topic '\(word)'. \(CountText.list(Array(speaking.prefix(3)), "or")) may tell about it.")
  }
}
