import FoundationEssentials
package import Model

/// Sentences about an issue's history and its silences, shared by the terminal, pages and mails.
package enum IssueWords {
  /// The text of a link to the page of all issues.
  ///
  /// - Parameter place: a suffix that names the branch, where others have issues of their own.
  static func all(resolved count: Int, place: String = "") -> String {
    "All issues\(place)" + (count > 0 ? " (\(CountText.plain(count)) resolved)" : "")
  }

  /// Returns how an issue came to be resolved, before the integration that found it so: `fixed`, `fixed in 3, checked` where
  /// 3 could not check it, or `resolved` if nothing tells how.
  static func ending(of issue: Issue) -> String {
    guard issue.life?.wentUnchecked == true, let gone = issue.life?.goneIn, change(issue.ending) != nil else {
      return word(forEndOf: issue)
    }
    return "\(word(forEndOf: issue)) in \(either(of: gone)), checked"
  }

  /// Returns how many issues two integrations share, such as `2 open, 1 silenced in both`; nil for none.
  static func inBoth(_ open: Int, silenced: Int) -> String? {
    let counts = [open > 0 ? "\(CountText.plain(open)) open" : nil, TestSum.silenced(silenced)].compactMap(\.self)
    return counts.isEmpty ? nil : "\(counts.joined(separator: ", ")) in both"
  }

  /// How an issue came to be resolved.
  static func word(forEndOf issue: Issue) -> String {
    switch issue.ending {
    // What is judged anew with each change is not mended, but passed.
    case .fixed where issue.kind == .gate: "passed\(again(issue))"
    case .fixed: "fixed"
    case .testDeleted: "test deleted"
    case .fileDeleted: "file deleted"
    case .knownIssue: "marked as a known issue"
    case .passedAgain: "passed again"
    case .failsOtherwise: "failed in another way"
    case nil: "resolved"
    }
  }

  /// Returns how many of the open issues came with an integration, behind their number and before that integration: `, both
  /// since `, or `, 1 new, 1 back in `; nil if none did.
  ///
  /// - Parameter back: how many of them had been gone.
  static func since(_ new: Int, back: Int, of open: Int) -> String? {
    guard new > 0 else { return nil }
    if back > 0, open > 1 {
      let first = new > back ? ", \(CountText.plain(new - back)) new" : ""
      return "\(first), \(CountText.plain(back)) back in "
    }
    if back > 0 { return ", back in " }
    guard new == open else { return ", \(CountText.plain(new)) since " }
    return open == 1 ? " since " : ", \(open == 2 ? "both" : "all") since "
  }

  /// Returns ` again` for a gate that is known to have passed before it failed, otherwise nothing.
  package static func again(_ issue: Issue) -> String { issue.life?.cameBackFrom == nil ? "" : " again" }

  /// Returns the history of an issue as parts of a sentence.
  ///
  /// - Parameter tellsDoubts: whether it may be gone by now; false where that stands above it.
  package static func history(of issue: Issue, record: IssueRecord? = nil, tellsDoubts: Bool = true) -> [String] {
    historyPhrases(of: issue, record: record, tellsDoubts: tellsDoubts).map(\.text)
  }

  /// The same with the integrations that are named.
  static func historyPhrases(of issue: Issue, record: IssueRecord? = nil, tellsDoubts: Bool = true) -> [[Part]] {
    phrases(traits(of: issue)) + streakPhrases(of: issue, record: record, tellsDoubts: tellsDoubts)
  }

  /// Returns phrases that name no integration.
  static func phrases(_ words: [String]) -> [[Part]] { words.map { [Part(words: $0)] } }

  /// Returns what is to say of an issue that is known to be new.
  static func traits(of issue: Issue) -> [String] {
    destinations(of: issue) + (issue.isKnownFlaky ? ["known flaky"] : [])
  }

  /// Returns which destinations have the issue as it is told, unless all have.
  static func destinations(of issue: Issue) -> [String] {
    let only = issue.elsewhere.isEmpty ? " only" : ""
    return issue.destinations.isEmpty ? [] : ["for \(CountText.list(issue.destinations))\(only)"]
  }

  /// Returns an issue as each of the destinations has it that know it since another integration: what it is there, since
  /// when, and who probably caused it.
  package static func elsewhere(of issue: Issue) -> [String] {
    issue.elsewhere.map { other in
      let parts = [FailureLine.brief(of: other.message)] + streaks(of: other, record: nil)
      return "for \(CountText.list(other.destinations)): "
        + (parts + [other.suspects.first?.brief(of: other)].compactMap(\.self)).joined(separator: ", ")
    }
  }

  /// Returns how a resolved issue ended, and where: `fixed in 3 or 4`.
  ///
  /// - Parameter closed: the integration that found it resolved.
  static func end(of issue: Issue, closed: Int?) -> String {
    let gone = issue.life?.wentUnchecked == true ? nil : issue.life?.goneIn
    return ending(of: issue) + (place(ofEnd: gone, closed: closed).map { " in \($0)" } ?? "")
  }

  /// Returns the integration that found an issue resolved, or those in one of which it ended if that is one of them.
  ///
  /// - Parameters:
  ///   - gone: the integrations whose commits ended it, if that is not just the one that found it resolved.
  ///   - closed: that one, if it is known.
  static func place(ofEnd gone: ClosedRange<Int>?, closed: Int?) -> String? {
    if let gone, gone.count > 1, gone.upperBound == closed ?? gone.upperBound { return either(of: gone) }
    return closed.map { "\($0)" }
  }

  /// Returns since when there is the issue, or from when until when it was open.
  static func streaks(of issue: Issue, record: IssueRecord?, tellsDoubts: Bool = true) -> [String] {
    streakPhrases(of: issue, record: record, tellsDoubts: tellsDoubts).map(\.text)
  }

  /// A part of a phrase, with the integration that follows it.
  struct Part: Hashable {
    var words: String
    var number: Int?

    var text: String { words + (number.map(String.init) ?? "") }
  }

  /// The same with the integrations that are named.
  ///
  /// - Parameter branch: on which the issue was before it came back, where that is to be said.
  static func streakPhrases(
    of issue: Issue, record: IssueRecord?, tellsDoubts: Bool = true, on branch: String? = nil
  ) -> [[Part]] {
    guard let life = issue.life else {
      return [[Part(words: issue.age == 0 ? "new" : "for \(CountText.counted(issue.age, "integration"))")]]
    }
    if issue.status.isOver {
      let opening = Part(words: "\(opening(of: life)) ", number: life.streakStart)
      let glue = life.mayBeOlder ? " or earlier, " : ", "
      let end = end(of: issue, closed: record?.streaks.last?.closed)
      return [[opening] + (dropped(life).map { [Part(words: glue)] + $0 } ?? [Part(words: "\(glue)\(end)")])]
    }
    let start = start(of: issue).map { [[Part(words: "\($0.words) ", number: $0.number), Part(words: $0.rest)]] } ?? []
    let doubts = tellsDoubts ? phrases(doubts(about: issue, record: record)) : []
    return start + before(life, on: branch) + reasonPhrases(life) + doubts
  }

  /// Returns the integration since which an open issue is there, with the words around its number; nil if not known.
  static func start(of issue: Issue) -> (words: String, number: Int, rest: String)? {
    guard let life = issue.life, !issue.status.isOver else { return nil }
    if life.cameBackFrom != nil { return (opening(of: life), life.streakStart, "") }
    if life.predates {
      return (issue.isUnchecked ? "open since" : "since", life.firstSeen, life.mayBeOlder ? " or earlier" : "")
    }
    return (issue.status == .new ? "new in" : issue.isUnchecked ? "open since" : "since", life.streakStart, "")
  }

  /// The words before the integration that began the last streak.
  static func opening(of life: IssueLife) -> String { life.cameBackFrom == nil ? "opened in" : "came back in" }

  /// Returns where an issue that came back was before.
  static func before(_ life: IssueLife, on branch: String?) -> [[Part]] {
    guard let last = life.cameBackFrom else { return [] }
    let first = Part(words: "before in ", number: life.firstSeen)
    let place = suffix(ofBranch: branch)
    if last == life.firstSeen { return [[first] + place] }
    // Of several streaks, only the first and the last integration are known.
    if life.streak > 2 { return [[first, Part(words: " and ", number: last)] + place] }
    return [[Part(words: "before in \(CountText.range(life.firstSeen, last))")] + place]
  }

  /// Returns what names a branch behind an integration; nothing without one.
  static func suffix(ofBranch branch: String?) -> [Part] { branch.map { [Part(words: " on \($0)")] } ?? [] }

  /// Returns since when an open issue has the reason that it has, if that is not the one that it began with.
  static func reasonPhrases(_ life: IssueLife) -> [[Part]] {
    life.reasonSince.map { [[Part(words: "for a new reason since ", number: $0)]] } ?? []
  }

  /// Returns that a new test ends where another one has done since an earlier integration; nothing if that is not known.
  static func ending(as elder: Issue) -> [Part] {
    guard let life = elder.life, let name = elder.testTitle else { return [] }
    let verb = elder.kind == .timeOut ? "hangs" : "crashes"
    return [Part(words: "\(verb) at the same line as \(name), since ", number: life.streakStart)]
  }

  /// Returns since when an open issue is there, in two words; nil if it is old, but not known how old.
  static func age(of issue: Issue) -> [Part]? {
    if issue.comeback != nil { return [Part(words: "came back")] }
    if issue.status == .new { return [Part(words: "new")] }
    return issue.life.map {
      [Part(words: "since ", number: $0.streakStart), Part(words: $0.mayBeOlder ? " or earlier" : "")]
    }
  }

  /// Returns since when nobody asks any more for what found an issue; nil while it is looked for.
  static func dropped(_ life: IssueLife) -> [Part]? {
    life.droppedIn.map { [Part(words: "\(Issue.Status.dropped.words) since ", number: $0)] }
  }

  /// Returns why an open issue may be gone by now; empty if it is certainly there.
  static func doubts(about issue: Issue, record: IssueRecord?) -> [String] {
    if issue.passedOnRetry { return ["passed on retry"] }
    guard issue.isCarriedOver, !issue.status.isOver else { return [] }
    // Which of the later integrations were of other branches, a record does not know.
    return ["not checked" + (record?.streaks.last.map { " since \($0.lastSeen)" } ?? "")]
  }

  /// Returns that an integration did not check an issue, where it was seen last unless it began there, and what became of
  /// its line since.
  ///
  /// - Parameter reason: why it did not check it; nil if that is not known.
  static func unchecked(_ record: IssueRecord, in number: Int, because reason: String?) -> [String] {
    let streak = record.streaks.last
    let seen = streak.flatMap { $0.lastSeen == $0.opened ? nil : "last seen in \($0.lastSeen)" }
    let missed = "not checked in \(number)" + (reason.map { ": \($0)" } ?? "")
    return [missed, seen, streak?.unchecked.flatMap(change)].compactMap(\.self)
  }

  /// Returns what commits did that probably ended an issue; nil if nothing tells.
  private static func change(_ unchecked: IssueRecord.Unchecked) -> String? {
    let place = unchecked.commits.integrations.map { " in \(either(of: $0))" } ?? ""
    return change(unchecked.ending).map { "\($0)\(place) (\(commits(of: unchecked.commits)))" }
  }

  /// Returns what became of the line of an issue that ended where nothing checked it; nil if nothing tells.
  private static func change(_ ending: IssueRecord.Ending?) -> String? {
    switch ending {
    case .fixed: "line changed"
    case .fileDeleted: "file deleted"
    case .testDeleted, .knownIssue, .passedAgain, .failsOtherwise, nil: nil
    }
  }

  /// The integrations in one of which an issue ended.
  static func either(of integrations: ClosedRange<Int>) -> String {
    let (first, last) = (integrations.lowerBound, integrations.upperBound)
    return first == last ? "\(first)" : last - first == 1 ? "\(first) or \(last)" : "one of \(first)–\(last)"
  }

  /// How long an issue was open in one streak.
  static func length(of streak: IssueRecord.Streak) -> String {
    (streak.isEndUnsure ? "up to " : "") + CountText.counted(streak.length, "integration")
  }

  /// The same in a list of streaks, of which the last may still be open.
  static func lasted(_ streak: IssueRecord.Streak) -> String {
    length(of: streak) + (streak.closed == nil ? " so far" : "")
  }

  /// The heading of what ended an issue.
  static func turn(forEndOf issue: Issue) -> String {
    issue.ending == .fixed && issue.kind != .gate ? "Fix" : word(forEndOf: issue).capitalizedFirst
  }

  /// Returns one commit by its name, or several by their number and the newest of them.
  static func commits(of resolution: IssueRecord.Resolution) -> String {
    let newest = resolution.commit.short
    return resolution.count == 1
      ? newest : "\(CountText.counted(resolution.count, "commit")) up to \(newest)"
  }

  /// Returns whose commits ended an issue, or which of two people's one may have: `Ada or Bob`; nil for more of them.
  static func people(of resolution: IssueRecord.Resolution) -> String? {
    let people = resolution.people ?? []
    return (1...2).contains(people.count) ? CountText.list(people, "or") : nil
  }

  /// Returns the extent of a silence, as the end of a sentence.
  package static func extent(of silence: Silence) -> String {
    if let bot = silence.bot { return "in \(bot)" }
    let scope =
      switch silence.scope {
      case .integration: "for commit \(silence.commit?.short ?? "?") only"
      case .streak: "until resolved"
      case .ever: "permanently"
      }
    guard let day = lastDay(of: silence) else { return scope }
    return silence.scope == .ever ? "through \(day)" : "\(scope), at most through \(day)"
  }

  /// Who silenced an issue, how long and why.
  package static func sentence(of silence: Silence) -> String {
    silence.isQuarantine ? terms(of: silence) : "silenced \(terms(of: silence))"
  }

  /// The same without the word for it.
  static func terms(of silence: Silence) -> String {
    let how = silence.isQuarantine ? "in quarantine" : "by \(silence.authorName)"
    return "\(how) \(extent(of: silence)): “\(silence.reason)”"
  }

  /// Returns that issues of a kind cannot be silenced; nil for those that can.
  static func alwaysCounts(_ kind: Issue.Kind) -> String? {
    switch kind {
    case .error, .linkerError: "Errors of the build cannot be silenced."
    case .quit: "A test that ends its process cannot be silenced."
    case .triggerError: "A failed trigger cannot be silenced."
    case .warning, .analyzerWarning, .testFailure, .crash, .timeOut, .sanitizer, .gate, .serviceError, .serviceWarning:
      nil
    }
  }

  /// Returns a phrase stating that a silence has ended.
  package static func end(of silence: Silence) -> String {
    let day = lastDay(of: silence).map { " on \($0)" } ?? ""
    if silence.isQuarantine { return "its quarantine ended\(day): “\(silence.reason)”" }
    return "the silence by \(silence.authorName) ended\(day): “\(silence.reason)”"
  }

  /// Returns the last day on which a silence applies; nil for one without an end.
  private static func lastDay(of silence: Silence) -> String? {
    if let day = silence.lastDay.flatMap(LocalTime.day) { return day }
    // From before the day was recorded: the day that ends at the instant, which is midnight somewhere near UTC.
    return silence.until.map { end in
      String(LocalTime.utc.minute(of: end.addingTimeInterval(-43_200)).prefix { $0 != "," })
    }
  }
}

extension [IssueWords.Part] {
  /// What they say, without links.
  var text: String { map(\.text).joined() }

  /// Returns the values of the template `phrase`.
  ///
  /// - Parameter link: returns the address of an integration's report, relative to the page; nil for one without.
  func record(_ link: (Int) -> String?) -> TemplateValue {
    let parts = map { part in
      let named = part.number.map { number in
        TemplateValue.record(["number": .text("\(number)"), "link": .optional(link(number))])
      }
      return TemplateValue.record(["words": .shown(part.words), "named": named ?? .missing])
    }
    return .record(["parts": .list(parts)])
  }
}

extension [[IssueWords.Part]] {
  /// Returns the phrases one after the other.
  func phrase(separator: String = "; ") -> [IssueWords.Part] {
    [IssueWords.Part](joined(separator: [IssueWords.Part(words: separator)]))
  }
}

extension Issue {
  /// Whether this integration is the first of which it is known, though it may be older.
  var hasNoPast: Bool { life.map { $0.predates && $0.streakAge == 0 } ?? false }
}
