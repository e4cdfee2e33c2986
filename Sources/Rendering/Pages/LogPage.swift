import Model

/// One page of a step's log.
struct LogPage {
  private let book: LogBook
  /// From 1.
  private let number: Int
  private let integration: Integration

  init(_ book: LogBook, number: Int, of integration: Integration) {
    self.book = book
    self.number = number
    self.integration = integration
  }

  var path: String { ReportPaths.log(book.step, page: number) }

  func frame(_ facts: ReportFacts) -> PageFrame {
    PageFrame(
      title: "\(heading) of \(integration.bot) \(integration.number)", root: "../", section: .logs,
      trail: [.init("Logs", path: "index.html#logs"), .init(heading)], facts: facts)
  }

  /// The values of the page; escape codes set on one page do not reach into the next.
  var record: [String: TemplateValue] {
    let lines = book.pages[number - 1]
    var writer = LogLine()
    let errors = lines.filter { $0.kind == .error && $0.isHead }.count
    let warnings = lines.filter { $0.kind == .warning && $0.isHead }.count
    return [
      "heading": .text(heading),
      "file": .text("log/\(book.step.rawValue).log"),
      "size": .text(ByteText.short(book.size)),
      "count": .text(CountText.counted(book.lineCount, "line")),
      "errors": .text(CountText.counted(errors, "error")),
      "warnings": .text(CountText.counted(warnings, "warning")),
      "errorCount": .text(CountText.plain(errors)),
      "issueCount": .text(CountText.plain(errors + warnings)),
      "hasIssues": .flag(errors + warnings > 0),
      "hasErrors": .flag(errors > 0),
      "range": .text(range(of: lines)),
      "pager": pager,
      "omitted": book.omitted.map { .text("\(CountText.plain($0.lowerBound)) to \(CountText.plain($0.upperBound))") }
        ?? .missing,
      "jumps": .list(lines.count > 40 ? jumps(in: lines) : []),
      "lines": .list(
        lines.map { line in
          .record([
            "number": .text("\(line.number)"), "isContinued": .flag(line.isContinued),
            "kind": .text(line.kind.rawValue), "html": .html(writer.html(of: line.bytes)),
          ])
        }),
    ]
  }

  private var heading: String {
    let name =
      switch book.step {
      case .building: "Build log"
      case .testing: "Test log"
      default: "\(book.step.word) log"
      }
    return number == 1 ? name : "\(name), page \(number)"
  }

  private func range(of lines: [LogBook.Line]) -> String {
    guard let first = lines.first, let last = lines.last else { return "empty" }
    return "lines \(CountText.plain(first.number)) to \(CountText.plain(last.number))"
  }

  private var pager: TemplateValue {
    let pages = book.pages.indices.map { "../\(ReportPaths.log(book.step, page: $0 + 1))" }
    return Pager(pages, current: number - 1, of: "the log").record
  }

  /// Links to the first findings of the page.
  private func jumps(in lines: [LogBook.Line]) -> [TemplateValue] {
    lines.filter { $0.kind == .error && $0.isHead }.prefix(20).map { line in
      let text = String(decoding: line.bytes.prefix(400), as: UTF8.self)
      return .record(["number": .text("\(line.number)"), "text": .shown(LogLine.plain(text))])
    }
  }
}

extension LogLine {
  /// A line without its escape codes, cut at 200 characters.
  static func plain(_ text: String) -> String {
    var plain = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar.value == 0x1B { isEscape = true }
      if !isEscape { plain.unicodeScalars.append(scalar) }
      if isEscape, scalar.properties.isAlphabetic { isEscape = false }
    }
    return String(plain.prefix(200))
  }
}
