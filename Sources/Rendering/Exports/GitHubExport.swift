import Model

/// Findings as workflow commands, which GitHub shows beside the lines of a pull request:
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
enum GitHubExport {
  /// GitHub shows this many notices of a step: https://docs.github.com/en/rest/checks/runs
  private static let mostNotices = 10

  static func text(_ document: IntegrationDocument) -> String {
    let findings = ExportedFinding.all(of: document).filter { $0.issue.status != .silenced }
    var lines = findings.map(command)
    if !document.outcome.isGood, !findings.contains(where: { $0.level == .error }) {
      let reasons = document.reasons.isEmpty ? ["The outcome is \(document.outcome.rawValue)."] : document.reasons
      let title = value("\(document.bot) \(document.number): \(document.outcome.rawValue)")
      lines += reasons.map { "::error title=\(title)::\(data($0))" }
    }
    lines += notices(document)
    return lines.map { "\($0)\n" }.joined()
  }

  /// Where the lines are that the change touched and that never ran, then those that ran before and do not any more.
  private static func notices(_ document: IntegrationDocument) -> [String] {
    guard let changes = document.coverage.changes else { return [] }
    let summary = ChangeSummary(changes)
    var places: [(title: String, words: (Int) -> String, place: LinePlaces.Place)] = []
    // Of a first commit every line is touched.
    if changes.patch.since != "nothing" {
      places += summary.uncovered.places.map { place in
        ("never ran", { $0 == 1 ? "This changed line never ran." : "These \($0) changed lines never ran." }, place)
      }
    }
    places += summary.lost.places.map { place in
      ("coverage lost", { "\($0 == 1 ? "This line" : "These \($0) lines") ran before, and did not this time." }, place)
    }
    places += summary.lostParts.places.map { place in
      let lines = place.lines.count == 1 ? "this line" : "each of these \(place.lines.count) lines"
      return ("coverage lost", { _ in "A part of \(lines) ran before, and did not this time." }, place)
    }
    let shown = places.count > mostNotices ? mostNotices - 1 : places.count
    let notices = places.prefix(shown).map { title, words, place in
      let range = place.lines.count == 1 ? "" : ",endLine=\(place.lines.upperBound)"
      return "::notice file=\(value(document.repositoryPath(place.path))),line=\(place.lines.lowerBound)\(range),"
        + "title=\(title)::\(words(place.lines.count))"
    }
    let left = places.dropFirst(shown).reduce(0) { $0 + $1.place.lines.count }
    guard left > 0 else { return notices }
    return notices + ["::notice title=coverage of the change::\(CountText.counted(left, "more line")) like these"]
  }

  private static func command(_ finding: ExportedFinding) -> String {
    var properties: [String] = []
    var message = finding.message
    if finding.isInRepository, let file = finding.file {
      properties.append("file=\(value(file))")
      if let line = finding.line { properties.append("line=\(line)") }
      if let column = finding.column { properties.append("col=\(column)") }
    } else if let file = finding.file {
      message = "\(file)\(finding.line.map { ":\($0)" } ?? ""): \(message)"
    }
    let title = finding.issue.test.map { "\(finding.issue.kind.word): \($0)" } ?? finding.issue.kind.word
    properties.append("title=\(value(title))")
    return "::\(finding.level.rawValue) \(properties.joined(separator: ","))::\(data(message))"
  }

  /// Escapes a message, so that it stays on its line and ends no command.
  private static func data(_ text: String) -> String {
    // A carriage return is among what is made visible first.
    escaped(VisibleText.of(text), ["%": "%25", "\n": "%0A"])
  }

  /// Escapes the value of a property.
  private static func value(_ text: String) -> String {
    escaped(VisibleText.of(text), ["%": "%25", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(contentsOf: escapes[scalar].map { Array($0.unicodeScalars) } ?? [scalar])
    }
    return String(result)
  }
}
