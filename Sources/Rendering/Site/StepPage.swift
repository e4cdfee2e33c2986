import Model

/// The small page that leads from one integration to the next or the previous one of its branch.
///
/// A report is written once and cannot know what comes after it; these pages are written anew as integrations follow, so
/// that every page of a report leads onward, without script and without a server.
struct StepPage {
  /// Where it leads.
  enum Direction: String, CaseIterable {
    case previous, next
  }

  let direction: Direction
  /// The number that it leads to; nil where there is none.
  let number: Int?

  /// Where it lies, relative to the top of a report.
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
