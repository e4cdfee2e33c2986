package import Model

/// The words for the branches that are red beside the one that decides how a bot stands.
package enum RedBranchWords {
  private static let most = 5

  /// Such as `also red: feature/a since 12 and feature/b since 9`; nil where none is.
  package static func alsoRed(_ branches: [RedBranch]) -> String? {
    guard !branches.isEmpty else { return nil }
    let names = branches.map { $0.name + ($0.since.map { " since \($0)" } ?? "") }
    let left = names.count - most
    let shown = left > 1 ? names.prefix(most) + [CountText.counted(left, "other")] : names[...]
    return "also red: \(CountText.list(Array(shown)))"
  }
}
