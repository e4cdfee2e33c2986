import Model

/// What the page of an issue leads to beside its own history.
extension IssuePage {
  /// Another issue of the same test, which came when this one went, or went when this one came.
  struct Kin {
    var record: TemplateValue
    /// Whether it came in the place of this one.
    var isHeir: Bool
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

  private func kin(_ other: IssueRecord, in number: Int, isHeir: Bool) -> Kin? {
    guard let past = TestHeadline.past(of: other.kind), let page = issueIndex.page(of: other.id) else { return nil }
    let record = TemplateValue.record(["words": .text("\(past) in \(number)"), "link": .text("../\(page)")])
    return Kin(record: record, isHeir: isHeir)
  }

  /// The line of the build log with an error that has no place in a source, and what a compiler was doing that crashed.
  var log: TemplateValue {
    guard issue.kind == .error, issue.isFound, issue.location == nil,
      let book = report.books.first(where: { $0.step == .building })
    else { return .missing }
    let message = Array(FailureLine.firstLine(issue.message).utf8)
    for (index, lines) in book.pages.enumerated() {
      guard let line = lines.first(where: { $0.isFinding && $0.isHead && $0.bytes.firstRange(ofBytes: message) != nil })
      else { continue }
      let crashed = LogRemarks.crashedCommand(in: lines)
      return .record([
        "link": .text("../\(ReportPaths.log(book.step, page: index + 1))#L\(line.number)"),
        "deed": crashed?.number == line.number ? crashed.map { record(of: $0.deed) } ?? .missing : .missing,
      ])
    }
    return .missing
  }

  /// What a compiler was doing, with a link to the source, or to the page of an error on the same line.
  private func record(of deed: LogKinds.Deed) -> TemplateValue {
    let beside = issueIndex.entries.first { issue, _ in
      issue.isFound && issue.location?.file == deed.place.file && issue.location?.line == deed.place.line
    }
    let link =
      sources.link(to: deed.place.file, line: deed.place.line)
      ?? beside.flatMap { issueIndex.page(of: $0.record.id) }.map { "\($0)#source" }
    return .record([
      "words": .text(LogWords.deed(deed)), "link": .optional(link.map { "../\($0)" }), "isElsewhere": .flag(false),
    ])
  }
}
