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
  static func clause(_ branches: [(name: String, kind: RedKind)], of bot: String? = nil) -> String? {
    guard let first = branches.first else { return nil }
    let place = bot.map { " of \($0)" } ?? ""
    let kind = branches.allSatisfy { $0.kind == first.kind } ? first.kind : .notGreen
    return branches.count == 1
      ? "\(first.name)\(place) is \(kind.rawValue)"
      : "\(CountText.plain(branches.count)) other branches\(place) are \(kind.rawValue)"
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

/// In what way a branch is not green: one whose tests did not all run is not known to be red.
enum RedKind: String {
  case red, incomplete
  case notGreen = "not green"

  init(_ outcome: Outcome?) { self = outcome == .incomplete ? .incomplete : .red }
}

extension BranchState {
  /// In what way the branch has been red, to stand before since when that is.
  var redKind: RedKind { isRedAlike ? RedKind(result?.outcome) : .notGreen }
}

extension BranchStates {
  /// The other branches that are red, each in the way of its newest result.
  var redKinds: [(name: String, kind: RedKind)] {
    others.filter(\.isRed).compactMap { state in
      state.branch.map { (name: $0, kind: RedKind(state.result?.outcome)) }
    }
  }
}
