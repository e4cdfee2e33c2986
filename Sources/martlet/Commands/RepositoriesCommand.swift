import BotFiles
import Git
import Integrating
import Model
import Rendering

struct RepositoriesCommand: Subcommand {
  let name = "repositories"
  let summary = "create a repository on this machine to push to"
  let operands = "create NAME"
  let options = [
    Option.value("--branch", "BRANCH", "the branch that a clone checks out (default: main)"),
    Option.value("--home", "DIR", "the home that holds it (default: ~/.local/state/martlet)"),
  ]
  let discussion = """
    The repository is repositories/NAME.git in the home; 'create' prints how to push to it and how to add a bot. A
    watcher on this machine sees each push at once. Anyone who can log in by ssh as the user who runs Martlet can
    push. Neither 'prune' nor 'bots remove' removes such a repository.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let operands = arguments.operands
    guard let word = operands.first else {
      throw UsageError(
        "the word 'create' is missing: martlet repositories create NAME. See 'martlet help repositories'.")
    }
    guard word == "create" else {
      throw UsageError.unknown("word", word, among: ["create"], help: "martlet help repositories")
    }
    guard operands.count == 2 else {
      throw UsageError(
        "the repository's name is missing: martlet repositories create NAME. See 'martlet help repositories'.")
    }
    let name = operands[1]
    // A bot with the same name is expected to watch it.
    if let fault = BotFile.fault(inName: name, of: "a repository") { throw UsageError("\(fault).") }
    let home = try context.home(arguments)
    let folder = home.folder.folder("repositories")
    try folder.create()
    let path = folder.file("\(name).git")
    let branch = arguments.value("--branch") ?? "main"
    do {
      try Repository.create(at: path, branch: branch)
    } catch {
      throw UsageError("\(error)".lowercasedFirst)
    }
    try context.say(Self.words(path, name: name, branch: branch))
    return ExitCode.success
  }

  private static func words(_ path: String, name: String, branch: String) -> String {
    let remote = "\(Account.user)@\(Account.host):\(path)"
    return """
      Made \(path).
      Push:   git remote add martlet \(RepeatCommand.quoted(remote)) && git push martlet \(RepeatCommand.quoted(branch))
      Watch:  martlet bots new \(name) --repository \(RepeatCommand.quoted(path))
      """
  }
}
