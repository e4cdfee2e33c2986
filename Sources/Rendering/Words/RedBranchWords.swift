package import Model

/// Words for the red branches and tags other than the main one, which determines the bot's state.
package enum RedBranchWords {
  private static let most = 5

  /// The words about one of the branches, or, without it, about those that are not named.
  struct Part {
    var branch: RedBranch?
    var name: String
    /// What follows the name, up to the next part.
    var rest: String
  }

  /// Returns words such as `red: feature/a since 12 and feature/b since 9`; nil if there are none.
  ///
  /// - Parameter isRed: whether the main branch is red, so that these are red `also`.
  package static func red(_ branches: [RedBranch], beside isRed: Bool) -> String? {
    guard !branches.isEmpty else { return nil }
    return "\(lead(beside: isRed)) \(parts(branches).map { $0.name + $0.rest }.joined())"
  }

  /// Returns that branches are red beside a main one that is not; nil if there are none.
  ///
  /// - Parameter bot: whose branches they are; nil where that is clear, or for those of several bots.
  static func clause(_ names: [String], of bot: String? = nil) -> String? {
    guard let first = names.first else { return nil }
    let place = bot.map { " of \($0)" } ?? ""
    return names.count == 1
      ? "\(first)\(place) is red" : "\(CountText.plain(names.count)) other branches\(place) are red"
  }

  /// Returns what stands before the branches.
  static func lead(beside isRed: Bool) -> String { isRed ? "also red:" : "red:" }

  /// Returns the words about each branch, in order.
  static func parts(_ branches: [RedBranch]) -> [Part] {
    let left = branches.count - most
    var parts = branches.prefix(left > 1 ? most : branches.count).map { branch in
      Part(
        branch: branch, name: (branch.isTag ? "tag " : "") + branch.name,
        rest: branch.since.map { " since \($0)" } ?? "")
    }
    if left > 1 { parts.append(Part(branch: nil, name: CountText.counted(left, "other"), rest: "")) }
    for index in parts.indices.dropLast() { parts[index].rest += index == parts.count - 2 ? " and " : ", " }
    return parts
  }
}
