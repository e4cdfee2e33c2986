import Model

/// The first cause of a red integration, on one line: a red test, an error of the build or a failed gate.
struct LeadingFinding: Sendable {
  /// The name of the test or the gate, or the beginning of the error.
  private let name: String
  /// The suite of the test, the line of the error, or what the gate found.
  private let context: String?
  /// Who probably caused it.
  private let suspect: String?
  /// Since when it is there: in words, and the integration if the words say no more than that.
  private let age: (words: [IssueWords.Part], since: Int?)?
  /// Whether it is a test that is known to fail by chance.
  private let isFlaky: Bool
  /// The integration that has the cause.
  private let number: Int
  /// The one that had it first; nil if that is not known.
  private let start: Int?
  /// The other cause, or how many others there are, with what is said of them, and the page; nil if there is none.
  private let other: Other?
  /// How many red issues of before it did not check, such as `2 not checked`; nil if there are none.
  private let unchecked: String?
  /// The issue's page, relative to the bot's folder; nil if there is none.
  let link: String?
  /// The word for the outcome, to stand above all causes: of which kinds they are, and where.
  let outcomeWord: String

  private static let kinds: Set<Issue.Kind> = [
    .error, .linkerError, .testFailure, .crash, .timeOut, .quit, .sanitizer, .gate,
  ]

  /// Nil if none of the issues made the integration red.
  ///
  /// - Parameters:
  ///   - open: the open issues of the document, in the order of lists.
  ///   - link: returns the path of a page of the report; nil if it has no such page.
  init?(of document: IntegrationRecord, among open: [IntegrationRecord.FlatIssue], link: (String) -> String?) {
    let found = open.filter { Self.kinds.contains($0.kind) && $0.carriedOver != true }
    let red = found.enumerated().map { (rank: FindingRank($0.element), index: $0.offset, issue: $0.element) }
      .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { $0.issue }
    guard let first = red.first else { return nil }
    let issue = Issue(first)
    let told = Self.told(issue, in: document)
    (name, context) = (told.name, told.context)
    let others = red.filter { $0.id != first.id }
    let suspect = document.suspect(of: issue)
    let accusations = Self.accusations(behind: others, besides: suspect?.names(of: issue), in: document)
    other = others.first.map { other in
      if others.count == 1 {
        let who = accusations.first.map { " (\($0.words))" } ?? ""
        let page = link(IssueIndex.path(of: other.id))
        return Other(before: "also\u{A0}", name: Self.told(Issue(other), in: document).short, rest: who, link: page)
      }
      return Other(name: Self.count(of: others), rest: Self.rest(of: others, accusations), link: link(IssueIndex.path))
    }
    self.suspect = suspect?.brief(of: issue, beside: issue.test == nil ? issue.location : nil)
    isFlaky = issue.test.map { test in document.tests.cases.first { $0.id == test }?.history?.flakyIn != nil } ?? false
    let beside = [isFlaky ? Self.flaky : nil, suspect?.accusation(of: issue)].compactMap(\.self)
    brief = ([told.name] + beside + [other?.text].compactMap(\.self)).joined(separator: " · ")
    let more =
      others.count > 1
      ? Self.count(of: others) + (Self.people(accusations).map { " (\($0))" } ?? "") : other?.text
    onWall = (told.name, (beside + [more].compactMap(\.self)).joined(separator: " · "))
    (number, start) = (document.number, first.life?.streakStart)
    let since = issue.status == .new ? document.number : issue.life?.predates == false ? issue.life?.streakStart : nil
    age = IssueWords.age(of: issue).map { ($0, issue.comeback == nil ? since : nil) }
    let missed = open.count { Self.kinds.contains($0.kind) && Issue($0).isUnchecked }
    unchecked = missed > 0 ? "\(CountText.plain(missed)) not checked" : nil
    outcomeWord = document.outcomeWord(naming: red)
    self.link = link(IssueIndex.path(of: issue.id))
  }

  private static let flaky = "known flaky"

  /// What is said of the other causes.
  private struct Other {
    /// What stands before the words of the link.
    var before = ""
    var name: String
    var rest: String
    var link: String?

    var text: String { before + name + rest }
  }

  /// Returns how many other causes there are, such as `2 more red issues`.
  private static func count(of others: [IntegrationRecord.FlatIssue]) -> String {
    // What ends the process makes an integration incomplete, not red.
    let noun = others.contains { $0.kind == .quit } ? "more issue" : "more red issue"
    return CountText.counted(others.count, noun)
  }

  /// Returns how many of the other causes are new, and who probably brought about some, such as `, 2 new (probably Noor)`
  /// where those are the new ones, and `, both new, 1 probably Noor`.
  private static func rest(of others: [IntegrationRecord.FlatIssue], _ accusations: [Accusation]) -> String {
    let new = others.filter { $0.status == .new && $0.life?.cameBackFrom == nil }
    let which =
      new.isEmpty
      ? "" : new.count < others.count ? CountText.plain(new.count) : CountText.agreeing(others.count - 1, "both", "all")
    let words = new.isEmpty ? "" : ", \(which) new"
    let isOfNew = !new.isEmpty && Set(accusations.map(\.issue.id)) == Set(new.map(\.id))
    guard let people = people(accusations, areCounted: !isOfNew) else { return words }
    return words + (isOfNew || new.isEmpty ? " (\(people))" : ", \(people)")
  }

  /// A cause with who brought it about.
  private struct Accusation {
    let issue: IntegrationRecord.FlatIssue
    let names: String
    /// Who, and how sure that is, to stand alone and behind a number.
    let (words, counted): (String, String)
    /// Is greater for what is less sure.
    let doubt: Int
  }

  /// The maximum number of other people that are named.
  private static let mostPeople = 2

  /// Returns those of the other causes that somebody else probably brought about, with who did, such as `probably Noor`.
  ///
  /// - Parameter told: who stands beside the first cause.
  private static func accusations(
    behind others: [IntegrationRecord.FlatIssue], besides told: String?, in document: IntegrationRecord
  ) -> [Accusation] {
    others.compactMap { other -> Accusation? in
      let issue = Issue(other)
      let suspects = [document.suspect(of: issue)].compactMap(\.self).named
      guard let suspect = suspects.first, suspect.names(of: issue) != told else { return nil }
      return Accusation(
        issue: other, names: suspect.names(of: issue), words: suspect.accusation(of: issue),
        counted: suspect.accusation(ofSeveralLike: issue), doubt: suspect.doubt(of: issue))
    }
  }

  /// Returns how many of the other causes somebody else probably brought about, such as `1 probably Noor` or `1 by Noor`, of
  /// several by one as sure as the least sure of them; nil if that is not known of any.
  ///
  /// - Parameter areCounted: whether the number of a single person's is told.
  private static func people(_ accusations: [Accusation], areCounted: Bool = true) -> String? {
    let groups = accusations.grouped(by: \.names)
    return groups.prefix(mostPeople).map { alike in
      let least = alike.dropFirst().reduce(alike[0]) { $1.doubt > $0.doubt ? $1 : $0 }
      return areCounted || groups.count > 1 ? "\(CountText.plain(alike.count)) \(least.counted)" : least.words
    }.nonEmpty?.joined(separator: ", ")
  }

  /// Returns the name of a cause, what stands beside it, and the shortest words for it in mid-sentence.
  private static func told(
    _ issue: Issue, in document: IntegrationRecord
  ) -> (name: String, context: String?, short: String) {
    if let test = issue.test {
      let result = document.tests.cases.first { $0.id == test }
      if issue.kind == .quit, let quit = result?.quit, !quit.isByTest {
        // The line stands behind who changed it.
        let sentence = quit.sentence(before: test.suite, tellsPlace: false)
        return (sentence, nil, sentence)
      }
      let name = result?.displayName ?? test.name
      return (name, test.home, name)
    }
    if let gate = document.gates?.first(where: { $0.rule == issue.gate }) {
      return (
        GateResult.title(ofRule: gate.rule), gate.finding(beside: document.baseline),
        GateResult.failure(ofRule: gate.rule)
      )
    }
    let message = FailureLine.brief(of: issue.message)
    let short = issue.gate.map(GateResult.failure(ofRule:)) ?? issue.location?.short ?? message
    return (message, issue.location?.short, short)
  }

  /// The cause without a place, who probably caused it, and how many others there are.
  let brief: String
  /// The same where nobody looks for more: the cause, and what stands beside it.
  let onWall: (name: String, rest: String)

  /// Returns the integration that has the cause, if a branch was red before it came, for something else.
  ///
  /// - Parameter told: the integration since which the branch is red; nil if none is told.
  func later(than told: Int?) -> Int? {
    guard let told, let start, start > told else { return nil }
    return number
  }

  /// - Parameters:
  ///   - folder: the path of the bot's folder from the page, with a slash at its end.
  ///   - told: the integration since which the branch is red, which stands beside it; nil if none does.
  ///   - address: returns the address of an integration's report, relative to that folder; nil for one without.
  func record(
    from folder: String = "", besides told: Int?, _ address: (Int) -> String? = { _ in nil }
  ) -> TemplateValue {
    let isTold = age.map { $0.since != nil && $0.since == told } ?? false
    let cause = link.map { "\(folder)\($0)#\(IssuePage.Turn.cause)" }
    return .record([
      "late": .optional(later(than: told).map { "\($0)" }),
      "name": .shown(name), "context": .shown(ifAny: context), "link": .optional(link.map { "\(folder)\($0)" }),
      "flaky": .optional(isFlaky ? Self.flaky : nil),
      "suspect": suspect.map { words in
        .record(["words": .shown(words), "link": .optional(cause), "isElsewhere": .flag(false)])
      } ?? .missing,
      "age": (isTold ? nil : age?.words).map { words in
        words.record { number in address(number).map { "\(folder)\($0)" } }
      } ?? .missing,
      "other": other.map { other in
        .record([
          "before": .text(other.before), "words": .shown(other.name),
          "link": .optional(other.link.map { "\(folder)\($0)" }), "isElsewhere": .flag(false),
          "rest": .shown(other.rest),
        ])
      } ?? .missing,
      "unchecked": .optional(unchecked),
    ])
  }
}
