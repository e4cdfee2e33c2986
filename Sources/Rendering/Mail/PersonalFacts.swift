import Model

/// The contents of a mail to a person who probably caused the new issues: theirs first, with the reasons for the
/// suspicion.
struct PersonalFacts {
  private let facts: MessageFacts
  /// The addresses in their commits, in lowercase.
  private let reader: Set<String>
  private let own: [Issue]
  private let others: [Issue]

  /// - Parameter emails: the addresses in the recipient's commits.
  init(_ facts: MessageFacts, emails: [String]) {
    self.facts = facts
    let reader = Set(emails.map { $0.lowercased() })
    self.reader = reader
    let own = facts.new.filter { issue in issue.leadingSuspects.contains { reader.contains($0.email.lowercased()) } }
    // Highest confidence first; within the same confidence, in the order of all mails.
    let sorted = Suspect.Confidence.allCases.reversed().flatMap { confidence in
      own.filter { $0.suspects.first?.confidence == confidence }
    }
    // Without any suspects, the mail goes to the only committer.
    self.own = own.isEmpty ? facts.new : sorted
    others = own.isEmpty ? [] : facts.new.filter { issue in !own.contains { $0.id == issue.id } }
  }

  /// The subject, on one line; names of commits are the only part that comes from git.
  var subject: String {
    let whose =
      certainty.map { ", \($0) yours" } ?? " since your \(CountText.agreeing(commits.count, "commit", "commits"))"
    return OneLine.of("[\(facts.integration.bot) \(facts.integration.number)] \(facts.subject(own, whose))")
  }

  /// - Parameter isWhole: whether this is the recipient's only mail about the integration, so that it covers
  ///   everything.
  func record(isWhole: Bool) -> [String: TemplateValue] {
    var record = facts.base
    let commits = commits
    let from = commits.count == 1 ? "your commit \(commits[0].short)" : "your commits"
    record["headline"] = .shown(
      "\(facts.integration.bot) \(facts.integration.number): \(facts.news(own))\(certainty.map { ", \($0) from" } ?? " since") \(from)"
    )
    // That commit stands below with its message.
    if commits.prefix(Self.mostCommits).contains(facts.integration.commit.id) { record["commit"] = .missing }
    let most = MessageFacts.mostIssues
    record["yours"] = .list(commits.prefix(Self.mostCommits).map { .shown(OneLine.of(named($0))) })
    record["moreYours"] =
      commits.count > Self.mostCommits
      ? .text(CountText.counted(commits.count - Self.mostCommits, "more commit")) : .missing
    record["issues"] = .list(own.prefix(most).map { facts.told($0).record(suspects: suspicions(of: $0)) })
    record["moreIssues"] = facts.more(own, than: most)
    record["hasOthers"] = .flag(!others.isEmpty)
    record["others"] = .list(others.prefix(most).map(other))
    record["moreOthers"] = facts.more(others, than: most)
    record["command"] = .optional(facts.command(for: own))
    record["silence"] = .shown(ifAny: silence)
    record["isWhole"] = .flag(isWhole)
    record["ending"] = .shown(ifAny: ending(isWhole: isWhole))
    return record
  }

  /// What the integration came to as a whole; nil if the headline says that.
  private func ending(isWhole: Bool) -> String? {
    let integration = facts.integration
    // The recipient gets no other mail, and their warnings must not hide that the integration is red.
    guard isWhole || !integration.outcome.isGreen else { return nil }
    let counts = integration.tests.counts
    let all = Set(integration.findings.filter { $0.status.isOpen && $0.kind != .serviceWarning }.map(\.id))
    if counts.flaky == 0, !integration.outcome.isGreen, all == Set(own.map(\.id)) { return nil }
    let red = integration.countingRedTests.count
    guard red > 0, integration.cells.isEmpty else { return VerdictSentence(integration).sentence }
    let noun = CountText.agreeing(red, "red test", "red tests")
    return [(red, noun), (counts.quit, "ended the process"), (counts.flaky, "flaky")].filter { $0.0 > 0 }
      .map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private static let mostCommits = 10

  /// The command that silences the recipient's only issue; nil for several, and if it cannot be silenced.
  private var silence: String? {
    guard own.count == 1, own[0].kind.canBeSilenced else { return nil }
    return "martlet silence \(own[0].id) --reason TEXT"
  }

  private func isReader(_ suspect: Suspect) -> Bool { reader.contains(suspect.email.lowercased()) }

  /// How sure it is that the issues are the recipient's, as words before "yours", with the number of issues if the
  /// confidence varies; nil if there are no grounds.
  private var certainty: String? {
    guard let surest = own.first?.suspects.first?.confidence else { return nil }
    let count = own.count { $0.suspects.first?.confidence == surest }
    return count == own.count ? surest.words : "\(CountText.plain(count)) of them \(surest.words)"
  }

  /// The recipient's suspected commits, in the order of their issues; otherwise all of their commits.
  private var commits: [CommitID] {
    var ids: [CommitID] = []
    for commit in own.flatMap({ $0.suspects.filter(isReader).compactMap(\.commit) }) where !ids.contains(commit) {
      ids.append(commit)
    }
    return ids.isEmpty ? facts.integration.commits.filter { reader.contains($0.email.lowercased()) }.map(\.id) : ids
  }

  /// Returns a commit with the first line of its message.
  private func named(_ id: CommitID) -> String {
    let commit = ([facts.integration.commit] + facts.integration.commits).first { $0.id == id }
    return commit.map { "\(id.short) \"\($0.summary)\"" } ?? id.short
  }

  /// Returns why the issue is probably the recipient's, with what they changed, and who else is suspected.
  private func suspicions(of issue: Issue) -> [MessageIssue.Accusation] {
    guard !issue.suspects.isEmpty else { return [.init(authorship)] }
    let hunk = facts.integration.issueRecords.first { $0.id == issue.id }?.suspectedHunk
    let own = issue.suspects.filter(isReader).map { MessageIssue.Accusation(accusation($0), hunk, at: $0.place) }
    return own + issue.suspects.filter { !isReader($0) }.prefix(2).map { .init($0.sentence) }
  }

  private func accusation(_ suspect: Suspect) -> String {
    let start = suspect.confidence.words.capitalizedFirst
    guard let commit = suspect.commit?.short else { return "\(start) yours: \(suspect.reason)" }
    guard let deed = suspect.deed else { return "\(start) your commit \(commit): \(suspect.reason)" }
    // The heading has their only commit, and how sure that is if it is the same of all issues.
    guard commits.count == 1 else { return "\(start) your commit \(commit): it \(deed)." }
    return certainty == suspect.confidence.words ? "It \(deed)." : "\(start) yours: it \(deed)."
  }

  private var authorship: String {
    let count = facts.integration.commits.count
    return count > 1 ? "All \(count) commits are yours." : "The only commit is yours."
  }

  /// Returns an issue that is not primarily the recipient's, on one line.
  private func other(_ issue: Issue) -> TemplateValue {
    let told = facts.told(issue)
    var words: [String] = []
    if let first = issue.leadingSuspects.first { words.append("\(first.confidence.words) \(first.name)'s") }
    if let suspect = issue.suspects.first(where: isReader) {
      words.append("\(suspect.confidence.words) yours: \(suspect.reason)")
    }
    return .record([
      "mark": .text(told.mark), "line": .shown(OneLine.of(told.summary)),
      "whose": words.isEmpty ? .missing : .shown(OneLine.of(words.joined(separator: "; "))),
    ])
  }
}
