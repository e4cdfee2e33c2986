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
    ("toolchains", ToolchainTopic.explanation), (ExitCode.topic, ExitCode.explanation),
  ]

  private func text(for topic: String?) throws -> String {
    guard let topic else { return HelpText.overview }
    if let found = Self.topics.first(where: { $0.name == topic }) { return found.text }
    guard let command = Martlet.commands.first(where: { $0.name == topic }) else {
      throw UsageError.unknown(
        "topic", topic, among: Martlet.commands.map(\.name) + Self.topics.map(\.name), help: "martlet help")
    }
    return HelpText.of(command)
  }
}
