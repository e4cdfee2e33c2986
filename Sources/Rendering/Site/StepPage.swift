import Model

/// The small page that leads from one integration to the next or the previous one of its branch.
///
/// A report is written once, before later integrations exist; these pages are rewritten as they follow, so that every
/// page of a report has working links without a script or a server.
struct StepPage {
  enum Direction: String, CaseIterable {
    case previous, next
  }

  let direction: Direction
  /// The number of the target; nil if there is none.
  let number: Int?

  /// The path of the page, relative to the top of a report.
  var path: String { "\(direction.rawValue).html" }

  var title: String {
    switch (direction, number) {
    case (_, let number?): "Integration \(number)"
    case (.previous, nil): "There is no earlier integration of this branch"
    case (.next, nil): "This is the newest integration of its branch"
    }
  }

  var record: [String: TemplateValue] {
    ["sentence": .text(title), "target": .optional(number.map { "../\($0)/index.html" })]
  }
}
