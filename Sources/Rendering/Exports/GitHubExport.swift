import Model

/// Findings as workflow commands, which GitHub shows beside the lines of a pull request:
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
enum GitHubExport {
  static func text(_ document: IntegrationRecord) -> String {
    let findings = ExportedFinding.all(of: document).filter { $0.issue.status != .silenced }
    var lines = findings.map(command)
    if !document.outcome.isGreen, !findings.contains(where: { $0.level == .error }) {
      let outcome = document.outcomeWord.lowercased()
      let reasons = document.reasons.isEmpty ? ["The outcome is \(document.outcome.rawValue)."] : document.reasons
      let title = value("\(document.bot) \(document.number): \(outcome)")
      lines += reasons.map { "::error title=\(title)::\(data($0))" }
    }
    lines += notices(document)
    return lines.map { "\($0)\n" }.joined()
  }

  private static func notices(_ document: IntegrationRecord) -> [String] {
    let changes = document.coverage.changes
    return GitHubNotices(
      changes.map { ChangeSummary($0, notRun: document.tests.counts.notRun) },
      unchecked: document.coverage.uncheckedChanges,
      isFirst: changes?.patch.since == "nothing"
    ) {
      path(document.repositoryPath($0))
    } name: {
      document.repositoryPath($0)
    }.lines
  }

  private static func command(_ finding: ExportedFinding) -> String {
    var properties: [String] = []
    var message = FailureText.shown(finding.message)
    if finding.isInRepository, let file = finding.file {
      properties.append("file=\(path(file))")
      if let line = finding.line { properties.append("line=\(line)") }
      if let column = finding.column { properties.append("col=\(column)") }
    } else if let file = finding.file {
      message = "\(file)\(finding.line.map { ":\($0)" } ?? ""): \(message)"
    }
    let kind = finding.issue.kind.word + (finding.optionalDestination.map { " for \($0) (optional)" } ?? "")
    let title = finding.issue.test.map { "\(kind): \($0)" } ?? kind
    properties.append("title=\(value(title))")
    return "::\(finding.level.rawValue) \(properties.joined(separator: ","))::\(data(message))"
  }

  /// Escapes a message, so that it stays on its line and ends no command.
  static func data(_ text: String) -> String {
    // Carriage returns have already been made visible.
    escaped(VisibleText.of(text), ["%": "%25", "\n": "%0A"])
  }

  /// Escapes the value of a property that is shown to people.
  private static func value(_ text: String) -> String { path(VisibleText.of(text)) }

  /// Escapes the path of a file without altering it, since GitHub looks it up in the change.
  private static func path(_ path: String) -> String {
    escaped(path, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(contentsOf: escapes[scalar].map { Array($0.unicodeScalars) } ?? [scalar])
    }
    return String(result)
  }
}
