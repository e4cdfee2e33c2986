import Model

/// What the page of an issue leads to beside its own history.
extension IssuePage {
  /// Another issue of the same test, which came when this one went, or went when this one came.
  struct Kin {
    /// Whether it came in the place of this one.
    let isHeir: Bool
    /// What the test did, such as `timed out`.
    let past: String
    /// The integration in which it came, or in which one that went was seen last.
    let number: Int
    /// Where one that came was fixed.
    let fixed: Int?
    let issue: IssueRecord
    /// Its page, relative to the top of the report.
    private let page: String

    /// What it is, and where it came or went, such as `timed out in 9`, and where one that came was fixed.
    var words: String { "\(past) in \(number)" + (fixed.map { ", fixed in \($0)" } ?? "") }

    /// - Parameter root: the path from the page to the top of the report.
    func record(root: String) -> TemplateValue {
      .record(["words": .text(words), "link": .text(root + page), "isElsewhere": .flag(false)])
    }

    private init?(_ other: IssueRecord, in number: Int, isHeir: Bool, _ index: IssueIndex) {
      guard let past = TestHeadline.past(of: other.kind), let page = index.page(of: other.id) else { return nil }
      let end = isHeir ? other.streaks.last : nil
      (self.isHeir, self.past, self.number, self.page, issue) = (isHeir, past, number, page, other)
      fixed = end?.ending == .fixed ? end?.closed : nil
    }

    /// Returns what the test of an issue is red with instead; nil unless that came when the issue went.
    static func heir(of own: IssueRecord, in index: IssueIndex) -> Kin? {
      guard let streak = own.streaks.last, streak.ending == .failsOtherwise, let closed = streak.closed else {
        return nil
      }
      let heir = others(of: own, in: index).first { other in other.streaks.contains { $0.opened == closed } }
      return heir.flatMap { Kin($0, in: closed, isHeir: true, index) }
    }

    /// Returns what the test of an issue was red with before; nil unless that went when the issue came.
    static func forebear(of own: IssueRecord, in index: IssueIndex) -> Kin? {
      guard let opened = own.streaks.last?.opened else { return nil }
      for other in others(of: own, in: index) {
        let gone = other.streaks.last { $0.ending == .failsOtherwise && $0.closed == opened }
        if let gone { return Kin(other, in: gone.lastSeen, isHeir: false, index) }
      }
      return nil
    }

    private static func others(of own: IssueRecord, in index: IssueIndex) -> [IssueRecord] {
      guard let test = own.test else { return [] }
      return index.entries.filter { $0.record.test == test && $0.record.id != own.id }.map(\.record)
    }
  }

  /// The issue that came in the place of this one.
  var heir: Kin? { kin.flatMap { $0.isHeir ? $0 : nil } }
}
