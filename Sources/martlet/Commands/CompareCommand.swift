import BotFiles
import Glibc
import Integrating
import Model
import Rendering

struct CompareCommand: Subcommand {
  let name = "compare"
  let summary = "compare two integrations or commits"
  let operands = "[BOT/N [BOT/N|N] | REV REV [PATH]]"
  let completions: [[Completion]] = [[.integrations], [.integrations], [.files]]
  let operandLimit: Int? = 3
  let options = [
    Option.value("--output", "DIR", "write the comparison as pages, from DIR/index.html on, with DIR/comparison.json"),
    Option.flag("--json", "print the comparison as a document, and nothing else"),
    Option.templates,
    Option.home,
  ]
  let discussion = """
    BOT/N is an integration of a bot; a folder with an integration.json stands for one, too. If the second is of the
    same bot, its number is enough. One alone is compared with its baseline; without any, the newest integration of the
    package around the current folder is compared with its own. BOT/N:DESTINATION is one of its destinations, such as
    debug+thread.

    REV is a revision of the repository at PATH, or around the current folder, and stands for its newest kept
    integration. A name that is both a bot and a branch means the bot.

    Compared are tests, measured values, issues, coverage and commits; coverage also line by line if both have a
    coverage.json. Lines that run by chance, as two integrations of one commit show, are listed apart. Other
    differences, such as the toolchain or the version of an unpinned dependency, come first.

    With --output each source with changes has a page; if there are more than 300, only those with the most lost and new
    uncovered lines. The exit status is 0 whenever two integrations were compared.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let output = try arguments.value("--output").map { try ComparisonFolder(context.absolute($0)) }
    let (before, after) = try ComparisonOperands(
      words: arguments.operands, stored: StoredIntegrations(in: home), context: context
    ).read()
    let (comparison, sources) = try IntegrationPair(before, after, in: home).comparison(withSources: output != nil)
    let time = LocalTime.ofThisMachine
    if let output {
      let templates = try context.templates(arguments)
      let files = try ComparisonReport(templates: templates, time: time).files(of: comparison, sources: sources)
      try output.write(files, document: try Self.document(comparison))
    }
    if arguments.has("--json") {
      try context.writeBytes(Self.document(comparison))
    } else {
      try context.write(ComparisonText(comparison, time: time, isColoured: context.mayColour, page: output?.page).text)
    }
    return ExitCode.success
  }

  private static func document(_ comparison: IntegrationComparison) throws -> [UInt8] {
    Array((try Context.json(comparison) + "\n").utf8)
  }
}

/// The folder given by `martlet compare --output`.
struct ComparisonFolder {
  private static let documentName = "comparison.json"
  private let output: OutputFolder

  /// Throws if the folder contains anything other than an earlier comparison.
  init(_ path: String) throws {
    let marks: Set = [Self.documentName, "index.html", "style.css"]
    output = try OutputFolder(path, for: "the comparison", marks: marks) {
      marks.contains($0) || ["martlet.js", "facts.css", "coverage"].contains($0)
    }
  }

  var page: String { output.folder.file("index.html") }

  /// Replaces an earlier comparison with the pages and their document.
  func write(_ files: [ReportPart.File], document: [UInt8]) throws {
    try output.replace { aside in
      try aside.create()
      try aside.create(Self.documentName, document)
      if files.contains(where: { $0.path.hasPrefix("coverage/") }) { try aside.folder("coverage").create() }
      for file in files { try aside.create(file.path, file.bytes) }
    }
  }
}
