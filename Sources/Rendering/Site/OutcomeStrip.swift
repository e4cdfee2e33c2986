import Model

/// The recent integrations as a row of bars, oldest first; outcomes differ in shape as well as in colour.
struct OutcomeStrip {
  /// The maximum number of bars.
  static let length = 20

  /// Oldest first.
  private let entries: [Entry]
  /// A bar, what it stands for, the other branch that it is of, and the integration with the page to which it leads; nil
  /// for none.
  private typealias Entry = (bar: StripBar, word: String, branch: String?, page: (number: Int, link: String)?)

  /// The words of the legend.
  private let words: [StripBar: String]
  /// A suffix that names the branch; empty for a bot with one branch, and for a test.
  private let place: String
  /// Whether they are the newest of all, or of more than it shows.
  private let isOfLast: Bool

  /// - Parameters:
  ///   - newestFirst: the history of a bot; entries that do not fit are left out.
  ///   - place: a suffix that names the branch; empty for a bot with one branch.
  init(_ newestFirst: [HistoryLine], isRunning: Bool, place: String = "") {
    let finished = newestFirst.prefix(Self.length - (isRunning ? 1 : 0)).reversed().map {
      Entry(bar: StripBar($0.outcome), word: $0.lowercasedOutcome, branch: nil, page: nil)
    }
    entries = finished + (isRunning ? [(.running, "running", nil, nil)] : [])
    words = [
      .passed: "green", .warned: "warnings or flaky", .incomplete: "incomplete", .unbuilt: "build errors", .red: "red",
      .none: "canceled", .running: "running",
    ]
    self.place = place
    isOfLast = true
  }

  /// Shows the results of one test; those of other branches are underlined.
  ///
  /// - Parameters:
  ///   - branch: the branch that needs no mark.
  ///   - link: returns the page of an integration.
  init(of test: TestHistory, on branch: String?, link: (Int) -> String? = { _ in nil }) {
    entries = test.moments.prefix(Self.length).reversed().map { moment in
      let verdict = moment.verdict
      let bar: StripBar =
        switch verdict.state {
        case .failed, .crashed, .timedOut: .red
        case .passed, .expectedFailure: verdict.isFlaky ? .warned : .passed
        case .notRun where verdict.isQuit: .incomplete
        case .canceled, .skipped, .notRun: .none
        }
      let other = moment.branch == branch ? nil : moment.branch
      // Commas are between bars.
      let end = verdict.isFlaky && !verdict.state.isRed ? nil : verdict.endWord.lowercased()
      let word = [end, verdict.isFlaky ? "flaky" : nil].compactMap(\.self).joined(separator: " and ")
      return (bar, word + (other.map { " on \($0)" } ?? ""), other, link(moment.number).map { (moment.number, $0) })
    }
    words = [.passed: "passed", .warned: "flaky", .incomplete: "quit", .red: "failed", .none: "no result"]
    place = ""
    isOfLast = test.moments.count > Self.length
  }

  /// The number of bars.
  var count: Int { entries.count }

  /// Whether any is of another branch.
  var hasOthers: Bool { entries.contains { $0.branch != nil } }

  var html: SafeHTML {
    var html = SafeHTML(#"<svg class="strip wide"#)
    html.append(hasOthers ? #" lined" width=""# : #"" width=""#)
    html.append(number: 11 * count)
    html.append(hasOthers ? #"" height="31" viewBox="0 0 "# : #"" height="26" viewBox="0 0 "#)
    html.append(number: 11 * count)
    html.append(hasOthers ? " 31" : " 26")
    // What is a picture has no links.
    html.append(entries.contains { $0.page != nil } ? #"" role="group" aria-label=""# : #"" role="img" aria-label=""#)
    html.append(escaping: label)
    html.append(#"">"#)
    html.append(title: label)
    for (index, entry) in entries.enumerated() {
      let x = 1 + 11 * index
      if entry.branch != nil { html.appendLine(at: x) }
      guard let page = entry.page else {
        html.append(entry.bar, at: x)
        continue
      }
      html.append(#"<a href=""#)
      html.append(escaping: page.link)
      html.append(#"">"#)
      html.append(title: "\(page.number), \(entry.word)")
      html.append(entry.bar, at: x)
      html.append("</a>")
    }
    html.append("</svg>")
    return html
  }

  var label: String {
    guard !entries.isEmpty else { return "No integration yet" }
    return (isOfLast ? "The last " : "") + "\(CountText.counted(entries.count, "integration"))\(place), oldest first: "
      + entries.map(\.word).joined(separator: ", ")
  }

  /// Returns the bars of strips of one kind with their words; missing without bars, and where all is green, which needs
  /// no words.
  static func legend(of strips: [OutcomeStrip]) -> TemplateValue {
    let shown = Set(strips.flatMap { $0.entries.map(\.bar) })
    let hasOthers = strips.contains(where: \.hasOthers)
    guard let words = strips.first?.words, hasOthers || !shown.isSubset(of: [.passed]) else { return .missing }
    func sample(_ draw: (inout SafeHTML) -> Void, _ words: String?) -> TemplateValue {
      var html = SafeHTML(#"<svg class="strip" width="10" height="26" viewBox="0 0 10 26" aria-hidden="true">"#)
      draw(&html)
      html.append("</svg>")
      return .record(["bar": .html(html), "words": .optional(words)])
    }
    return .record([
      "bars": .list(
        StripBar.allCases.filter(shown.contains).map { bar in sample({ $0.append(bar, at: 1) }, words[bar]) }
          + (hasOthers ? [sample({ $0.appendLine(at: 1, low: 24) }, "another branch")] : []))
    ])
  }
}

/// The shape of one result.
private enum StripBar: CaseIterable {
  case passed, warned, incomplete, unbuilt, red, none, running

  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .succeeded: .passed
      case .warnings, .analyzerWarnings: .warned
      case .incomplete: .incomplete
      case .buildErrors: .unbuilt
      case .testFailures, .triggerError, .checkoutError, .internalError: .red
      case .canceled: .none
      }
  }
}

extension SafeHTML {
  fileprivate mutating func append(_ bar: StripBar, at x: Int) {
    switch bar {
    case .passed: append("f-green", x, "10h8v16h-8z")
    case .warned: append("f-amber", x, "26v-11l4-6 4 6v11z")
    case .incomplete: append("f-amber", x, "0h8v4h-8zm0 7h8v4h-8zm0 7h8v12h-8z")
    case .unbuilt: append("f-red", x, "0h8v11h-8zm0 15h8v11h-8z")
    case .red: append("f-red", x, "0h8v26h-8z")
    case .none: append("s-ink", x, "22h8")
    case .running: append("f-accent", x, "10h8v16h-8zm2 2v12h4v-12z")
    }
  }

  /// Appends the line below a bar.
  fileprivate mutating func appendLine(at x: Int, low y: Int = 30) {
    append(#"<path class="s-ink" d="M"#)
    append(number: x)
    append(" ")
    append(number: y)
    append(#"h8"/>"#)
  }

  private mutating func append(_ style: StaticString, _ x: Int, _ shape: StaticString) {
    append(#"<path class=""#)
    append(style)
    append(#"" d="M"#)
    append(number: x)
    append(" ")
    append(shape)
    append(#""/>"#)
  }
}
