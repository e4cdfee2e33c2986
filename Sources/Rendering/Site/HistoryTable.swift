import Model

/// A bot's history as CSV, one integration per line, newest first (https://www.rfc-editor.org/rfc/rfc4180).
struct HistoryTable {
  private let entries: [HistoryLine]
  private let time: LocalTime

  init(_ entries: [HistoryLine], time: LocalTime) {
    self.entries = entries
    self.time = time
  }

  private static let header = [
    "number", "outcome", "branch", "commit", "author", "subject", "started", "seconds", "listed", "passed", "failed",
    "crashed", "timedOut", "skipped", "expectedFailures", "notRun", "flaky", "warnings", "newIssues", "linesRan",
    "linesPartlyRan", "linesNeverRan", "lines", "toolchain", "tag", "failedGates",
  ]

  var bytes: [UInt8] {
    let lines = [Self.header] + entries.map(fields)
    return Array(lines.map { $0.map(CSVExport.cell).joined(separator: ",") + "\r\n" }.joined().utf8)
  }

  private func fields(_ entry: HistoryLine) -> [String] {
    let tests = entry.tests
    let counts = [
      tests.listed, tests.steady, tests.failed, tests.crashed, tests.timedOut, tests.skipped, tests.expectedFailures,
      tests.notRun, tests.flaky, entry.knownWarnings, entry.newIssues,
    ]
    let lines = entry.lines.map { [$0.covered, $0.partial, $0.uncovered, $0.total].map(String.init) }
    return [
      "\(entry.number)", entry.outcome.rawValue, entry.branch ?? "", entry.commit.rawValue, entry.author, entry.subject,
      time.machine(of: entry.startedAt), "\((entry.duration * 1000).rounded() / 1000)",
    ] + counts.map { $0.map { "\($0)" } ?? "" } + (lines ?? ["", "", "", ""])
      + [entry.toolchain, entry.tag ?? "", (entry.reasonCodes ?? []).compactMap(\.gate).joined(separator: "; ")]
  }
}
