import BotFiles
import Integrating

/// `martlet help`: what the program and its commands do, and the files that shells and `man` want.
struct HelpCommand: Subcommand {
  let name = "help"
  let summary = "tell about the program or one of its commands"
  let operands = "[COMMAND|bot-file|triggers|toolchains|exit-codes]"
  let operandLimit = 1
  let options = [
    Option.value(
      "--completions", "SHELL", "print the completions for a shell", choices: ["bash", "zsh", "fish"]),
    Option.flag("--manual", "print the manual page in troff"),
  ]
  let discussion = ""

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

  private func text(for topic: String?) throws -> String {
    guard let topic else { return HelpText.overview }
    if topic == "exit-codes" { return ExitCode.explanation }
    if topic == "bot-file" { return BotFileText.text(repository: "~/git/Greeter.git") }
    if topic == "toolchains" { return ToolchainTopic.explanation }
    if topic == "triggers" { return TriggerEnvironment.explanation }
    guard let command = Martlet.commands.first(where: { $0.name == topic }) else {
      throw UsageError.unknown(
        "topic", topic, among: Martlet.commands.map(\.name) + ["bot-file", "triggers", "toolchains", "exit-codes"],
        help: "martlet help")
    }
    return HelpText.of(command)
  }
}
