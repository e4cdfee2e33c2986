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
