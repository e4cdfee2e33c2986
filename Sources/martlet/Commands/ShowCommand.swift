import Integrating
import Model
import Rendering

struct ShowCommand: Subcommand {
  let name = "show"
  let summary = "show the result of an integration"
  let operands = "[BOT/N|BOT|DIR]"
  let options = [
    Option.value("--branch", "NAME", "the newest integration of the branch NAME"),
    Option.home,
    Option.flag("--json", "print the summary document"),
    Option.value("--tests-of", "FILE[:LINE]", "print the tests that ran a file or a line, one per line"),
    Option.value("--lines-of", "TEST", "print the lines that a test ran"),
  ]
  let discussion = """
    Prints the result as 'martlet run' does. BOT/N is integration N of a bot, BOT its newest finished one, DIR a folder
    with an integration.json; the default is the newest integration of the package around the current folder.
    BOT/N:DESTINATION is one of its destinations. If BOT's newest integration is of another branch while the default
    branch is red, the output says so. The exit status is 0 whatever the outcome.

    --tests-of and --lines-of read the newest integration that recorded which tests ran each line ('martlet run --map'
    or coverage: {map: on}), or BOT/N. FILE is relative to the repository; FILE:FIRST-LAST names several lines.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let all = StoredIntegrations(in: home)
    let operand = IntegrationOperand(arguments.operands.first, in: all, for: self, context)
    let help = "martlet help \(name)"
    let question = try MapQuestion(arguments, help: help)
    let branch = arguments.value("--branch")
    guard question == nil || branch == nil else {
      throw UsageError("'--branch' goes with neither '--tests-of' nor '--lines-of'. See '\(help)'.")
    }
    let stored = try operand.read(branch.map { .branch($0) } ?? (question == nil ? .newest : .mapped))
    if let question {
      guard !arguments.has("--json") else {
        throw UsageError("'--json' goes with neither '--tests-of' nor '--lines-of'. See '\(help)'.")
      }
      let answer = try question.answer(stored, help: help)
      if !answer.lines.isEmpty { try context.say(VisibleText.of(answer.lines.joined(separator: "\n"))) }
      let document = stored.document
      let isNamed = arguments.operands.first?.contains("/") ?? false
      let isOld = !isNamed && document.number != all.numbers(of: document.bot).last
      let age = isOld ? TestMapWords.source(document.bot, document.number) : nil
      for remark in [age, answer.remark].compactMap(\.self) { context.remark(remark) }
    } else if arguments.has("--json") {
      try context.writeBytes(stored.bytes)
    } else {
      let page = stored.page ?? all.page(of: stored.document)
      try context.say(SummaryText(integration: stored.document, page: page, tellsBuild: true).description)
    }
    if question == nil, branch == nil, let remark = operand.remark(on: stored.document) { context.remark(remark) }
    return ExitCode.success
  }
}
