import Model

/// What tests say about lines of source, by file and line: their messages as bubbles, and how each test ended where it is
/// declared.
struct FailureNotes {
  private static let mostPerLine = 20
  private static let longestMessage = 2000
  private static let longestReason = 100

  /// By path relative to the package, then by line.
  private(set) var bubbles: [String: [Int: [SafeHTML]]] = [:]
  /// How each test ended, at its declaration, by path and line.
  private(set) var verdicts: [String: [Int: [SafeHTML]]] = [:]
  /// The lines at which skipped tests are declared, by path.
  private(set) var skipped: [String: [Int]] = [:]
  /// What is said first of each file.
  private(set) var summaries: [String: SourceVerdict] = [:]

  /// - Parameters:
  ///   - testRow: the row of a test, and
  ///   - testPage: its page, if it has one, relative to the folder of the pages that show the bubbles.
  init(_ tests: TestReport, testRow: (TestID) -> String = { _ in "" }, testPage: (TestID) -> String?) {
    for test in tests.results {
      if let place = test.location {
        summaries[place.file, default: SourceVerdict()].declare(test)
        if test.state == .skipped { skipped[place.file, default: []].append(place.line) }
        if verdicts[place.file, default: [:]][place.line, default: []].count < Self.mostPerLine {
          verdicts[place.file, default: [:]][place.line, default: []].append(
            Self.verdict(of: test, link: testPage(test.id) ?? testRow(test.id)))
        }
      }
      let ofCases = (test.arguments ?? []).flatMap { argument in
        argument.failures.map { (failure: $0, name: Optional(TestHeadline.arguments(argument.display, of: test.id))) }
      }
      let cases = Set(ofCases.map(\.failure))
      let own = test.badEnds.filter { !cases.contains($0) }.map { (failure: $0, name: String?.none) }
      let kept = tests.results.kept(fromBeginningWith: test).map(\.id)
      for (failure, name) in own + ofCases {
        add(
          failure, of: test, caseName: name, as: test.isFlaky ? .flaky : .failed, keeping: kept,
          page: testPage(test.id))
      }
      for issue in test.knownIssues {
        add(issue, of: test, caseName: nil, as: .known, page: testPage(test.id))
      }
    }
  }

  /// What a message means for its test.
  enum Kind {
    case failed
    /// The test passed in a later attempt.
    case flaky
    case known
  }

  private mutating func add(
    _ failure: TestFailure, of test: TestResult, caseName: String?, as kind: Kind, keeping kept: [TestID] = [],
    page: String?
  ) {
    guard let place = failure.location else { return }
    summaries[place.file, default: SourceVerdict()]
      .count(kind, failure, of: test, keeping: kept, at: place.line, page: page)
    let count = bubbles[place.file]?[place.line]?.count ?? 0
    guard count < Self.mostPerLine else {
      if count == Self.mostPerLine {
        bubbles[place.file]?[place.line]?.append(SafeHTML("<span>More was said about this line; see the tests.</span>"))
      }
      return
    }
    // The end of a test has the glyph that stands beside its declaration.
    let isQuit = test.quit != nil && test.quit?.location == place
    let glyph =
      kind != .failed
      ? kind.glyph : isQuit ? TestResult.quitGlyph : failure.end != nil ? test.state.glyph : kind.glyph
    let others = kept.isEmpty ? "" : " and \(CountText.counted(kept.count, "more test"))"
    let name = name(of: test, caseName: caseName) + others
    let bubble = Self.bubble(failure, name: name, as: kind, glyph, page: page)
    bubbles[place.file, default: [:]][place.line, default: []].append(bubble)
  }

  private func name(of test: TestResult, caseName: String?) -> String {
    let name = test.displayName ?? test.id.name
    return caseName.map { "\(name), \($0)" } ?? name
  }

  /// Returns the end of a test as it stands beside its declaration, with a link to more.
  private static func verdict(of test: TestResult, link: String) -> SafeHTML {
    var html = SafeHTML("<span class=\"st is-")
    html.append(escaping: test.glyph)
    html.append("\">")
    html.append(glyph(test.glyph))
    html.append(linkTo: link)
    html.append(escaping: test.stateWord)
    html.append("</a></span>")
    if test.state == .skipped, let reason = test.skipReason {
      html.append(": ")
      html.append(escaping: VisibleText.of(String(FailureLine.firstLine(reason).prefix(longestReason))))
    }
    return html
  }

  private static func glyph(_ name: String) -> SafeHTML {
    var html = SafeHTML("<svg class=\"g is-")
    html.append(escaping: name)
    html.append("\" aria-hidden=\"true\"><use href=\"#")
    html.append(escaping: name)
    html.append("\"/></svg>")
    return html
  }

  private static func bubble(
    _ failure: TestFailure, name: String, as kind: Kind, _ glyph: String, page: String?
  ) -> SafeHTML {
    var html = Self.glyph(glyph)
    html.append("<span>")
    html.append(escaping: kind.lead)
    if let page { html.append(linkTo: page) }
    html.append("<b>")
    html.append(escaping: VisibleText.of(String(name.prefix(300))))
    html.append(page == nil ? "</b>" : "</b></a>")
    if let conditions = failure.parsed.flatMap(FailureLine.conditions) {
      html.append(": ")
      append(conditions, to: &html)
    } else if let parsed = failure.parsed, !parsed.operandsPrintAlike, let operands = Operands(parsed) {
      append(operands, note: parsed.note ?? "", to: &html)
    } else if failure.end != nil {
      // Its message begins with how the test ended.
      html.append(" ")
      append(failure.message.lowercasedFirst, to: &html)
    } else {
      html.append(": ")
      append(failure.message, to: &html)
    }
    html.append("</span>")
    return html
  }

  /// Appends the author's words and, one above the other, the values compared.
  private static func append(_ operands: Operands, note: String, to html: inout SafeHTML) {
    if !note.isEmpty {
      html.append(": ")
      html.append(escaping: VisibleText.of(FailureLine.firstLine(note)))
    }
    html.append(#"<span class="operands"><span></span><span class="val a">"#)
    let brief = operands.brief()
    append(brief.first, to: &html)
    html.append("</span><span>")
    html.append(escaping: VisibleText.of(operands.relation))
    html.append(#"</span><span class="val b">"#)
    append(brief.second, to: &html)
    html.append("</span></span>")
  }

  private static func append(_ pieces: [WordDifference.Piece], to html: inout SafeHTML) {
    for piece in pieces {
      html.append(piece.differs ? "<mark>" : "")
      html.append(escaping: VisibleText.of(piece.text))
      html.append(piece.differs ? "</mark>" : "")
    }
  }

  private static func append(_ message: String, to html: inout SafeHTML) {
    let message =
      message.utf8.count > longestMessage
      ? String(decoding: Array(message.utf8.prefix(longestMessage)), as: UTF8.self) + " …" : message
    for (index, line) in message.split(separator: "\n", omittingEmptySubsequences: true).enumerated() {
      if index > 0 { html.append("<br>") }
      html.append(escaping: VisibleText.of(String(line)))
    }
  }
}
