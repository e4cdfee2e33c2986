/// The navigation between the pages of a divided document.
enum Pager {
  /// Returns the view data of a pager; missing if there is only one page.
  ///
  /// - Parameters:
  ///   - pages: the addresses of the pages, in order.
  ///   - current: the index of the page that contains the pager.
  ///   - subject: the divided document, such as `the log`.
  static func record(
    _ pages: [String], current: Int, of subject: String, note: String? = nil
  ) -> TemplateValue {
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
