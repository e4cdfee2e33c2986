/// A small page that leads from one integration to the next, the previous or the newest one of its branch.
///
/// A report is written once, before later integrations exist; these pages are rewritten as they follow, so that every
/// page of a report has working links without a script or a server.
struct StepPage {
  /// Relative to the top of a report.
  let path: String
  let title: String
  /// Relative to the top of a report; nil if there is none.
  let target: String?

  /// Returns the pages of a report.
  ///
  /// - Parameters:
  ///   - next: the number of the next integration; nil if there is none.
  ///   - branch: that of the report.
  static func all(next: Int? = nil, previous: Int? = nil, of branch: String?) -> [StepPage] {
    func step(_ path: String, to number: Int?, otherwise title: String) -> StepPage {
      StepPage(
        path: path, title: number.map { "Integration \($0)" } ?? title, target: number.map { "../\($0)/index.html" })
    }
    return [
      StepPage(
        path: NewestSheet.page, title: "The newest integration", target: "../\(NewestSheet.names(of: branch).page)"),
      step("previous.html", to: previous, otherwise: "There is no earlier integration of this branch"),
      step("next.html", to: next, otherwise: "This is the newest integration of its branch"),
    ]
  }

  var record: [String: TemplateValue] { ["sentence": .text(title), "target": .optional(target)] }
}
