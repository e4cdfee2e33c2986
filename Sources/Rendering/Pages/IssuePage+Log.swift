import Model

/// Where a log tells more than the page of an issue.
extension IssuePage {
  /// The link to where a compiler printed it, to what it was doing when it crashed, or to how a test or a trigger ended.
  var log: TemplateValue {
    if let link = endLink ?? printedLink ?? triggerRun?.link { return linked("log", to: "../\(link)") }
    return errorLink.map { linked(issue.location == nil ? "log" : "stack dump", to: $0) } ?? .missing
  }

  /// Nil for any other issue than that of a trigger.
  var triggerRun: TriggerRun? { TriggerRun(of: issue, in: report.books) }

  /// Nil for any other issue than that of a test, and without the log.
  private var endLink: String? {
    guard issue.kind.isOfRedTest || [.quit, .sanitizer].contains(issue.kind), issue.isFound else { return nil }
    return issue.test.flatMap { own.tests[$0] }.flatMap(own.logLines.link).map { report.place(of: own) + $0 }
  }

  /// Nil for what no compiler found at a column of a source, and without the log.
  private var printedLink: String? {
    let severities: [Issue.Kind: Diagnostic.Severity] = [
      .error: .error, .warning: .warning, .analyzerWarning: .warning,
    ]
    guard issue.isFound, issue.location?.column != nil, let severity = severities[issue.kind] else { return nil }
    return report.diagnosticPlaces.link(
      of: Diagnostic(severity: severity, message: issue.message, location: issue.location))
  }

  /// Nil for any other issue than an error without a column, and without the log.
  private var errorLink: String? {
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
