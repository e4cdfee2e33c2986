package import Model

extension OtherReference {
  /// The path of the page that compares a report with it, relative to the top of the report.
  package var path: String {
    switch self {
    case .branchPoint: "compare-branch.html"
    case .built: "compare-built.html"
    }
  }

  /// The words of a link to that page.
  func words(for number: Int) -> String {
    "compare with \(number)" + (self == .branchPoint ? ", the branch point" : "")
  }
}

extension Report {
  /// The pages that compare it with other integrations than its baseline, by their numbers.
  var comparisonPages: [Int: String] {
    Dictionary(otherComparisons.map { ($1.before.number, $0.path) }) { first, _ in first }
  }
}
