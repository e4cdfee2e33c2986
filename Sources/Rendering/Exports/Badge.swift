package import Model

/// The subject of a badge.
package enum BadgeSubject: String, CaseIterable, Sendable {
  case outcome, coverage, tests
}

/// A small picture with two fields, a name and a message.
package struct Badge {
  /// Colours on which white text has a contrast of at least 4.5 (https://www.w3.org/TR/WCAG22/#contrast-minimum).
  enum Colour: String {
    case green = "#1a7f37"
    case blue = "#0969da"
    case amber = "#9a6700"
    case red = "#cf222e"
    case grey = "#57606a"
  }

  private let name: String
  private let message: String
  private let colour: Colour

  init(_ subject: BadgeSubject, of document: IntegrationRecord) {
    let subjectName = subject == .outcome ? document.bot : subject.rawValue
    name = [subjectName, document.cellName].compactMap(\.self).joined(separator: " ")
    switch subject {
    case .outcome:
      message = document.outcomeWord.lowercased() + (document.partialShare.map { " (\($0))" } ?? "")
      colour = document.outcome.colour
    case .tests:
      message = Self.tests(document)
      colour = document.outcome.colour
    case .coverage:
      (message, colour) = Self.coverage(document.coverage)
    }
  }

  /// A badge without a result yet.
  init(unknown name: String) {
    (self.name, message, colour) = (name, "unknown", .grey)
  }

  /// Returns the counts that matter; if nothing was counted, the reason. What is silenced is not among the red.
  private static func tests(_ document: IntegrationRecord) -> String {
    let (counts, aside) = (document.tests.counts, document.silencedCounts)
    // How those of other destinations ended is not counted by states.
    if document.judgedRed > document.countingRed, let red = TestSum.red(document.judgedRed) { return red }
    let silenced = [TestSum.silenced(aside.red)].compactMap(\.self)
    let bad = [
      (counts.failed - aside.failed, "failed"), (counts.crashed - aside.crashed, "crashed"),
      (counts.timedOut - aside.timedOut, "timed out"), (counts.notRun, "not run"),
    ].filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    if !bad.isEmpty { return (bad + silenced).joined(separator: ", ") }
    guard document.outcome.isGreen else { return document.outcomeWord.lowercased() }
    let leftOut = document.tests.only?.leftOut ?? 0
    let others = [
      (counts.expectedFailures, "known to fail"), (counts.skipped - leftOut, "skipped"), (leftOut, "left out"),
      (counts.canceled, "canceled"),
    ].filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    let flaky = counts.flaky > 0 ? ["\(CountText.plain(counts.flaky)) flaky"] : []
    let good = counts.listed == 0 ? ["none"] : ["\(CountText.plain(counts.steady)) passed"] + flaky
    return (good + silenced + others).joined(separator: ", ")
  }

  /// No share is good or bad in itself; only complete coverage is set apart.
  private static func coverage(_ coverage: IntegrationRecord.CoverageSection) -> (String, Colour) {
    guard let lines = coverage.totals?.lines, let share = CountText.percent(lines.covered, of: lines.total) else {
      return ("unknown", .grey)
    }
    guard coverage.complete else { return ("\(share), incomplete", .amber) }
    return (share, lines.uncovered == 0 ? .green : .blue)
  }
}

extension IntegrationRecord {
  /// How many of all tests ran, where some were left out.
  fileprivate var partialShare: String? { tests.only.flatMap { $0.isPartial ? $0.share : nil } }
}

extension Badge {
  /// Returns the badge for the state of a bot or a branch as SVG, even before its first result.
  ///
  /// - Parameter document: the integration that determines the state; nil if there is none.
  package static func standing(of bot: String, _ document: IntegrationRecord?, _ subject: BadgeSubject) -> String {
    (document.map { Badge(subject, of: $0) } ?? Badge(unknown: subject == .outcome ? bot : subject.rawValue)).text
  }

  /// The picture as SVG, without external content or scripts.
  var text: String {
    let name = Self.short(name)
    let message = Self.short(message)
    let (left, right) = (Self.width(of: name), Self.width(of: message))
    let width = left + right + 20
    let title = "\(name): \(message)"
    var xml = XMLText()
    xml.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "20", "role": "img",
        "aria-label": title,
      ]
    ) { xml in
      xml.element("title", text: title)
      xml.element("clipPath", ["id": "corners"]) {
        $0.element("rect", ["width": "\(width)", "height": "20", "rx": "3"])
      }
      xml.element("g", ["clip-path": "url(#corners)"]) { xml in
        xml.element("rect", ["width": "\(left + 10)", "height": "20", "fill": "#444c56"])
        xml.element(
          "rect", ["x": "\(left + 10)", "width": "\(right + 10)", "height": "20", "fill": colour.rawValue])
      }
      xml.element(
        "g",
        ["fill": "#fff", "font-family": "Verdana, DejaVu Sans, sans-serif", "font-size": "11", "aria-hidden": "true"]
      ) { xml in
        xml.element("text", ["x": "5", "y": "14", "textLength": "\(left)"], text: name)
        xml.element("text", ["x": "\(left + 15)", "y": "14", "textLength": "\(right)"], text: message)
      }
    }
    return xml.text
  }

  private static func short(_ text: String) -> String {
    let text = VisibleText.of(text)
    return text.count > 60 ? "\(text.prefix(59))…" : text
  }

  /// Returns the approximate width of a text in Verdana at 11 pixels; the picture stretches the text to exactly this.
  private static func width(of text: String) -> Int {
    let sum = text.reduce(0) { $0 + tenths(of: $1) }
    return max(sum, 10) / 10
  }

  private static func tenths(of character: Character) -> Int {
    switch character {
    case "i", "j", "l", "I", "|", "'": 31
    case " ", ".", ",", ":", ";": 41
    case "f", "t", "r", "(", ")", "-": 47
    case "m", "w", "M", "W", "%", "@": 105
    case "A"..."Z": 77
    default: character.isASCII ? 68 : 110
    }
  }
}

extension Outcome {
  fileprivate var colour: Badge.Colour {
    switch self {
    case .succeeded: .green
    case .warnings, .analyzerWarnings: .amber
    case .testFailures, .buildErrors, .triggerError, .incomplete: .red
    case .checkoutError, .internalError, .canceled: .grey
    }
  }
}
