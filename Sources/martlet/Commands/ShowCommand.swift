import Integrating

/// `martlet show`: prints the result of an integration.
struct ShowCommand: Subcommand {
  let name = "show"
  let summary = "show the result of an integration"
  let operands = "[BOT/N|BOT|DIR]"
  let operandLimit = 1
  let options = [
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.flag("--json", "print the summary document"),
  ]
  let discussion = """
    Prints what 'martlet run' printed at the end. BOT/N is integration N of a bot, BOT its newest finished one, DIR a
    folder with an integration.json; the default is the newest integration of the repository around the current
    folder. BOT/N:DESTINATION is one of its destinations. The exit status is 0 whatever the outcome.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let all = StoredIntegrations(in: home)
    let stored = try IntegrationOperand(arguments.operands.first, in: all, for: self, context).read()
    if arguments.has("--json") {
      try context.writeBytes(stored.bytes)
    } else {
      let page = stored.page ?? all.page(of: stored.document)
      try context.say(SummaryText(stored.document, page: page, tellsBuild: true).description)
    }
    return ExitCode.success
  }
}
