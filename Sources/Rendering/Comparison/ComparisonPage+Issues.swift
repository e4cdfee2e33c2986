import Model

extension ComparisonPage {
  /// The issues by what became of them.
  var issues: TemplateValue {
    let issues = comparison.issues
    let groups = [
      ("New", "new", "open in \(words.after) only", issues.new),
      ("Gone", "gone", "open in \(words.before) only", issues.gone),
      (
        "Not reached", "unreached", "open in \(words.before), and \(words.after) did not come to what would show them",
        issues.notReached
      ),
      ("In both", "both", "open in \(words.before) and \(words.after)", issues.both),
    ].filter { !$0.3.isEmpty }
    let counts = [(issues.new.count, "new"), (issues.gone.count, "gone"), (issues.both.count, "in both")]
    return .record([
      "summary": .text(counts.map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")),
      "isEmpty": .flag(groups.isEmpty),
      "groups": .list(
        groups.map { word, id, remark, issues in
          .record([
            "word": .text(word), "id": .text("issues-\(id)"), "remark": .shown(remark),
            "count": .text(CountText.plain(issues.count)),
            "rows": .list(issues.prefix(Self.most).map { row($0, isGone: id == "gone") }),
            "left": issues.count > Self.most
              ? .text(CountText.counted(issues.count - Self.most, "more issue")) : .missing,
          ])
        }),
    ])
  }

  private func row(_ issue: IntegrationDocument.FlatIssue, isGone: Bool) -> TemplateValue {
    let place = issue.file.map { file in SourceLocation(file: file, line: issue.line ?? 0).short }
    return .record([
      "glyph": .text(isGone ? "passed" : issue.kind.glyph), "kind": .text(issue.kind.word),
      "name": .shown(ifAny: issue.test?.name), "link": .optional(isGone ? nil : issue.test.flatMap { links.test($0) }),
      "message": .shown(FailureLine.headline(of: issue.message)), "place": .shown(place ?? ""),
      "isSilenced": .flag(issue.status == .silenced), "id": .shown(String(issue.id.prefix(16))),
    ])
  }

  /// The commits that only one of the two has.
  var commits: TemplateValue {
    let commits = comparison.commits
    let lists = [
      ("only in \(words.after)", commits.added), ("only in \(words.before)", commits.dropped),
    ].filter { !$0.1.isEmpty }
    return .record([
      "summary": .shown(words.relation), "reason": .shown(ifAny: commits.reason),
      "lists": .list(
        lists.map { word, list in
          .record([
            // One list needs no heading of its own, unless it leads backwards.
            "word": commits.relation == .forward ? .missing : .shown("Commits \(word)"),
            "rows": .list(list.prefix(Self.most).map(row)),
          ])
        }),
      "cut": commits.isCut ? .text("There may be more commits than the \(commits.limit) that were read.") : .missing,
    ])
  }

  private func row(_ commit: CommitChange) -> TemplateValue {
    let (first, rest) = (commit.files.prefix(6), commit.files.dropFirst(6))
    let left = commit.filesLeft ?? 0
    return .record([
      "id": .text(commit.id.short), "fullId": .shown(commit.id.rawValue), "author": .shown(commit.author),
      "date": .text(time.minute(of: commit.date)), "machineDate": .text(time.machine(of: commit.date)),
      "summary": .shown(FailureLine.firstLine(commit.summary)),
      "body": commit.body.isEmpty ? .missing : .shown(String(commit.body.prefix(8000))),
      "files": .list(first.map(row)), "restFiles": .list(rest.map(row)), "hasRest": .flag(!rest.isEmpty),
      "rest": .text(CountText.counted(rest.count + left, "more file")),
      "left": left > 0 && !rest.isEmpty ? .text("and \(CountText.counted(left, "more file"))") : .missing,
      "unread": commit.filesLeft == nil ? .text("files not read") : .missing,
    ])
  }

  private func row(_ file: CommitChange.File) -> TemplateValue {
    let counts = file.added.flatMap { added in file.removed.map { "+\(CountText.plain(added)) −\(CountText.plain($0))" }
    }
    return .record([
      "path": .shown(file.path), "oldPath": .shown(ifAny: file.oldPath),
      "status": file.status == .modified ? .missing : .text(file.status.rawValue), "lines": .optional(counts),
    ])
  }
}
