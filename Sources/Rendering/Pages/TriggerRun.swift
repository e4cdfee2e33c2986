import Model

/// The run of the script that the issue of a failed trigger is about, as a log has it.
struct TriggerRun {
  /// The most lines that the page of the issue shows of what the script printed.
  private static let most = 40

  /// Where its last line is, or else the one that says how it ended, relative to the top of the report.
  let link: String
  /// The number of that line.
  let line: Int
  /// What it printed, without blank lines at the end.
  private let output: [LogBook.Line]

  /// Nil for any other issue, without the log, and if several scripts failed in it, which it does not tell apart.
  init?(of issue: Issue, in books: [LogBook]) {
    guard issue.isFound, issue.kind == .triggerError, let code = issue.subject?.code else { return nil }
    let step = code == .beforeTrigger ? Step.beforeTriggers : .afterTriggers
    guard let book = books.first(where: { $0.step == step }) else { return nil }
    var found: [TriggerRun] = []
    var (output, last): ([LogBook.Line], (link: String, line: Int)?) = ([], nil)
    for (index, page) in book.pages.enumerated() {
      for line in page {
        let here = (link: "\(ReportPaths.log(step, page: index + 1))#L\(line.number)", line: line.number)
        if line.badEnd != nil { found.append(TriggerRun(last ?? here, output: output)) }
        if line.kind == .command || line.kind == .end {
          (output, last) = ([], nil)
        } else {
          output.append(line)
          if !line.isBlank, !line.isContinued { last = here }
        }
      }
    }
    guard found.count == 1 else { return nil }
    self = found[0]
  }

  private init(_ last: (link: String, line: Int), output: [LogBook.Line]) {
    (link, line) = last
    self.output = Array(output.prefix((output.lastIndex { !$0.isBlank } ?? -1) + 1))
  }

  /// The last line that it printed, for the template `last-line`, without its link; missing if it printed nothing.
  var lastLine: TemplateValue {
    guard let line = output.last(where: { !$0.isContinued }) else { return .missing }
    return .record(["text": .shown(line.text), "link": .missing])
  }

  /// The end of what it printed; missing if that is nothing.
  var record: TemplateValue {
    guard !output.isEmpty else { return .missing }
    var (writer, html) = (LogLine(), SafeHTML())
    for line in output.suffix(Self.most) {
      html.append(writer.html(of: line.bytes))
      html.append("\n")
    }
    let left = output.count - Self.most
    return .record([
      "lines": .html(html), "left": left > 0 ? .text(CountText.counted(left, "earlier line")) : .missing,
      "link": .text("../\(link)"),
    ])
  }
}

extension LogBook.Line {
  fileprivate var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}
