import Model

/// The page that compares two integrations.
package struct ComparisonPage {
  /// Where the page lies, relative to the top of a report.
  package static let path = "compare.html"
  /// How many rows a table has at most.
  static let most = 300

  /// The ways to the two reports; nil where there is none to lead to.
  struct Links: Sendable {
    var before: String?
    var after: String?
    /// To what the second report says of a test.
    var test: @Sendable (TestID) -> String? = { _ in nil }
    /// To the page of a source in the second report, or to a line of it.
    var source: @Sendable (String, Int?) -> String? = { _, _ in nil }
    /// How many changed files have no page of their source although others have one.
    var filesLeft = 0
  }

  let comparison: IntegrationComparison
  let words: ComparisonWords
  let links: Links
  let time: LocalTime

  init(_ comparison: IntegrationComparison, links: Links = Links(), time: LocalTime) {
    self.comparison = comparison
    self.links = links
    self.time = time
    words = ComparisonWords(comparison)
  }

  var title: String { words.headline }

  var record: [String: TemplateValue] {
    [
      "glyph": .text(comparison.after.outcome.glyph), "sentence": .shown(words.headline),
      "before": .shown(words.before), "after": .shown(words.after),
      "sides": .list([
        side(comparison.before, words.before, link: links.before),
        side(comparison.after, words.after, link: links.after),
      ]),
      "relation": .shown(words.relation), "caution": .shown(ifAny: words.caution),
      "isAlike": .flag(comparison.circumstances.isEmpty),
      "circumstances": circumstances, "counts": counts, "steps": steps, "tests": tests, "measured": measured,
      "coverage": coverage, "places": places,
      "functions": functions,
      "issues": issues, "commits": commits,
    ]
  }

  private func side(_ side: IntegrationComparison.Side, _ label: String, link: String?)
    -> TemplateValue
  {
    .record([
      "glyph": .text(side.outcome.glyph), "label": .shown(label), "link": .optional(link),
      "word": .text(side.outcome.lowercasedWord(isFailedGate: side.isFailedGate)),
      "commit": .text(side.commit.id.short),
      "branch": .shown(ifAny: side.branch), "date": .text(time.minute(of: side.startedAt)),
      "machineDate": .text(time.machine(of: side.startedAt)),
      "isUp": .flag(side == comparison.before),
    ])
  }

  private var circumstances: TemplateValue {
    guard !comparison.circumstances.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        comparison.circumstances.map { change in
          .record([
            "name": .shown(change.name), "before": .shown(ifAny: change.before), "after": .shown(ifAny: change.after),
          ])
        })
    ])
  }

  private var counts: TemplateValue {
    .list(
      comparison.counts.filter { !$0.isIdle }.map { count in
        .record([
          "label": .text(count.name.label), "before": .text(count.before.map(CountText.plain) ?? "–"),
          "after": .text(count.after.map(CountText.plain) ?? "–"), "delta": count.delta.record,
        ])
      })
  }

  private var steps: TemplateValue {
    /// How long something takes with a build in it is only compared where the builds are alike.
    func row(
      _ label: String, _ before: Double?, _ after: Double?, isBuild: Bool, isTotal: Bool = false
    ) -> TemplateValue {
      func told(_ seconds: Double?, _ side: IntegrationComparison.Side) -> TemplateValue {
        guard let seconds else { return .text("not taken") }
        return .text(isBuild && !isTotal ? words.duration(seconds, of: side) : DurationText.short(seconds))
      }
      let isAlike = !isBuild || comparison.haveLikeBuilds
      let delta = before.flatMap { before in after.map { Delta(seconds: $0, from: before) } }
      return .record([
        "label": .text(label), "before": told(before, comparison.before), "after": told(after, comparison.after),
        "delta": isAlike ? delta.record : .missing, "isTotal": .flag(isTotal),
      ])
    }
    let rows = comparison.steps.map { row($0.name.word, $0.before, $0.after, isBuild: $0.name == .building) }
    let (before, after) = (comparison.before.duration, comparison.after.duration)
    return .list(rows + [row("Total", before, after, isBuild: true, isTotal: true)])
  }

  private var tests: TemplateValue {
    let rows = words.testGroups.flatMap { group in group.tests.map { (group.word, $0) } }
    return .record([
      "summary": .shown(words.testSummary), "reason": .shown(ifAny: comparison.tests.reason),
      "remarks": .list(comparison.tests.remarks.map { .shown($0) }),
      "hasRows": .flag(!rows.isEmpty), "rows": .list(rows.prefix(Self.most).map { row($1, word: $0) }),
      "left": rows.count > Self.most ? .text(CountText.counted(rows.count - Self.most, "more test")) : .missing,
      "rule": comparison.tests.slower.isEmpty && comparison.tests.faster.isEmpty ? .missing : .text(words.paceRule),
    ])
  }

  private func row(_ test: TestChange, word: String) -> TemplateValue {
    let isTimed = word == "slower" || word == "faster"
    let failure = (test.after?.state.isRed ?? test.before?.state.isRed) == true ? test.failure : nil
    let (file, line) = failure?.file == nil ? (test.file, test.line) : (failure?.file, failure?.line)
    let place = file.flatMap { file in line.map { SourceLocation(file: file, line: $0).short } }
    return .record([
      "name": .shown(test.title), "suite": .shown(test.id.suite), "link": .optional(links.test(test.id)),
      "isStop": .flag(word == "went red"), "before": Self.state(of: test.before, isTimed: isTimed),
      "after": Self.state(of: test.after, isTimed: isTimed), "word": .text(word),
      "say": .shown(ifAny: failure.map { FailureLine.firstLine($0.message) }), "place": .shown(ifAny: place),
    ])
  }

  private static func state(of side: TestChange.Side?, isTimed: Bool) -> TemplateValue {
    guard let side else { return .missing }
    let isFlaky = side.isFlaky && side.state == .passed
    return .record([
      "glyph": .text(isFlaky ? "flaky" : side.quit == nil ? side.state.glyph : "incomplete"),
      "word": .text(side.word + (isFlaky ? ", flaky" : "")),
      "time": isTimed ? .text(DurationText.short(side.duration)) : .missing,
    ])
  }
}
