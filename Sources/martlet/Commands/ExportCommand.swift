import FoundationEssentials
import Integrating
import Model
import Rendering

struct ExportCommand: Subcommand {
  let name = "export"
  let summary = "export an integration for other programs"
  let operands = "[BOT/N|BOT|DIR]"
  let options = [
    Option.value("--format", "FORMAT", "one of the formats below", choices: ExportFormat.allCases.map(\.rawValue)),
    Option.value(
      "--badge", "SUBJECT", "what the badge shows (default: outcome)",
      choices: BadgeSubject.allCases.map(\.rawValue)),
    Option.value("--branch", "NAME", "the newest integration of the branch NAME"),
    Option.value("--output", "FILE", "write to FILE instead of standard output"),
    Option.home,
  ]

  var discussion: String {
    """
    Formats:

    \(HelpText.table(ExportFormat.allCases.map { ($0.rawValue, $0.summary) }))

    BOT/N is integration N of a bot, BOT its newest one or, for a badge, the newest result of its default branch. DIR is
    a folder with an integration.json, such as one that 'martlet run --output DIR' wrote; write ./DIR if a bot has the
    same name. The default is the newest integration of the package around the current folder. BOT/N:DESTINATION is the
    result of one of its destinations; without that, junit has a suite for each, with its name as a property. Coverage
    by lines comes from the coverage.json beside the integration.json.

    Paths are relative to the repository, even if the package is in a subfolder: run the tool that reads the file in the
    repository's root. The exit status is 0 whatever the outcome.

    File names are written as they are, so that a reader finds the files; only what a format cannot hold is written as
    its number, such as U+0001 in XML. On a terminal, and in text for people, all invisible characters are written that
    way.

    In junit, crashed, timed-out and not-run tests are errors, and an integration that failed elsewhere than in a test
    has an error of its own; tests that canceled themselves are skipped, and expected failures are passed cases with a
    note.

    Branches are those of C, C++ and Objective-C; the Swift compiler counts none. They are in lcov, cobertura, sonar,
    codecov, json, csv and markdown. lcov accepts only '-' (not reached) for the branches of a line that never ran, so
    its figures may be lower than the report's. In codecov a line's value is the branches taken (3/4) if only some
    were, 1/2 if it ran partly in another way, and otherwise its run count.
    """
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard let format = arguments.value("--format").flatMap(ExportFormat.init) else {
      let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'--format' is missing; it is one of: \(formats). See 'martlet help export'.")
    }
    if arguments.has("--badge"), format != .badge {
      throw UsageError("'--badge' goes with '--format badge' only. See 'martlet help export'.")
    }
    let home = try context.home(arguments)
    let operand = IntegrationOperand(arguments.operands.first, in: StoredIntegrations(in: home), for: self, context)
    let choice = choice(arguments, format)
    let stored = try operand.read(choice)
    if case .newest = choice, let remark = operand.remark(on: stored.document) { context.remark(remark) }
    let coverage = format.readsLines ? try stored.coverage() : nil
    let text: String
    do {
      text = try IntegrationExport(stored.document, coverage: coverage)
        .text(as: format, badge: arguments.value("--badge").flatMap(BadgeSubject.init) ?? .outcome)
    } catch {
      throw UsageError(error.description)
    }
    if let output = arguments.value("--output") {
      try write(text, to: context.absolute(output))
    } else {
      // A file name could reverse the rest of a line, or overwrite what is above it.
      try context.write(context.outputIsTerminal ? VisibleText.of(text) : text)
    }
    return ExitCode.success
  }

  /// Returns the integration that a bot's name refers to.
  private func choice(_ arguments: ParsedArguments, _ format: ExportFormat) -> IntegrationOperand.Choice {
    if let branch = arguments.value("--branch") { return .branch(branch) }
    return format == .badge ? .decisive : .newest
  }

  /// Writes a temporary file and renames it into place, so that a reader never sees half a file.
  private func write(_ text: String, to path: String) throws {
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    guard kind == nil || kind == .typeRegular else {
      throw UsageError(
        "cannot write \(path): it is not a regular file. Name a file with --output, or leave it out for standard output."
      )
    }
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw IntegratingError(
        .service, "cannot write \(path): \(SystemReason.of(error)). Name another file with --output.")
    }
  }
}
