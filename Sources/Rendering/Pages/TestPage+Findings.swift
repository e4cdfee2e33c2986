import Model

/// What a test failed on, its known issues and its warnings.
extension TestPage {
  struct Findings {
    /// The maximum number of sections; the rest is only counted.
    private static let most = 30
    /// How many of them are not folded away.
    private static let mostOpen = 5

    /// Those with a section of their own.
    fileprivate(set) var sections: [FindingSection] = []
    /// Those that only the rows of cases tell.
    fileprivate(set) var ofRows: [TestFailure] = []

    /// The failures of which the page tells all.
    var told: [TestFailure] { sections.prefix(Self.most).map(\.failure) + ofRows.prefix(TestPage.mostRows) }

    /// The sections below the first one.
    var further: TemplateValue { .list(sections.prefix(Self.mostOpen).dropFirst().map(\.record)) }

    /// The sections below those.
    var folded: TemplateValue {
      let rest = sections.prefix(Self.most).dropFirst(Self.mostOpen)
      guard !rest.isEmpty else { return .missing }
      return .record([
        "words": .text(CountText.counted(rest.count, "more message")), "entries": .list(rest.map(\.record)),
      ])
    }

    var left: TemplateValue {
      let count = sections.count - Self.most
      return count > 0 ? .text(CountText.counted(count, "more message")) : .missing
    }
  }

  private struct Finding {
    var failure: TestFailure
    var kind: FindingSection.Kind
    var caseName: String?
    /// Whether the row of its case has it.
    var isInRow = false
  }

  /// The test's own failures, then those of its cases, then known issues and warnings.
  ///
  /// Of cases that fail on one expectation, the first has a section with the source; the values of the others are in their
  /// rows.
  var findings: Findings {
    var findings = Findings()
    var told: [SourceLocation: FindingSection.Told] = [:]
    var expectations: Set<FindingSection.Expectation> = []
    for finding in allFindings {
      let line = finding.failure.location.map { SourceLocation(file: $0.file, line: $0.line) }
      let expectation = FindingSection.Expectation(of: finding.failure, at: line)
      let isKnown = expectation.map { !expectations.insert($0).inserted } ?? false
      if isKnown, finding.isInRow, FailureLine(finding.failure).isWhole {
        findings.ofRows.append(finding.failure)
        continue
      }
      let number = findings.sections.count + 1
      let section = FindingSection(
        finding.failure, of: test, caseName: finding.caseName, kind: finding.kind, number: number,
        sources: sources, change: number == 1 ? quotedChange : nil,
        calling: test.quit?.calledFrom.map { report.linesOfNew($0.file) } ?? [], told: line.flatMap { told[$0] })
      if let line, told[line] == nil { told[line] = section.telling }
      findings.sections.append(section)
    }
    return findings
  }

  private var allFindings: [Finding] {
    var ofCases: [Finding] = []
    let arguments = test.arguments ?? []
    let (first, count) = (arguments.firstIndex(where: \.state.isRed), arguments.count(where: \.state.isRed))
    for (offset, argument) in arguments.enumerated() {
      let own = TestHeadline.arguments(argument.display, of: test.id)
      let name = offset == first ? TestHeadline.firstCase(own, of: count) : own
      for (index, failure) in argument.failures.enumerated() {
        ofCases.append(
          Finding(
            failure: failure, kind: .failure, caseName: name, isInRow: index < CaseRow.mostFailures))
      }
    }
    let caseFailures = Set(ofCases.map(\.failure))
    let own = test.badEnds.filter { !caseFailures.contains($0) }.map { Finding(failure: $0, kind: .failure) }
    let known = test.knownIssues.map { Finding(failure: $0, kind: .knownIssue) }
    return own + ofCases + known + test.warnings.map { Finding(failure: $0, kind: .warning) }
  }
}
