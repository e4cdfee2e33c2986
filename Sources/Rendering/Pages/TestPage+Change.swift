import Model

/// The change that speaks for who is suspected of what a test failed on, or of what it measured.
extension TestPage {
  /// Who is suspected, of which issue, and what they changed; the issue is nil for a measured value that became worse.
  private var accused: (suspect: Suspect, issue: Issue?, hunk: SourceHunk?)? {
    if let issue {
      return issueIndex.suspect(of: issue).map { ($0, issue, issueIndex.record(of: issue)?.suspectedHunk) }
    }
    return worseCause.map { ($0.suspect, nil, $0.hunk) }
  }

  /// Who probably made worse what it measured; nil for a test that was not simply passed.
  var worseCause: WorseCause? { measurements.worse == nil ? nil : integration.worseCauses[test.id] }

  /// The changed line with what it was before, or alone unless it is shown already; without a line, what changed in the file.
  var suspected: TemplateValue {
    guard let (suspect, _, hunk) = accused, suspect.changedFile != nil else { return .missing }
    let replaces = hunk?.lines.contains { $0.change == .removed } == true
    let isShown = test.badEnds.contains { end in
      guard let place = suspect.place, let own = end.location else { return false }
      return own.file == place.file && abs(own.line - place.line) < 4
    }
    return isShown && !replaces ? .missing : report.change(by: suspect, hunk)
  }

  /// What is known about that change besides its lines.
  ///
  /// - Parameter areBesideFinding: whether they stand where the heading is about something else.
  func suspectedFacts(areBesideFinding: Bool) -> TemplateValue {
    guard let (suspect, issue, hunk) = accused else { return .missing }
    let earlier = issue.map { self.earlier(than: suspect, $0) } ?? .missing
    let line = suspect.place.map { SourceLocation(file: $0.file, line: $0.line) }
    let isOfThis = integration.commits.contains { $0.id == suspect.commit }
    let isOnly = isOfThis && line.map { TestRanSection(test.id, report)?.changed == [$0] } == true
    let others = isOfThis ? suspect.changedFile.flatMap(otherFiles(than:)) : nil
    let since = integration.commits.count > 1 ? integration.baseline?.number : nil
    let undone = issue.map { self.undone(by: $0) } ?? .missing
    guard earlier != .missing || suspect.commit != nil || isOnly || others != nil || undone != .missing else {
      return .missing
    }
    let began = issue?.life.flatMap { report.address(of: $0.began, root: "../") }
    return .record([
      "sha": .shown(ifAny: suspect.commit?.short), "subject": .shown(ifAny: suspect.summary.map(FailureLine.firstLine)),
      "shaLink": .optional(isOfThis ? "../\(report.commitsPath)" : began.map { "\($0)#commits" }),
      "isElsewhere": .flag(!isOfThis), "deed": .optional(areBesideFinding ? suspect.verb(in: hunk) : nil),
      "earlier": earlier, "only": .optional(isOnly ? TestMapWords.onlyChange : nil), "undone": undone,
      "others": .optional(others.map { TestMapWords.otherFiles($0, since: since) }),
      // Those of an only commit are on the summary.
      "othersLink": .text(integration.commits.count == 1 ? "../index.html#files" : "../\(ComparisonPage.path)#commits"),
    ])
  }

  /// That change if the place of the failure may be near enough to show both together.
  var quotedChange: SourceHunk? {
    issue.flatMap { issue in issueIndex.suspect(of: issue).flatMap { report.markedChange(by: $0, of: issue) } }
  }

  private var issue: Issue? { report.issues[test.id] }

  /// Whether that change has all changed lines that the test ran.
  var suspectedHasAllThatRan: Bool {
    guard let (suspect, _, hunk) = accused, let place = suspect.place,
      integration.commits.contains(where: { $0.id == suspect.commit }),
      let ran = TestRanSection(test.id, report)?.changed.nonEmpty
    else { return false }
    let added = Set(hunk?.lines.filter { $0.change == .added }.map(\.number) ?? []).union([place.line])
    return ran.allSatisfy { $0.file == place.file && added.contains($0.line) }
  }

  /// Where the change was made, if that was in an earlier integration.
  private func earlier(than suspect: Suspect, _ issue: Issue) -> TemplateValue {
    guard report.earlierChange(by: suspect, of: issue) != nil, let life = issue.life else { return .missing }
    return .record(["integration": link(to: life.began)])
  }

  /// The integration that had fixed the test by a change that was taken back.
  private func undone(by issue: Issue) -> TemplateValue {
    guard let fix = issueIndex.record(of: issue)?.undoneFix else { return .missing }
    return .record([
      "integration": link(to: fix.number),
      "commit": fix.resolution.count == 1 ? .text(fix.resolution.commit.short) : .missing,
    ])
  }

  private func link(to number: Int) -> TemplateValue {
    .record(["number": .text("\(number)"), "link": .optional(report.address(of: number, root: "../"))])
  }

  /// The number of files besides one that the commits touched; nil if there are none, and if not all are known.
  private func otherFiles(than path: String) -> Int? {
    let commits = integration.commits.compactMap { report.commitChanges[$0.id] }
    guard commits.count == integration.commits.count, commits.allSatisfy({ $0.filesLeft == 0 }) else { return nil }
    let package = PackagePlace(integration.packagePath)
    let others = Set(commits.flatMap(\.files).map { package.fromPackage($0.path) })
      // The page quotes that one as well.
      .subtracting([path, test.quit?.calledFrom?.file].compactMap(\.self))
    return others.isEmpty ? nil : others.count
  }

  /// Whether the changed line that speaks for who is suspected is one of the test's first, shown with its declaration.
  var isSuspectedInItself: Bool {
    guard let place = accused?.suspect.place, let own = test.location else { return false }
    return place.file == own.file && abs(place.line - own.line) < 4
  }
}
