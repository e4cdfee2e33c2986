package import Model

/// Words for the red branches and tags other than the main one, which determines the bot's state.
package enum RedBranchWords {
  private static let most = 5

  /// Returns words such as `red: feature/a since 12 and feature/b since 9`; nil if there are none.
  ///
  /// - Parameter isRed: whether the main branch is red, so that these are red `also`.
  package static func red(_ branches: [RedBranch], beside isRed: Bool) -> String? {
    guard !branches.isEmpty else { return nil }
    let names = branches.map { ($0.isTag ? "tag " : "") + $0.name + ($0.since.map { " since \($0)" } ?? "") }
    let left = names.count - most
    let shown = left > 1 ? names.prefix(most) + [CountText.counted(left, "other")] : names[...]
    return "\(isRed ? "also red" : "red"): \(CountText.list(Array(shown)))"
  }
}
