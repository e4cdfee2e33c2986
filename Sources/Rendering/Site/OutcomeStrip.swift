import Model

/// The recent integrations as a row of bars, oldest first; outcomes differ in shape as well as in colour.
struct OutcomeStrip {
  /// The maximum number of bars.
  static let length = 20

  /// Oldest first.
  private let entries: [(outcome: Outcome, word: String)]
  private let isRunning: Bool
  /// The width in bars; strips in a column have the same width, so that they end together.
  private let room: Int

  /// - Parameter newestFirst: the history of a bot; entries that do not fit are left out.
  init(_ newestFirst: [HistoryLine], isRunning: Bool) {
    entries = newestFirst.prefix(Self.length - (isRunning ? 1 : 0)).reversed().map {
      ($0.outcome, $0.lowercasedOutcome)
    }
    self.isRunning = isRunning
    room = Self.length
  }

  /// Shows the results of one test.
  init(of test: TestHistory) {
    entries = test.moments.prefix(Self.length).reversed().map { moment in
      let verdict = moment.verdict
      let outcome: Outcome =
        switch verdict.state {
        case .failed, .crashed, .timedOut: .testFailures
        case .passed, .expectedFailure: verdict.isFlaky ? .warnings : .succeeded
        case .canceled, .skipped, .notRun: .canceled
        }
      return (outcome, verdict.isFlaky ? "flaky" : verdict.state.word.lowercased())
    }
    isRunning = false
    room = entries.count
  }

  var html: SafeHTML {
    var html = SafeHTML(
      #"<svg class="strip wide" width=""#)
    html.append(number: 11 * room)
    html.append(#"" height="26" viewBox="0 0 "#)
    html.append(number: 11 * room)
    html.append(#" 26" role="img" aria-label=""#)
    html.append(escaping: label)
    html.append(#"">"#)
    html.append(title: label)
    let count = entries.count + (isRunning ? 1 : 0)
    for (index, entry) in entries.enumerated() {
      append(entry.outcome, at: 1 + 11 * (room - count + index), to: &html)
    }
    if isRunning { html.append(#"<path class="f-accent" d="M210 10h8v16h-8zM212 12v12h4v-12z" fill-rule="evenodd"/>"#) }
    html.append("</svg>")
    return html
  }

  var label: String {
    let words = entries.map(\.word) + (isRunning ? ["running"] : [])
    guard !words.isEmpty else { return "No integration yet" }
    return "The last \(CountText.counted(words.count, "integration")), oldest first: \(words.joined(separator: ", "))"
  }

  private func append(_ outcome: Outcome, at x: Int, to html: inout SafeHTML) {
    switch outcome {
    case .succeeded:
      html.append(#"<rect class="f-green" x=""#)
      html.append(number: x)
      html.append(#"" y="10" width="8" height="16"/>"#)
    case .warnings, .analyzerWarnings: path("f-amber", x, "26v-11l4-6 4 6v11z", to: &html)
    case .incomplete:
      path("f-amber", x, "0h8v4h-8z", to: &html)
      path("f-amber", x, "7h8v4h-8z", to: &html)
      path("f-amber", x, "14h8v12h-8z", to: &html)
    case .buildErrors:
      path("f-red", x, "0h8v11h-8z", to: &html)
      path("f-red", x, "15h8v11h-8z", to: &html)
    case .canceled: path("s-ink", x, "22h8", to: &html)
    case .testFailures, .triggerError, .checkoutError, .internalError: path("f-red", x, "0h8v26h-8z", to: &html)
    }
  }

  private func path(_ style: StaticString, _ x: Int, _ shape: StaticString, to html: inout SafeHTML) {
    html.append(#"<path class=""#)
    html.append(style)
    html.append(#"" d="M"#)
    html.append(number: x)
    html.append(" ")
    html.append(shape)
    html.append(#""/>"#)
  }
}
