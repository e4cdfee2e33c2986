import Model

/// The commits that an integration covers, and any uncommitted changes.
struct CommitsSection: ReportSection {
  private static let most = 100

  let report: ReportContext

  /// The subject of the only commit; nil if there are several, which have a section of their own.
  var onlySubject: String? {
    integration.commits.count == 1 ? integration.commits.first.map { FailureLine.firstLine($0.summary) } : nil
  }

  /// The page of the comparison if it lists all of several commits; otherwise nil.
  var list: String? { report.comparesCommits ? ComparisonPage.commits : nil }

  /// Missing for fewer than two commits, as a single one is described beside the verdict, and where another page has them.
  var record: TemplateValue {
    let commits = integration.commits
    guard commits.count > 1, list == nil else { return .missing }
    let left = commits.count - Self.most
    let since = integration.baseline.map { " since integration \($0.number)" } ?? ""
    return .record([
      "summary": .text("\(CountText.plain(commits.count))\(since)"),
      "rows": .list(commits.prefix(Self.most).map(record(of:))),
      "left": left > 0 ? .text(CountText.counted(left, "more commit")) : .missing,
    ])
  }

  /// Returns the files that the only commit touched, or that differ where another page lists several; missing if these are
  /// not to be shown at once, and if the files are unknown.
  func files(areOpen: Bool = false) -> TemplateValue {
    guard integration.commits.count == 1 else {
      guard areOpen, let between = report.commitsSince, let files = between.files else { return .missing }
      return record(ofFiles: files, further: between.filesLeft, since: integration.baseline, areOpen: areOpen)
    }
    let isSinceParent = report.parentChange != nil
    guard let change = report.parentChange ?? report.commitChanges[integration.commit.id] else { return .missing }
    return record(
      ofFiles: change.files, further: change.filesLeft, since: isSinceParent ? nil : integration.baseline,
      areOpen: areOpen)
  }

  /// Returns where the page of the comparison shows a commit with its message and files, for a destination without one that
  /// of the whole report; nil if none does.
  func link(to commit: CommitID) -> String? {
    if report.commitChanges[commit] != nil { return ComparisonPage.commits }
    return report.whole?.commits.contains(commit) == true
      ? "\(ReportPaths.outOfCell)\(ComparisonPage.commits)" : nil
  }

  /// - Parameter baseline: the integration since which they changed; nil if that is said elsewhere.
  private func record(
    ofFiles files: [CommitChange.File], further: Int?, since baseline: Baseline?, areOpen: Bool
  ) -> TemplateValue {
    let package = PackagePlace(integration.packagePath)
    let since = baseline.map { baseline in
      TemplateValue.record([
        "number": .text("\(baseline.number)"), "link": .optional(report.address(of: baseline.number)),
      ])
    }
    return ChangedFiles(files: files, further: further, since: since ?? .missing, isOpen: areOpen) {
      let path = package.fromPackage($0)
      return sources.link(to: path) ?? report.quotation(ofChangeIn: path)
    }.record
  }

  var workingTree: TemplateValue {
    guard let changes = integration.workingTree else { return .missing }
    let kinds = [
      ("modified", changes.modified), ("added", changes.added), ("deleted", changes.deleted),
    ].filter { !$0.1.isEmpty }
    let counts = kinds.map { "\(CountText.plain($0.1.count)) \($0.0)" }
    return .record([
      "summary": .text(counts.isEmpty ? "none" : counts.joined(separator: ", ")),
      "kinds": .list(
        kinds.map { word, files in
          .record([
            "word": .text(word), "files": .list(files.prefix(200).map { .shown($0) }),
            "left": files.count > 200 ? .text(CountText.counted(files.count - 200, "more file")) : .missing,
          ])
        }),
    ])
  }

  /// The authors of the commits, such as `3 commits by mira and jon`; for a single commit, its author.
  var authors: String {
    let authors = integration.commits.map(\.author)
    return authors.count == 1 ? authors[0] : CommitWords.counted(byAuthors: authors)
  }

  private func record(of commit: Commit) -> TemplateValue {
    .record([
      "id": .text(commit.id.short), "fullId": .shown(commit.id.rawValue), "author": .shown(commit.author),
      "date": .text(time.minute(of: commit.date)), "machineDate": .text(time.machine(of: commit.date)),
      "summary": .shown(FailureLine.firstLine(commit.summary)),
    ])
  }
}
