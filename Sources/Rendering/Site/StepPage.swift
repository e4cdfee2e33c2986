/// A small page that leads from one integration to the next, the previous or the newest one of its branch.
///
/// A report is written once, before later integrations exist; these pages are rewritten as they follow, so that every
/// page of a report has working links without a script or a server.
struct StepPage {
  private static let previous = "previous.html"
  private static let next = "next.html"
  /// Those of a report.
  static let paths = [NewestSheet.page, previous, next]

  /// Relative to the top of a report or to the bot's folder.
  let path: String
  let title: String
  /// What a browser goes to by itself, in words and relative to this page; nil if there is none.
  private let target: (place: String, address: String)?

  /// Returns the pages of a report.
  ///
  /// - Parameters:
  ///   - next: the number of the next integration; nil if there is none.
  ///   - branch: that of the report.
  ///   - newest: the branch whose newest integration it leads to, if that is not its own.
  static func all(
    next: Int? = nil, previous: Int? = nil, of branch: String?, newest: String? = nil
  ) -> [StepPage] {
    let goal = newest ?? branch
    func step(_ path: String, to number: Int?, otherwise title: String) -> StepPage {
      number.map { StepPage(path, leadingTo: "integration \($0)", at: "../\($0)/index.html") }
        ?? StepPage(path: path, title: title, target: nil)
    }
    return [
      StepPage(
        NewestSheet.page, leadingTo: "the newest integration\(goal.map { " on \($0)" } ?? "")",
        at: "../\(NewestSheet.names(of: goal).page)"),
      step(Self.previous, to: previous, otherwise: "No earlier integration\(branch.map { " on \($0)" } ?? "")"),
      step(Self.next, to: next, otherwise: "No later integration\(branch.map { " on \($0)" } ?? "")"),
    ]
  }

  init(_ path: String, leadingTo place: String, at address: String) {
    self.init(path: path, title: "Redirecting to \(place)", target: (place, address))
  }

  private init(path: String, title: String, target: (place: String, address: String)?) {
    (self.path, self.title, self.target) = (path, title, target)
  }

  var record: [String: TemplateValue] {
    [
      "sentence": .shown(title), "target": .optional(target?.address), "place": .shown(ifAny: target?.place),
    ]
  }
}
