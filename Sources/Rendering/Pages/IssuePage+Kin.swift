import Model

/// What the page of an issue leads to beside its own history.
extension IssuePage {
  /// Another issue of the same test, which came when this one went, or went when this one came.
  struct Kin {
    var record: TemplateValue
    /// Whether it came in the place of this one.
    var isHeir: Bool
    /// What it is, and where it came or went, such as `timed out in 9`, and where one that came was fixed.
    var words: String
  }

  /// Nil unless its test was red in two ways, one right after the other.
  var kin: Kin? {
    guard let test = issue.test, let own = past.streaks.last else { return nil }
    let others = issueIndex.entries.filter { $0.issue.test == test && $0.record.id != past.id }.map(\.record)
    if own.ending == .failsOtherwise, let closed = own.closed {
      let heir = others.first { other in other.streaks.contains { $0.opened == closed } }
      return heir.flatMap { kin($0, in: closed, isHeir: true) }
    }
    for other in others {
      if let gone = other.streaks.last(where: { $0.ending == .failsOtherwise && $0.closed == own.opened }) {
        return kin(other, in: gone.lastSeen, isHeir: false)
      }
    }
    return nil
  }

  /// The issue that came in the place of this one.
  var heir: Kin? { kin.flatMap { $0.isHeir ? $0 : nil } }

  private func kin(_ other: IssueRecord, in number: Int, isHeir: Bool) -> Kin? {
    guard let past = TestHeadline.past(of: other.kind), let page = issueIndex.page(of: other.id) else { return nil }
    let end = isHeir ? other.streaks.last : nil
    let fixed = end?.ending == .fixed ? end?.closed.map { ", fixed in \($0)" } : nil
    let words = "\(past) in \(number)\(fixed ?? "")"
    let record = TemplateValue.record(["words": .text(words), "link": .text("../\(page)")])
    return Kin(record: record, isHeir: isHeir, words: words)
  }

  /// Where the build log has an error without a place in a source; nil for any other issue, and without the log.
  var logLink: String? {
    guard issue.kind == .error, issue.isFound, issue.location == nil,
      let book = report.books.first(where: { $0.step == .building })
    else { return nil }
    let message = Array(FailureLine.firstLine(issue.message).utf8)
    for (index, lines) in book.pages.enumerated() {
      if let line = lines.first(where: { $0.isFinding && $0.isHead && $0.bytes.firstRange(ofBytes: message) != nil }) {
        return "../\(ReportPaths.log(book.step, page: index + 1))#L\(line.number)"
      }
    }
    return nil
  }
}
