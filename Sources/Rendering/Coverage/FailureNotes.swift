import Model

/// The messages of tests about lines of source, as bubbles by file and line.
struct FailureNotes {
  private static let mostPerLine = 20
  private static let longestMessage = 2000

  /// By path relative to the package, then by line.
  private(set) var bubbles: [String: [Int: [SafeHTML]]] = [:]
  /// The number of failures recorded in each file, not counting known issues.
  private(set) var failures: [String: Int] = [:]

  /// - Parameter testPage: the page of a test, relative to the folder of the pages that show the bubbles.
  init(_ tests: TestReport, testPage: (TestID) -> String?) {
    for test in tests.results {
      let ofCases = (test.arguments ?? []).flatMap { argument in
        argument.failures.map { (failure: $0, name: Optional(argument.display)) }
      }
      let cases = Set(ofCases.map(\.failure))
      let own = test.badEnds.filter { !cases.contains($0) }.map { (failure: $0, name: String?.none) }
      for (failure, name) in own + ofCases {
        add(failure, of: test, caseName: name, isKnown: false, page: testPage(test.id))
      }
      for issue in test.knownIssues {
        add(issue, of: test, caseName: nil, isKnown: true, page: testPage(test.id))
      }
    }
  }

  private mutating func add(
    _ failure: TestFailure, of test: TestResult, caseName: String?, isKnown: Bool, page: String?
  ) {
    guard let place = failure.location else { return }
    if !isKnown { failures[place.file, default: 0] += 1 }
    let count = bubbles[place.file]?[place.line]?.count ?? 0
    guard count < Self.mostPerLine else {
      if count == Self.mostPerLine {
        bubbles[place.file]?[place.line]?.append(SafeHTML("<span>More was said about this line; see the tests.</span>"))
      }
      return
    }
    let bubble = Self.bubble(failure, name: name(of: test, caseName: caseName), isKnown: isKnown, page: page)
    bubbles[place.file, default: [:]][place.line, default: []].append(bubble)
  }

  private func name(of test: TestResult, caseName: String?) -> String {
    let name = test.displayName ?? test.id.name
    return caseName.map { "\(name), \($0)" } ?? name
  }

  private static func bubble(_ failure: TestFailure, name: String, isKnown: Bool, page: String?) -> SafeHTML {
    var html =
      isKnown
      ? SafeHTML(##"<svg class="g is-known" aria-hidden="true"><use href="#known"/></svg><span>Known issue in "##)
      : SafeHTML(##"<svg class="g is-failed" aria-hidden="true"><use href="#failed"/></svg><span>"##)
    if let page {
      html.append(#"<a href=""#)
      html.append(escaping: page)
      html.append(#"">"#)
    }
    html.append("<b>")
    html.append(escaping: VisibleText.of(String(name.prefix(300))))
    html.append(page == nil ? "</b>" : "</b></a>")
    if let parsed = failure.parsed, !parsed.operandsPrintAlike, let operands = Operands(parsed) {
      append(operands, note: parsed.note ?? "", to: &html)
    } else {
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
    append(Operands.brief(operands.first), to: &html)
    html.append("</span><span>")
    html.append(escaping: VisibleText.of(operands.relation))
    html.append(#"</span><span class="val b">"#)
    append(Operands.brief(operands.second), to: &html)
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
    html.append(": ")
    let message =
      message.utf8.count > longestMessage
      ? String(decoding: Array(message.utf8.prefix(longestMessage)), as: UTF8.self) + " …" : message
    for (index, line) in message.split(separator: "\n", omittingEmptySubsequences: true).enumerated() {
      if index > 0 { html.append("<br>") }
      html.append(escaping: VisibleText.of(String(line)))
    }
  }
}
