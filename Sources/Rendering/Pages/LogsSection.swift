import Model

/// The logs of an integration, as links to their pages.
struct LogsSection {
  private let books: [LogBook]

  init(_ books: [LogBook]) {
    self.books = books
  }

  var record: TemplateValue {
    .record(["isEmpty": .flag(books.isEmpty), "rows": .list(books.map(record(of:)))])
  }

  private func record(of book: LogBook) -> TemplateValue {
    let errors = book.count(of: .error)
    let warnings = book.count(of: .warning)
    let found = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
      .map { CountText.counted($0.0, $0.1) }
    let name =
      switch book.step {
      case .building: "Build log";
      case .testing: "Test log";
      default: "\(book.step.word) log"
      }
    return .record([
      "name": .text(name), "link": .text(ReportPaths.log(book.step)), "file": .text("log/\(book.step.rawValue).log"),
      "found": .text(found.joined(separator: ", ")), "hasErrors": .flag(errors > 0),
      "lines": .text(CountText.plain(book.lineCount)), "size": .text(ByteText.short(book.size)),
      "pages": .text(book.pages.count > 1 ? CountText.counted(book.pages.count, "page") : ""),
    ])
  }
}
