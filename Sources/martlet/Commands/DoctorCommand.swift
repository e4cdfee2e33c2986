import Integrating
import Processes
import Rendering
import Serving

struct DoctorCommand: Subcommand {
  let name = "doctor"
  let summary = "find what this machine lacks, and say how to fix it"
  let options = [
    Option.home,
    Option.flag("--json", "print the findings as JSON"),
  ]
  let discussion = """
    The exit status is 3 when something is missing. Without Swift or a usable home nothing can be integrated; without
    the sandbox the code under test is not contained. For anything else that is missing, its line says what you lose.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    var findings = MachineCheck(
      home: home, searchPath: context.environment["PATH"] ?? "", cancellation: cancellation
    ).findings
    let trouble = EventLibrary.trouble
    findings.append(
      MachineCheck.Finding(name: "libevent", isThere: trouble == nil, words: trouble ?? EventLibrary.words))
    if arguments.has("--json") {
      try context.say(Context.json(findings))
    } else {
      let rows = findings.map { finding in
        ["\(finding.isThere ? "ok     " : "missing")  \(finding.name)", VisibleText.of(finding.words)]
      }
      for line in TextColumns.lines(rows) { try context.say(line) }
    }
    if cancellation.isCanceled { return ExitCode.canceled }
    return findings.allSatisfy(\.isThere) ? ExitCode.success : ExitCode.service
  }
}
