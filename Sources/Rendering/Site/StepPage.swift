/// A small page that leads from one integration to the next, the previous or the newest one of its branch.
///
/// A report is written once, before later integrations exist; these pages are rewritten as they follow, so that every
/// page of a report has working links without a script or a server.
struct StepPage {
  /// Relative to the top of a report or to the bot's folder.
  let path: String
  let title: String
  /// The page that a browser goes to by itself, relative to this one; nil if there is none.
  let target: String?

  /// Returns the pages of a report.
  ///
  /// - Parameters:
  ///   - next: the number of the next integration; nil if there is none.
  ///   - branch: that of the report.
  static func all(next: Int? = nil, previous: Int? = nil, of branch: String?) -> [StepPage] {
    func step(_ path: String, to number: Int?, otherwise title: String) -> StepPage {
      number.map { StepPage(path, leadingTo: "integration \($0)", at: "../\($0)/index.html") }
        ?? StepPage(path: path, title: title, target: nil)
    }
    return [
      StepPage(
        NewestSheet.page, leadingTo: "the newest integration\(branch.map { " of \($0)" } ?? "")",
        at: "../\(NewestSheet.names(of: branch).page)"),
      step("previous.html", to: previous, otherwise: "There is no earlier report of this branch"),
      step("next.html", to: next, otherwise: "This is the newest report of its branch"),
    ]
  }

  init(_ path: String, leadingTo place: String, at target: String) {
    self.init(path: path, title: "This page leads to \(place)", target: target)
  }

  private init(path: String, title: String, target: String?) {
    (self.path, self.title, self.target) = (path, title, target)
  }

  var record: [String: TemplateValue] { ["sentence": .shown(title), "target": .optional(target)] }
}
