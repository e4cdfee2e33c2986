import Model

/// A summary for people who read it in another program: the verdict, the findings with their places, and the figures.
struct MarkdownExport {
  let document: IntegrationRecord
  private let lines: CoverageDocument?
  /// The number of findings or files of one kind that are listed before the rest is only counted.
  private static let limit = 50
  /// The number of line blocks per file that are listed before the rest is only counted.
  private static let mostRanges = 12

  init(_ document: IntegrationRecord, lines: CoverageDocument?) {
    self.document = document
    self.lines = lines
  }

  var text: String {
    let sections = [heading, tests, redTests, flakyTests, otherFindings, coverage, changes, unchecked, uncovered].filter
    {
      !$0.isEmpty
    }
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var heading: [String] {
    let tag = document.tag.map { " at the tag \(MarkdownText.code($0))" }
    let branch = document.branch.map { " on \(MarkdownText.code($0))" } ?? tag ?? ""
    let changes = document.workingTree.map { ", with \(CountText.counted($0.count, "uncommitted file"))" } ?? ""
    var lines = [
      "## \(MarkdownText.escaped(document.bot)) \(document.number): \(document.outcomeWord.lowercased())", "",
      "\(MarkdownText.code(document.commit.id.short)) \(MarkdownText.code(document.commit.summary))\(branch)\(changes)",
    ]
    if !document.reasons.isEmpty { lines += [""] + document.reasons.map { "- \(MarkdownText.escaped($0))" } }
    return lines
  }

  private var tests: [String] {
    let counts = document.tests.counts
    guard counts.listed > 0 else { return ["No tests are listed."] }
    let rows = [
      ("listed", "Listed", counts.listed), ("passed", "Passed", counts.steady), ("flaky", "Flaky", counts.flaky),
      ("failed", "Failed", counts.failed), ("crashed", "Crashed", counts.crashed),
      ("timedOut", "Timed out", counts.timedOut), ("canceled", "Canceled", counts.canceled),
      ("notRun", "Not run", counts.notRun),
      ("expectedFailures", "Known issues", counts.expectedFailures), ("skipped", "Skipped", counts.skipped),
      ("quit", "Quit, among the not run", counts.quit),
      ("filteredOut", "Filtered out, not among the listed", counts.filteredOut),
    ].filter { $0.2 > 0 }
    let title = "Tests\(document.destination.map { " for \(MarkdownText.escaped($0.name))" } ?? "")"
    guard var deltas = document.deltas?.tests, let baseline = document.baseline else {
      return ["| \(title) | |", "|:---|---:|"] + rows.map { "| \($0.1) | \(CountText.plain($0.2)) |" }
    }
    // Those of the document have flaky tests among the passed.
    deltas["passed", default: 0] -= deltas["flaky", default: 0]
    return ["| \(title) | | since \(baseline) |", "|:---|---:|---:|"]
      + rows.map { key, name, count in
        "| \(name) | \(CountText.plain(count)) | \(CountText.signed(deltas[key, default: 0])) |"
      }
  }

  /// The integration and its results for the other destinations.
  private var all: [IntegrationRecord] { [document] + (document.cells ?? []) }

  /// Returns for which destination something is, as a clause; empty if there is only one way to build.
  private static func way(_ destination: DestinationResult?) -> String {
    destination.map { MarkdownText.escaped(" for \($0.name)\($0.required ? "" : ", which is optional")") } ?? ""
  }

  private var redTests: [String] {
    let red = all.flatMap { cell in
      let silences = cell.silencedTests
      return cell.tests.cases.filter(\.state.isRed).map { test in
        (test: test, destination: cell.destination, silence: silences[test.id])
      }
    }
    guard !red.isEmpty else { return [] }
    // Those that count come first.
    let counting = red.filter { $0.silence == nil && $0.destination?.required != false }
    let others = red.filter { $0.silence != nil || $0.destination?.required == false }
    let entries = (counting + others).prefix(Self.limit).flatMap { test, destination, silence in
      let reason = silence.map { ", \($0.silence.map(IssueWords.sentence) ?? "silenced")" }
      let words = Self.way(destination) + MarkdownText.escaped(reason ?? "")
      return ["- \(test.state.word): \(MarkdownText.code(test.id.description))\(place(test.file, test.line))\(words)"]
        + test.failures.flatMap { failure in
          MarkdownText.block(
            (document.placeText(failure.file, failure.line).map { "\($0): " } ?? "")
              + FailureText.shown(failure.message),
            indentation: "  ")
        } + (test.leftOut?.sentences ?? []).flatMap { MarkdownText.block($0, indentation: "  ") }
    }
    return ["### Red tests", ""] + entries + rest(of: red.count)
  }

  private var flakyTests: [String] {
    let flaky = all.flatMap { cell in
      cell.tests.cases.filter { $0.flaky == true }.map { (test: $0, way: Self.way(cell.destination)) }
    }
    guard !flaky.isEmpty else { return [] }
    let entries = flaky.prefix(Self.limit).flatMap { test, way in
      ["- \(MarkdownText.code(test.id.description))\(place(test.file, test.line))\(way)"]
        + (test.attempts ?? []).compactMap(\.message).prefix(1).flatMap {
          MarkdownText.block(FailureText.shown($0), indentation: "  ")
        }
    }
    return ["### Flaky tests", ""] + entries + rest(of: flaky.count)
  }

  private var otherFindings: [String] {
    // Gates have a list of their own, as have red tests; a test that quit is not red.
    let hasGates = document.gates?.isEmpty == false
    let findings = document.findings.filter {
      !(hasGates && $0.kind == .gate) && ($0.test == nil || $0.kind == .quit || $0.kind.level == .warning)
        && $0.status != .silenced
    }
    guard !findings.isEmpty else { return [] }
    let entries = findings.prefix(Self.limit).flatMap { issue in
      let test = issue.test.map { " of \(MarkdownText.code($0.description))" } ?? ""
      return ["- \(issue.kind.word.capitalizedFirst)\(test)\(place(issue.file, issue.line))"]
        + MarkdownText.block(FailureText.shown(issue.message), indentation: "  ")
    }
    return ["### Errors and warnings", ""] + entries + rest(of: findings.count)
  }

  private func place(_ file: String?, _ line: Int?) -> String {
    document.placeText(file, line).map { " in \(MarkdownText.code($0))" } ?? ""
  }

  private func rest(of count: Int, behind most: Int = limit) -> [String] {
    count > most ? ["- … and \(CountText.plain(count - most)) more"] : []
  }
}

extension MarkdownExport {
  private var coverage: [String] {
    guard let totals = document.coverage.totals else {
      let reason = document.coverage.reason ?? "No reason was recorded."
      return ["### Coverage", "", "Not available. \(MarkdownText.escaped(reason))"]
    }
    var rows = [
      ("Lines", totals.lines.covered, totals.lines.total), ("Regions", totals.regions.covered, totals.regions.total),
      ("Functions", totals.functions.covered, totals.functions.total),
    ]
    if let branches = totals.branches { rows.append(("Branches", branches.covered, branches.total)) }
    var lines = ["### Coverage", "", "| | ran | of | |", "|:---|---:|---:|---:|"]
    lines += rows.map { name, covered, total in
      let share = CountText.percent(covered, of: total) ?? "–"
      return "| \(name) | \(CountText.plain(covered)) | \(CountText.plain(total)) | \(share) |"
    }
    if totals.lines.partial > 0 {
      lines += ["", "Of the lines that ran, \(CountText.plain(totals.lines.partial)) only partly ran."]
    }
    if totals.branches != nil {
      lines += ["", "Branches are those of C, C++ and Objective-C; the Swift compiler records none."]
    }
    if !document.coverage.complete {
      lines += ["", "Incomplete. \(MarkdownText.escaped(document.coverage.reason ?? "Counters were lost."))"]
    }
    return lines
  }

  /// The files with the most lines that never ran, and those lines if they are known.
  private var uncovered: [String] {
    let files = (document.coverage.files ?? []).filter { $0.lines.uncovered > 0 }
      .sorted { ($1.lines.uncovered, $0.path) < ($0.lines.uncovered, $1.path) }
    guard !files.isEmpty else { return [] }
    let known = (lines?.files ?? []).keyed(by: \.path, \.lines)
    let rows = files.prefix(Self.limit).map { file in
      let path = document.repositoryPath(file.path)
      let share = CountText.percent(file.lines.covered, of: file.lines.total) ?? "–"
      let places = known[path].map(Self.deadRanges) ?? ""
      return "| \(MarkdownText.cellCode(path)) | \(share) | \(CountText.plain(file.lines.uncovered)) | \(places) |"
    }
    let more = files.count - Self.limit
    return ["### Lines that never ran, of the whole package", ""]
      + ["| File | ran | never ran | lines |", "|:---|---:|---:|:---|"] + rows
      + (more > 0 ? ["", "… and \(CountText.counted(more, "more file", "more files"))."] : [])
      + (files.contains { SourceSuffix.isHeader($0.path) } ? ["", HeaderWords.exportNote] : [])
  }

  /// Returns the lines that never ran, such as `12–18, 40`, in the same blocks as on the report's pages.
  private static func deadRanges(_ lines: [LineCoverage]) -> String {
    let blocks = lines.uncoveredBlocks
    let shown = blocks.prefix(mostRanges).map { CountText.range($0) }
    let left = blocks.dropFirst(mostRanges).reduce(0) { $0 + $1.count }
    return shown.joined(separator: ", ") + (left > 0 ? " and \(CountText.counted(left, "more line"))" : "")
  }
}

extension MarkdownExport {
  /// The number of places that are listed before the rest is only counted.
  private static let mostPlaces = 20

  /// The changes in the coverage, and the results of the gates.
  var changes: [String] {
    var lines: [String] = []
    if let section = document.coverage.changes {
      let summary = ChangeSummary(section, notRun: document.tests.counts.notRun)
      lines += ["### Coverage of the change", "", "Patch: \(MarkdownText.escaped(summary.patchFigure))."]
      if section.patch.since != "nothing" { lines += places(summary.uncovered) }
      lines += list(summary.unmapped, "not known: ") + leftOut(summary.leftOutFiles)
      lines += uncounted(summary.uncountedFiles)
      if let lost = summary.lostFigure { lines += ["", "Lost: \(lost)."] + places(summary.lost) }
      if let lost = summary.lostPartsFigure { lines += ["", "Lost: \(lost)."] + places(summary.lostParts) }
      for remark in summary.leftOut { lines += ["", "Left out: \(remark.words)."] + places(remark.places) }
      if let chance = summary.chanceFigure {
        lines += ["", "Neither lost nor gained: \(chance)."] + places(summary.byChance)
      }
      if let reason = section.reason { lines += ["", MarkdownText.escaped(reason)] }
    }
    let gates = document.gates ?? []
    if !gates.isEmpty {
      lines += lines.isEmpty ? ["### Gates", ""] : [""]
      lines += gates.map { gate in
        "- \(gate.state.word): \(gate.shortName). \(MarkdownText.escaped(gate.sentence))"
      }
    }
    return lines
  }

  /// The changed functions and conditions that ran but that no test checks.
  var unchecked: [String] {
    let subjects = document.coverage.uncheckedChanges
    guard !subjects.isEmpty else { return [] }
    let entries = subjects.prefix(Self.mostPlaces).map { subject in
      let place = "\(document.repositoryPath(subject.path)):\(subject.line)"
      let clause = MutantWords.clause(subject.bodies, tests: subject.tests)
      return "- \(MarkdownText.code(subject.name)) in \(MarkdownText.code(place)): \(MarkdownText.escaped(clause))"
    }
    return ["### \(MutantWords.heading)", ""] + entries + rest(of: subjects.count, behind: Self.mostPlaces)
  }

  private func leftOut(_ files: [String]) -> [String] {
    guard !files.isEmpty else { return [] }
    return ["", "Left out: changed lines of \(CountText.counted(files.count, "file"))."] + list(files)
  }

  private func uncounted(_ files: [UncountedPatchFile]) -> [String] {
    files.byReason.flatMap { files, reason in
      let lines = "\(files.subject.capitalizedFirst) \(CountText.counted(files.count, "file")) do not count"
      return ["", "\(lines): \(MarkdownText.escaped(reason))."] + list(files.map(\.path))
    }
  }

  private func list(_ files: [String], _ words: String = "") -> [String] {
    guard !files.isEmpty else { return [] }
    let left = files.count - Self.mostPlaces
    let shown = files.prefix(Self.mostPlaces).map { "- \(words)\(MarkdownText.code(document.repositoryPath($0)))" }
    return [""] + shown + (left > 0 ? ["- … and \(CountText.counted(left, "more file"))"] : [])
  }

  private func places(_ lines: LinePlaces) -> [String] {
    guard !lines.places.isEmpty else { return [] }
    let left = lines.lineCount(behind: Self.mostPlaces)
    let shown = lines.places.prefix(Self.mostPlaces).map { place in
      "- \(MarkdownText.code("\(document.repositoryPath(place.path)):\(place.range)"))"
    }
    return [""] + shown + (left > 0 ? ["- … and \(CountText.counted(left, "more line"))"] : [])
  }
}

extension GateResult.State {
  /// The word for the state on pages, capitalised.
  var word: String {
    switch self {
    case .passed: "Passed"
    case .failed: "Failed"
    case .notJudged: "Not judged"
    }
  }

  var glyph: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .notJudged: "not-run"
    }
  }
}

/// Arbitrary text in Markdown: https://github.github.com/gfm/
enum MarkdownText {
  /// Returns text on one line, with all Markdown characters escaped.
  static func escaped(_ text: String) -> String {
    escaped(VisibleText.of(text).replacing("\n", with: " ").replacing("\t", with: " "), "\\`*_[]<>#|~&$@!")
  }

  /// Returns text with a backslash before each of some signs.
  private static func escaped(_ text: String, _ signs: String) -> String {
    // A bar with a combining accent is not a bar to Swift, but it is to readers of the file.
    let scalars = text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      signs.unicodeScalars.contains(scalar) ? ["\\", scalar] : [scalar]
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns a name or a path as code, on one line; not for table cells.
  static func code(_ text: String) -> String {
    let line = VisibleText.of(text).split(separator: "\n").joined(separator: " ")
    let fence = String(repeating: "`", count: longestRun(in: line) + 1)
    let ends = [line.utf8.first, line.utf8.last]
    let isPadded = ends.contains(UInt8(ascii: "`")) || line.allSatisfy { $0 == " " }
    return isPadded ? "\(fence) \(line) \(fence)" : "\(fence)\(line)\(fence)"
  }

  /// Returns a name or a path as code in a table cell, where a bar ends the cell even in code, unless it follows a
  /// backslash, which readers remove.
  static func cellCode(_ text: String) -> String { escaped(code(text), "|") }

  /// Returns lines verbatim, with a fence that none of them can close.
  static func block(_ text: String, indentation: String, limit: Int = 40) -> [String] {
    var lines = VisibleText.of(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > limit { lines = lines.prefix(limit) + ["… and \(lines.count - limit) more lines"] }
    lines = lines.map { $0.count > 2000 ? "\($0.prefix(2000))…" : $0 }
    let longest = lines.map(longestRun).max() ?? 0
    let fence = String(repeating: "`", count: max(longest + 1, 3))
    return (["\(fence)text"] + lines + [fence]).map { indentation + $0 }
  }

  /// Returns the length of the longest run of backticks.
  private static func longestRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
