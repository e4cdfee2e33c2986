import Model

/// What rows and pages say of an issue.
extension ReportContext {
  /// Returns the name of the test or of the gate; nil for what has none.
  func name(of issue: Issue) -> String? {
    issue.test.flatMap { tests[$0]?.title } ?? issue.testTitle
      ?? issue.gate.map {
        issue.status.isOver ? GateResult.name(ofRule: $0).capitalizedFirst : GateResult.title(ofRule: $0)
      }
  }

  /// Returns the symbol of an issue; one whose flaky test passed again is not plainly gone, and what was deleted is not
  /// mended, nor is what its test was red with instead, until that is.
  func glyph(of issue: Issue) -> String {
    if issue.status == .dropped { return TestState.canceled.glyph }
    guard issue.status == .resolved else { return issue.glyph }
    if integration.flakySince(endOf: issue) != nil { return "flaky" }
    return switch issue.ending {
    case .testDeleted, .fileDeleted: TestState.canceled.glyph
    case .failsOtherwise:
      issueIndex.record(of: issue).flatMap { IssuePage.Kin.heir(of: $0, in: issueIndex) }?.fixed == nil
        ? TestState.canceled.glyph : TestState.passed.glyph
    case .knownIssue: TestState.expectedFailure.glyph
    case .fixed, .passedAgain, nil: TestState.passed.glyph
    }
  }

  /// Returns how often a test ended the process, with the call, and why that is no success where SwiftPM would call it
  /// one; nil if there is nothing to say.
  ///
  /// - Parameters:
  ///   - showsCall: whether the call stands beside it.
  ///   - time: when it did so.
  func quitWords(of test: TestResult, showsCall: Bool, _ time: String? = nil) -> String? {
    let runs = FlakyWords.repetition(of: test) ?? logLines.repetition(before: test)
    let call = runs == nil && showsCall ? nil : test.quit?.call
    let how = [call, time, runs.map { String($0.dropFirst()) }].compactMap(\.self).joined(separator: " ").nonEmpty
    // A call is as it is.
    let words = call == nil ? how?.capitalizedFirst : how
    return counts.red == 0 && test.quit?.status == nil ? RunWords.seemsGreen(words) : words
  }

  /// Returns where the test of an open issue is known to be flaky, such as `flaky in 7`; nil if it is not.
  func flakyPast(of issue: Issue) -> [IssueWords.Part]? {
    guard issue.status.isOpen, issue.kind.isOfRedTest else { return nil }
    return issue.test.flatMap { integration.histories[$0] }.flatMap(FlakyWords.past)
  }

  /// Returns the branch on which an issue of a red test was before it came back, if the test was red on another one since
  /// then; otherwise nil.
  func branchBeforeComeback(of issue: Issue) -> String? {
    guard issue.kind.isOfRedTest, let test = issue.test else { return nil }
    return integration.histories[test]?.branchBeforeComeback(of: issue)
  }

  /// Returns all lines of a file that this integration's only commit added; none of any other.
  func linesOfNew(_ file: String) -> Set<Int> {
    guard integration.commits.count == 1, let source = sources[file] else { return [] }
    let package = PackagePlace(integration.packagePath)
    let isNew = commitChanges[integration.commits[0].id]?.files.contains {
      $0.status == .added && package.fromPackage($0.path) == file
    }
    return isNew == true ? Set(1...max(1, source.lineCount)) : []
  }

  /// Returns the name before what a list says of the issue; nil if that begins with it.
  func leadingName(of issue: Issue) -> String? {
    issue.gate != nil && failedGate(of: issue) == nil ? nil : name(of: issue)
  }

  func failedGate(of issue: Issue) -> GateResult? {
    issue.gate.flatMap { rule in integration.gates.first { $0.rule == rule && $0.state == .failed } }
  }

  /// Returns what the gate of an issue found when it failed last; nil for any other issue, and if that is not known.
  func foundGate(of issue: Issue) -> GateResult? {
    failedGate(of: issue) ?? (issue.gate == nil ? nil : issueIndex.record(of: issue)?.failedGate)
  }

  /// Returns the gate of an issue that is gone because the gate passes; nil for any other issue.
  func passedGate(of issue: Issue) -> GateResult? {
    guard issue.status == .resolved, issue.ending == .fixed else { return nil }
    return issue.gate.flatMap { rule in integration.gates.first { $0.rule == rule && $0.state == .passed } }
  }

  /// Returns the address of another integration's report; nil for this one, and for none.
  ///
  /// - Parameter root: the path from the page to the top of the report.
  func address(of number: Int, root: String = "") -> String? {
    number == integration.number || number < 1 ? nil : "\(root)\(integration.wayOut)\(number)/index.html"
  }

  /// Returns the address of a page of another integration: its report, of which a page stays when it is removed, and
  /// from which the script goes on.
  func address(of page: String, in number: Int, root: String = "") -> String {
    "\(root)\(integration.wayOut)\(number)/index.html?page=\(page)"
  }

  /// Returns the address of a test's page in another integration in which it failed by chance, otherwise that of its
  /// report.
  func address(of number: Int, with test: TestID?, root: String = "") -> String? {
    guard let test, number != integration.number, hasPagesElsewhere,
      integration.histories[test]?.failedByChance.contains(where: { $0.number == number }) == true
    else { return address(of: number, root: root) }
    return address(of: paths.page(of: test), in: number, root: root)
  }

  /// Whether a page of this report is where it is here in another integration, if that has it. Only one without
  /// destinations is known to have it there.
  private var hasPagesElsewhere: Bool { !integration.isCell && integration.cells.isEmpty }

  /// Returns the earlier integration that last saw an issue, and has its page.
  func lastSeen(_ issue: Issue) -> Int? {
    guard hasPagesElsewhere else { return nil }
    return issueIndex.record(of: issue)?.streaks.last.map(\.lastSeen)
      .flatMap { $0 > 0 && $0 < integration.number ? $0 : nil }
  }

  /// Returns the source of what was not found on its page in the integration that last saw it; by now something else may
  /// stand on its line.
  func lastSource(of issue: Issue, root: String = "") -> String? {
    guard !issue.isFound, let seen = lastSeen(issue) else { return nil }
    return address(of: IssueIndex.path(of: issue.id), in: seen, root: root) + "#source"
  }

  /// Returns the failure on one line, with its operands if they are known, for the template `failure-line`.
  ///
  /// - Parameter tellsWait: whether it tells what a test waited for, and not another one before it.
  func line(of issue: Issue, tellsWait: Bool = true) -> TemplateValue {
    if issue.status != .resolved, issue.kind.isOfRedTest, issue.end == nil,
      let test = issue.test.flatMap({ tests[$0] }),
      let failure = test.firstFailure
    {
      return FailureLine(failure).record
    }
    // Its heading has the word for how a test ended.
    let end = issue.end.map(FailureLine.headline).map { issue.kind == .timeOut ? $0.capitalizedFirst : $0 }
    let text = failedGate(of: issue)?.finding(beside: integration.baseline?.number) ?? end
    let test = issue.isFound ? issue.test.flatMap { tests[$0] } : nil
    let wait = test.flatMap { tellsWait ? $0.hang?.reason(of: $0) : HangReport.alike }
    let note = issue.kind == .timeOut ? wait : issue.kind == .crash ? test?.crash?.calls : nil
    return text.map { .record(["operands": .missing, "text": .shown($0), "note": .shown(ifAny: note)]) }
      ?? FailureLine.record(of: issue.message)
  }

  /// Whether the place of an issue is where its test is declared, since nothing tells where that crashed or hung.
  func isAtDeclaration(_ issue: Issue) -> Bool {
    guard issue.kind == .crash || issue.kind == .timeOut, let place = issue.location,
      let declared = issue.test.flatMap({ tests[$0]?.location })
    else { return false }
    return declared.file == place.file && declared.line == place.line
  }

  /// Returns the age of an issue; nil if there is nothing to compare with.
  func age(of issue: Issue?) -> FindingAge? { FindingAge(of: issue, baseline: integration.baseline) }

  /// Returns the origin of a red row: who probably caused it, since when, and the page of its issue.
  ///
  /// - Parameters:
  ///   - test: the test that the row is about, where it has no issue.
  ///   - told: the place that stands beside it; nil for none.
  ///   - rate: how often its test failed; nil where that is not said.
  ///   - root: the path from the page to the top of the report.
  func trace(
    of issue: Issue?, _ age: FindingAge?, test: TestID? = nil, beside told: SourceLocation? = nil, rate: String? = nil,
    root: String = ""
  ) -> TemplateValue {
    let suspect = issue.flatMap(issueIndex.suspect)
    let hunk = issue.flatMap(issueIndex.record(of:))?.suspectedHunk
    return trace(of: suspect, hunk, issue, age, test: test ?? issue?.test, beside: told, rate: rate, root: root)
  }

  /// Returns the same of a measured value that became worse, whose age stands beside it.
  func trace(of cause: WorseCause?, beside told: SourceLocation? = nil, root: String = "") -> TemplateValue {
    trace(of: cause?.suspect, cause?.hunk, nil, nil, test: nil, beside: told, rate: nil, root: root)
  }

  private func trace(
    of suspect: Suspect?, _ hunk: SourceHunk?, _ issue: Issue?, _ age: FindingAge?, test: TestID?,
    beside told: SourceLocation?, rate: String?, root: String
  ) -> TemplateValue {
    // A change of an earlier integration is quoted elsewhere.
    let isThisLine =
      told.map { $0.file == suspect?.place?.file && $0.line == suspect?.place?.line } ?? false
      && integration.commits.contains { $0.id == suspect?.commit }
    return .record([
      "suspect": suspect.map { record(of: $0, issue, hunk, root: root, isThisLine: isThisLine) }
        ?? author(ofFlaky: test, root: root),
      "findingAge": age?.record { address(of: $0, with: test, root: root) } ?? .missing, "rate": .optional(rate),
      "issuePage": .optional(issue.flatMap { issueIndex.page(of: $0.id) }.map { root + $0 }),
      "issue": .shown(ifAny: issue.map { String($0.id.prefix(16)) }),
    ])
  }

  /// Returns who added a test that is flaky from its first run on, in the same form; missing for any other test, and if
  /// there are several commits.
  func author(ofFlaky test: TestID?, root: String = "") -> TemplateValue {
    guard let test, tests[test].map(isFlakyHere) == true else { return .missing }
    func record(_ author: String, _ words: String, _ link: String?, isElsewhere: Bool) -> TemplateValue {
      .record([
        "who": .shown(author), "sure": .missing, "changed": .missing,
        "reason": .record([
          "before": .text(FlakyWords.addedIn), "words": .text(words), "path": .missing, "link": .optional(link),
          "isElsewhere": .flag(isElsewhere),
        ]),
      ])
    }
    if let addition = integration.flakyAdditions[test] {
      return record(
        addition.author, "\(addition.number)", address(of: addition.number, root: root), isElsewhere: true)
    }
    guard integration.commits.count == 1, integration.testChanges?.added.contains(test) == true else {
      return .missing
    }
    let commit = integration.commits[0]
    return record(commit.author, commit.id.short, root + commitsPath, isElsewhere: false)
  }

  /// Whether rows of issues name somebody.
  func hasSuspect(among issues: [Issue]) -> Bool { issues.contains { issueIndex.suspect(of: $0) != nil } }

  /// Returns the page that shows a changed line: its source, otherwise that of the issue if it quotes the line.
  ///
  /// In the files of a later integration nothing marks the line; there the page of the issue has its change.
  private func page(of place: SourceLocation, changedBy suspect: Suspect, _ issue: Issue?) -> String? {
    if let issue, earlierChange(by: suspect, of: issue) != nil, let page = issueIndex.page(of: issue.id) {
      return "\(page)#cause"
    }
    if let link = sources.link(to: place.file, line: place.line) { return link }
    guard issue?.isFound == true, let own = issue?.location, own.file == place.file,
      abs(own.line - place.line) <= IssuePage.around,
      sources[own.file] != nil
    else { return nil }
    return issue.flatMap { issueIndex.page(of: $0.id) }.map { "\($0)#source" }
  }

  /// Returns the place on the page of an issue that quotes the line where it was found; nil if none does.
  func quotation(of issue: Issue) -> String? {
    guard issue.isFound, let place = issue.location,
      SourceExcerpt(of: place, in: sources, around: IssuePage.around) != nil
    else { return nil }
    return issueIndex.page(of: issue.id).map { "\($0)#source" }
  }

  /// Returns the place on the page of an issue that quotes what this integration changed in a file; nil if none does.
  func quotation(ofChangeIn file: String) -> String? {
    integration.issues.first { quotedChange(of: $0, at: $0.location)?.file == file }.flatMap(quotation)
  }

  /// Returns the older issue at the place at which a new test ends; nil for any other issue.
  func elder(of issue: Issue) -> Issue? {
    guard let test = issue.test, let states = integration.baseline?.states, !states.isEmpty, states[test] == nil else {
      return nil
    }
    return integration.issues.elder(of: issue)
  }

  /// Returns that a new test ends where an older one does, with a link to that one's issue; nil for any other issue.
  func wordsOfElder(of issue: Issue, root: String = "") -> TemplateValue? {
    guard let elder = elder(of: issue), let words = IssueWords.ending(as: elder).nonEmpty?.text else { return nil }
    let page = issueIndex.page(of: elder.id).map { root + $0 }
    return .record(["words": .shown(words), "link": .optional(page), "isElsewhere": .flag(false)])
  }

  /// Returns the change of an earlier integration that speaks for a suspect; nil for one of this integration, for an
  /// unknown one, and if its lines are quoted as the issue's own.
  func earlierChange(by suspect: Suspect, of issue: Issue) -> SourceHunk? {
    guard !integration.commits.contains(where: { $0.id == suspect.commit }) else { return nil }
    return suspectedHunk(of: issue, at: suspect.place)
  }

  /// Returns the change that speaks for a suspect and may be marked in an excerpt: one of this integration, or one of an
  /// earlier integration whose lines are as that left them.
  func markedChange(by suspect: Suspect, of issue: Issue) -> SourceHunk? {
    quotedChange(of: issue, at: suspect.place)
      ?? earlierChange(by: suspect, of: issue).flatMap { hunk in
        let isKept = hunk.lines.allSatisfy {
          $0.change == .removed || stillHas(SourceLocation(file: hunk.file, line: $0.number), in: hunk)
        }
        return isKept ? hunk : nil
      }
  }

  /// Whether a line stands where an earlier integration changed it.
  func stillHas(_ place: SourceLocation?, in hunk: SourceHunk?) -> Bool {
    guard let place, let source = sources[place.file], hunk?.file == place.file,
      let line = hunk?.lines.first(where: { $0.number == place.line && $0.change != .removed })
    else { return false }
    return Array(source.bytes[source.range(ofLine: place.line)]) == Array(line.text.utf8)
  }

  /// Returns the change that speaks for the first suspect, unless its lines are quoted as the issue's own.
  ///
  /// - Parameter place: the line that speaks for that suspect.
  func suspectedHunk(of issue: Issue, at place: SourceLocation?) -> SourceHunk? {
    quotedChange(of: issue, at: place) == nil ? issueIndex.record(of: issue)?.suspectedHunk : nil
  }

  /// Returns that change if the excerpt of the issue's own line has its lines, too, and this integration made it; only its
  /// own changes are marked there.
  func quotedChange(of issue: Issue, at place: SourceLocation?) -> SourceHunk? {
    guard let place, let own = issue.location, issue.isFound, let record = issueIndex.record(of: issue),
      record.life.began == integration.number,
      place.file == own.file && abs(place.line - own.line) <= IssuePage.around
    else { return nil }
    return record.suspectedHunk
  }

  /// Returns the changed line that speaks for a suspect, with what it replaced; missing if no page has its source.
  ///
  /// - Parameter hunk: what the suspect changed there; nil if that is not known.
  func change(by suspect: Suspect, _ hunk: SourceHunk?) -> TemplateValue {
    let isOfThis = integration.commits.contains { $0.id == suspect.commit }
    if let hunk {
      let link = isOfThis ? hunk.linked.flatMap { sources.link(to: $0.file, line: $0.line) } : nil
      return SourceExcerpt.record(of: hunk, link: link, own: suspect.place?.line)
    }
    return suspect.place.flatMap { place in
      SourceExcerpt(of: place, in: sources, around: 4)?.record(
        caption: place.file, removed: isOfThis ? integration.changes?.removed[place.file] ?? [] : [])
    } ?? .missing
  }

  /// Returns who is suspected, and the changed line that speaks for it, or what else does.
  ///
  /// - Parameters:
  ///   - issue: nil for what is not followed.
  ///   - hunk: what the suspect changed there; nil if that is not known.
  ///   - isPlaceTold: whether that line stands beside it, and needs no mention.
  ///   - isThisLine: whether it stands beside it with a link.
  func record(
    of suspect: Suspect, _ issue: Issue?, _ hunk: SourceHunk?, root: String = "", isPlaceTold: Bool = false,
    isThisLine: Bool = false
  ) -> TemplateValue {
    let isEarlier = suspect.commit.map { id in !integration.commits.contains { $0.id == id } } ?? false
    // The only commit is in the heading.
    let commit = isEarlier || integration.commits.count > 1 ? suspect.commit?.short : nil
    let changed = suspect.place.map { place in
      (isThisLine ? "this line" : place.short) + (commit.map { " in \($0)" } ?? "")
    }
    let names = issue.map(suspect.names) ?? suspect.name
    let source: String? = isEarlier ? nil : suspect.file.flatMap { quotedCause(hunk, issue) ?? sources.link(to: $0) }
    let evidence = suspect.evidence(in: commit)
    return .record([
      "who": .shown(names),
      "sure": .optional(issue == nil ? suspect.confidence.words : issue.flatMap(suspect.sureness)),
      // The line of one of several people is not that of the others.
      "changed": .place(ifAny: isPlaceTold || names != suspect.name ? nil : changed),
      "deed": .text(suspect.verb(in: hunk)),
      "changedLink": .optional(
        isThisLine ? nil : suspect.place.flatMap { page(of: $0, changedBy: suspect, issue) }.map { root + $0 }),
      "reason": suspect.place == nil && suspect.commit != nil
        ? .record([
          "before": .text(evidence.before), "words": .shown(evidence.words), "path": .shown(ifAny: suspect.file),
          "link": .optional((source ?? commits(of: suspect, issue)).map { root + $0 }),
          "isElsewhere": .flag(isEarlier),
        ]) : .missing,
    ])
  }

  /// Returns the place on the page of an issue that quotes its cause; nil where none does.
  private func quotedCause(_ hunk: SourceHunk?, _ issue: Issue?) -> String? {
    hunk == nil ? nil : issue.flatMap { issueIndex.page(of: $0.id) }.map { "\($0)#\(IssuePage.Turn.cause)" }
  }

  /// Returns the list that has the commit of a suspect: of this integration, or of the one that the issue began with.
  private func commits(of suspect: Suspect, _ issue: Issue?) -> String? {
    let isOfThis = integration.commits.contains { $0.id == suspect.commit }
    let began = issue?.life.flatMap { address(of: $0.began) }
    return isOfThis ? commitsPath : began.map { "\($0)#commits" }
  }
}
