import Model

/// Where the build log tells more of an error than its page.
extension IssuePage {
  /// The link to an error without a place in a source, or to what a compiler was doing that crashed.
  var log: TemplateValue { logLink.map { linked(issue.location == nil ? "log" : "stack dump", to: $0) } ?? .missing }

  /// Nil for any other issue, and without the log.
  private var logLink: String? {
    guard issue.kind == .error, issue.isFound, issue.location?.column == nil,
      let book = report.books.first(where: { $0.step == .building })
    else { return nil }
    let message = Array(FailureLine.firstLine(issue.message).utf8)
    for (index, lines) in book.pages.enumerated() {
      let number =
        issue.location.map { Self.number(ofCrashAt: $0, in: lines) }
        ?? lines.first { line in
          line.isFinding && line.isHead && line.bytes.firstRange(ofBytes: message) != nil
        }?.number
      if let number { return "../\(ReportPaths.log(book.step, page: index + 1))#L\(number)" }
    }
    return nil
  }

  /// Returns the line of the stack dump that says what a compiler did at a place when it crashed.
  private static func number(ofCrashAt place: SourceLocation, in lines: [LogBook.Line]) -> Int? {
    LogKinds.crashes(in: lines).first { $0.entry.place == place }?.number
  }
}
