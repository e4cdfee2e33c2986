/// The ways between the pages that something long is divided into.
struct Pager {
  private let pages: [String]
  private let current: Int
  private let subject: String
  private let note: String?

  /// - Parameters:
  ///   - pages: their addresses, in order.
  ///   - current: the index of the one that it stands on.
  ///   - subject: what is divided, such as `the log`.
  ///   - note: what else a reader has to know.
  init(_ pages: [String], current: Int, of subject: String, note: String? = nil) {
    self.pages = pages
    self.current = current
    self.subject = subject
    self.note = note
  }

  /// View data for the template of a pager; missing where one page holds all.
  var record: TemplateValue {
    guard pages.count > 1 else { return .missing }
    return .record([
      "label": .text("Pages of \(subject)"),
      "note": .optional(note),
      "pages": .list(
        pages.enumerated().map { index, page in
          .record(["number": .text("\(index + 1)"), "link": .text(page), "isCurrent": .flag(index == current)])
        }),
    ])
  }
}
