import Model

/// The contents of a daily or weekly mail.
struct DigestFacts {
  private static let mostLines = 20

  private let digest: PeriodDigest
  private let page: String
  private let time: LocalTime

  init(_ digest: PeriodDigest, page: String, time: LocalTime) {
    self.digest = digest
    self.page = page
    self.time = time
  }

  /// The subject, on one line.
  var subject: String { OneLine.of("[\(digest.bot)] \(title): \(summary)") }

  private var title: String { digest.report == .weekly ? "Weekly report" : "Daily report" }

  private var summary: String {
    let opened = "\(CountText.counted(digest.opened.count, "issue")) opened"
    let passing = digest.passing.isEmpty ? "" : ", \(CountText.plain(digest.passing.count)) came and went"
    return CountText.counted(digest.integrations, "integration")
      + ", \(opened), \(CountText.plain(digest.closed.count)) closed\(passing)"
  }

  var record: [String: TemplateValue] {
    [
      "bot": .shown(digest.bot), "headline": .shown("\(digest.bot): \(summary)"),
      "isRed": .flag(digest.outcome?.tone == .red), "isAmber": .flag(digest.outcome?.tone == .amber),
      "isGreen": .flag(digest.outcome?.tone == .green), "title": .text(title),
      "start": .text(time.minute(of: digest.start)),
      "end": .text("\(time.minute(of: digest.end)) \(time.zone(of: digest.end))"),
      "integrations": .text(integrations), "newest": .shown(ifAny: newest), "open": .shown(open),
      "hasOpened": .flag(!digest.opened.isEmpty), "opened": findings(digest.opened),
      "hasClosed": .flag(!digest.closed.isEmpty), "closed": findings(digest.closed),
      "hasPassing": .flag(!digest.passing.isEmpty), "passing": findings(digest.passing),
      "coverage": .optional(coverage), "tests": .optional(tests),
      "hasAdded": .flag(!digest.testsAdded.isEmpty), "added": names(digest.testsAdded),
      "hasRemoved": .flag(!digest.testsRemoved.isEmpty), "removed": names(digest.testsRemoved),
      "steady": .optional(steady), "hasSlow": .flag(!digest.slowest.isEmpty),
      "slowest": .list(digest.slowest.map { line(DurationText.short($0.value), $0.id.description) }),
      "hasFlaky": .flag(!digest.flakiest.isEmpty),
      "flakiest": .list(
        digest.flakiest.map {
          line("", "\($0.id.description) (in \(CountText.counted(Int($0.value), "integration")))")
        }),
      "page": .shown(page), "link": .link(page),
    ]
  }

  private var integrations: String {
    let commits = CountText.counted(digest.commits, "commit")
    return "\(CountText.counted(digest.integrations, "integration")) of \(commits): "
      + "\(CountText.plain(digest.green)) green, \(CountText.plain(digest.red)) red"
      + (digest.canceled > 0 ? ", \(CountText.plain(digest.canceled)) canceled." : ".")
  }

  private var newest: String? {
    guard let number = digest.newest, let outcome = digest.outcome else { return beside }
    let branch = digest.branch.map { "on \($0) " } ?? ""
    let newest = "The newest \(branch)is \(number): \(outcome.lowercasedWord(isFailedGate: digest.isFailedGate))."
    return [newest, beside].compactMap(\.self).joined(separator: " ")
  }

  /// A sentence about other red branches.
  private var beside: String? {
    RedBranchWords.red(digest.redBeside, beside: digest.outcome?.isGreen == false).map { "\($0.capitalizedFirst)." }
  }

  private var open: String {
    let branch = digest.branch.map { " on \($0)" } ?? ""
    switch digest.open {
    case 0: return "No issue is open\(branch)."
    case 1: return "1 issue is open\(branch)."
    default: return "\(CountText.plain(digest.open)) issues are open\(branch)."
    }
  }

  private var coverage: String? {
    guard let lines = digest.lines else { return digest.noCoverage.map { "Coverage is not known. \($0)" } }
    let some = digest.linesAreComplete ? "" : "Coverage is incomplete: "
    let now =
      "\(some)\(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "line")) never ran\(place(digest.linesNumber))"
    guard let before = digest.linesBefore else { return "\(now)." }
    let covered = CountText.signed(lines.covered - before.covered)
    return "\(now): \(CountText.signed(lines.uncovered - before.uncovered)) uncovered, \(covered) covered."
  }

  /// Returns the integration of a figure if it is not the newest.
  private func place(_ number: Int?) -> String {
    number.flatMap { $0 == digest.newest ? nil : " in \($0)" } ?? ""
  }

  private var tests: String? {
    guard digest.tests > 0 else { return nil }
    let changes =
      "\(CountText.plain(digest.testsAdded.count)) added, \(CountText.plain(digest.testsRemoved.count)) removed"
    return "\(CountText.counted(digest.tests, "test"))\(place(digest.testsNumber)): \(changes)."
  }

  /// A sentence stating that no test was slow or flaky, if there are tests: slow ones are those of one integration,
  /// flaky ones those of one branch.
  private var steady: String? {
    guard digest.tests > 0 else { return nil }
    let number = (digest.testsNumber ?? digest.newest).map { " in \($0)" } ?? ""
    let slow = digest.slowest.isEmpty ? "no test was slow\(number)" : nil
    let flaky = digest.flakiest.isEmpty ? "no test was flaky\(digest.branch.map { " on \($0)" } ?? "")" : nil
    let words = [slow, flaky].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", and ").capitalizedFirst + "."
  }

  private func findings(_ findings: [PeriodDigest.Finding]) -> TemplateValue {
    list(
      findings.map { finding in
        let gone = finding.gone.map { ", gone in \($0)" } ?? ""
        let branch = finding.branch == digest.branch ? "" : finding.branch.map { " on \($0)" } ?? " of a tag"
        // A long title must leave room for the place.
        let title = OneLine.of(finding.title, most: 140)
        return ("[\(finding.kind.word.uppercased())]", "\(title) (in \(finding.number)\(branch)\(gone))")
      })
  }

  private func names(_ tests: [TestID]) -> TemplateValue { list(tests.map { ("", $0.description) }) }

  private func list(_ lines: [(String, String)]) -> TemplateValue {
    let left = lines.count - Self.mostLines
    return .list(
      lines.prefix(Self.mostLines).map { line($0.0, $0.1) }
        + (left > 0 ? [line("", "and \(CountText.plain(left)) more")] : []))
  }

  private func line(_ mark: String, _ words: String) -> TemplateValue {
    .record(["mark": mark.isEmpty ? .missing : .text(mark), "words": .shown(OneLine.of(words))])
  }
}
