/// The navigation between the pages of a divided document.
struct Pager {
  private let pages: [String]
  private let current: Int
  private let subject: String
  private let note: String?

  /// - Parameters:
  ///   - pages: the addresses of the pages, in order.
  ///   - current: the index of the page that contains the pager.
  ///   - subject: the divided document, such as `the log`.
  init(_ pages: [String], current: Int, of subject: String, note: String? = nil) {
    self.pages = pages
    self.current = current
    self.subject = subject
    self.note = note
  }

  /// The view data of a pager; missing if there is only one page.
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
