import Model

extension ComparisonPage {
  /// Who made which commits, below the heading; missing for the same commit.
  var commitLine: TemplateValue {
    guard let relation = words.relation else { return .missing }
    return .record([
      "relation": .shown(relation), "commit": words.onlyCommit.map(brief) ?? .missing,
      "withoutChanges": .optional(words.withoutChanges),
    ])
  }

  private func brief(_ commit: CommitChange) -> TemplateValue {
    .record([
      "id": .text(commit.id.short), "summary": .shown(FailureLine.firstLine(commit.summary)),
      "author": .shown(commit.author), "date": .text(time.minute(of: commit.date)),
      "machineDate": .text(time.machine(of: commit.date)), "body": body(of: commit),
    ])
  }

  /// The files that differ between the two, which are those of an only commit; missing if they were not read, and where
  /// each commit shows the one that it changed.
  /// They are open where neither tests nor coverage are compared.
  var changedFiles: TemplateValue {
    let (commits, only) = (comparison.commits, words.onlyCommit)
    let isTold =
      only == nil && commits.relation == .forward && !commits.isCut && commits.restored.isEmpty
      && (1...Self.most).contains(commits.added.count)
      && commits.added.allSatisfy { $0.files.count == 1 && $0.filesLeft == 0 }
    if isTold { return .missing }
    return ChangedFiles(
      files: only?.files ?? commits.files ?? [], further: only == nil ? commits.filesLeft : only?.filesLeft,
      restored: only == nil ? commits.restored : [], isOpen: words.limit != nil, link: links.file
    ).record
  }

  private func files(of commit: CommitChange) -> TemplateValue {
    ChangedFiles(files: commit.files, further: commit.filesLeft, link: links.file).record
  }

  private func body(of commit: CommitChange) -> TemplateValue {
    commit.body.isEmpty ? .missing : .shown(String(commit.body.prefix(8000)))
  }

  /// The commits that are in only one of the two integrations; missing without any, and for the only one.
  var commits: TemplateValue {
    let commits = comparison.commits
    guard words.onlyCommit == nil else { return .missing }
    let lists = [
      ("only in \(words.after)", commits.added), ("only in \(words.before)", commits.dropped),
    ].filter { !$0.1.isEmpty }
    guard !lists.isEmpty || commits.reason != nil else { return .missing }
    return .record([
      "reason": .shown(ifAny: commits.reason),
      "lists": .list(
        lists.map { word, list in
          .record([
            // A single list needs no heading of its own, unless it goes backwards.
            "word": commits.relation == .forward ? .missing : .shown("Commits \(word)"),
            "rows": .list(list.prefix(Self.most).map(row)),
          ])
        }),
      "cut": commits.isCut ? .text("There may be more commits than the \(commits.limit) that were read.") : .missing,
    ])
  }

  private func row(_ commit: CommitChange) -> TemplateValue {
    // The newest of them is the second integration's own.
    let number = links.number(commit.id).flatMap { $0 == comparison.after.number ? nil : $0 }
    return .record([
      "id": .text(commit.id.short), "fullId": .shown(commit.id.rawValue), "integrated": lastly(number),
      "author": .shown(commit.author),
      "date": .text(time.minute(of: commit.date)), "machineDate": .text(time.machine(of: commit.date)),
      "summary": .shown(FailureLine.firstLine(commit.summary)),
      "body": body(of: commit), "files": files(of: commit),
      "without": commit.filesLeft == nil
        ? .text("files not read")
        : commit.files.isEmpty && commit.filesLeft == 0 ? .text("no file changed") : .missing,
    ])
  }
}

extension Integration {
  /// The newest integrations of commits, as far as the tests' histories and the baseline tell.
  var numbersOfCommits: [CommitID: Int] {
    var commits: [Int: CommitID] = [:]
    if let baseline { commits[baseline.number] = baseline.commit }
    for moment in histories.values.lazy.flatMap(\.moments) {
      commits[moment.number] = moment.isDirty ? nil : moment.commit
    }
    return Dictionary(commits.map { ($0.value, $0.key) }, uniquingKeysWith: { max($0, $1) })
  }
}
