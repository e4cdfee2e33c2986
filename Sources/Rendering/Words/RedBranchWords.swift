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

  /// Returns words such as `red on feature/a since 12 and feature/b since 9`; nil if there are none.
  ///
  /// - Parameter isRed: whether the main branch is red, so that these are red `also`.
  package static func red(_ branches: [RedBranch], beside isRed: Bool) -> String? {
    guard !branches.isEmpty else { return nil }
    return "\(lead(beside: isRed)) \(parts(branches).map { $0.name + $0.rest }.joined())"
  }

  /// Returns in what way branches and tags are not green, such as `red on branch feature/a`, to say that of their bot; nil
  /// if there are none.
  static func predicate(_ red: [(branch: RedBranch, kind: RedKind)]) -> String? {
    guard let first = red.first else { return nil }
    let kind = red.allSatisfy { $0.kind == first.kind } ? first.kind : .notGreen
    if red.count == 1 {
      // Without the word its name may be taken for that of anything.
      return "\(kind.rawValue) on \(first.branch.isTag ? "" : "branch ")\(name(of: first.branch))"
    }
    let tags = red.count(where: \.branch.isTag)
    let counts = [
      tags < red.count ? CountText.counted(red.count - tags, "other branch", "other branches") : nil,
      tags > 0 ? CountText.counted(tags, "tag") : nil,
    ]
    return "\(kind.rawValue) on \(CountText.list(counts.compactMap(\.self)))"
  }

  private static func name(of branch: RedBranch) -> String { (branch.isTag ? "tag " : "") + branch.name }

  /// Returns what stands before the branches.
  static func lead(beside isRed: Bool) -> String { isRed ? "also red on" : "red on" }

  /// Returns the words about each branch, in order.
  static func parts(_ branches: [RedBranch]) -> [Part] {
    let left = branches.count - most
    var parts = branches.prefix(left > 1 ? most : branches.count).map { branch in
      Part(
        branch: branch, name: name(of: branch), rest: branch.since.map { " since \($0)" } ?? "")
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

extension BranchStates<HistoryLine> {
  /// Returns the other branches that are red, and the newest tag if it is, each in the way of its newest result.
  ///
  /// - Parameter lines: the integrations of the bot, which have that of the tag.
  func redKinds(among lines: [HistoryLine]) -> [(branch: RedBranch, kind: RedKind)] {
    redBeside.map { red in
      let result =
        red.isTag
        ? lines.first { $0.number == red.since } : others.first { $0.branch == red.name }?.result
      return (red, RedKind(result?.outcome))
    }
  }
}
