extension IntegrationRecord {
  /// What the integration changed in the coverage: `coverage.changes`.
  ///
  /// Without a `reason`, lines and regions are compared with those of the integration `baseline`; they are counted by
  /// genhtml's codes, such as `UNC` for new lines that never ran.
  package struct ChangesSection: Codable, Sendable, Hashable {
    package var baseline: Int?
    /// Why nothing is compared.
    package var reason: String?
    package var lines: CategoryCounts?
    package var regions: CategoryCounts?
    /// How many of the lost and gained lines run by chance; `lines` includes them. Absent if none does, and in older
    /// documents.
    package var byChance: CategoryCounts?
    /// Files with changes, by path.
    package var files: [ChangedFile]?
    /// Counted files that could not be compared line by line.
    package var unmapped: [String]?
    /// The other integrations of the same commits that showed what runs by chance.
    package var witnesses: [Int]?
    /// The witnesses that integrated the baseline's commit rather than the integration's own; missing in documents of
    /// older versions.
    package var baselineWitnesses: [Int]?
    /// The flaky tests whose failed attempts account for what runs by chance; absent if there are none.
    package var flakyTests: [TestID]?
    /// The lines that count in only one of the two because the other leaves them out; absent if there are none.
    package var leftOut: LeftOutLines?
    package var patch: PatchSection
  }

  /// What changed in the coverage of one file.
  package struct ChangedFile: Codable, Sendable, Hashable {
    package var path: String
    /// The path in the baseline, if it was different.
    package var oldPath: String?
    package var lines: CategoryCounts
    package var regions: CategoryCounts
    /// The unchanged lines that ran in the baseline and no longer do.
    package var lost: [Int]?
    /// The lines that still run, but on which a part begins that ran in the baseline and no longer does.
    package var lostParts: [Int]?
    /// The unchanged lines that ran in only one of the two by chance, in whole or in part: integrations of the same
    /// commit differ in them, or only failed attempts of flaky tests ran them. They are in no other list, but the counts
    /// by code include them.
    package var byChance: [Int]?
  }

  /// The lines that the integration's commits touched: `coverage.changes.patch`.
  package struct PatchSection: Codable, Sendable, Hashable {
    /// Why they are unknown.
    package var reason: String?
    /// What the commit was compared with: the commit of an `integration`, its own `parent`, or `nothing`.
    package var since: String?
    package var integration: Int?
    package var lines: LineTally?
    package var files: [PatchFile]?
    /// Counted files whose touched lines are unknown.
    package var unmapped: [String]?
    /// Files with touched lines that are left out on request, by a marker or a glob; absent if there are none.
    package var leftOut: [String]?
    /// Files of the repository whose touched lines do not count because they are in another package or in none of the
    /// targets; absent if there are none.
    package var uncounted: [UncountedPatchFile]?
    /// Whether a touched line of a test holds code, which never counts; absent if none does, and in older documents.
    package var touchesTests: Bool?
  }

  /// The touched lines of one file.
  package struct PatchFile: Codable, Sendable, Hashable {
    package var path: String
    package var lines: LineTally
    package var neverRan: [Int]
    package var partlyRan: [Int]
  }
}

extension IntegrationRecord.ChangesSection {
  /// Creates the serialized form of an integration's coverage changes.
  package init(_ changes: CoverageChanges) {
    let comparison = changes.comparison.value
    self.init(
      baseline: comparison?.baseline, reason: changes.comparison.reason, lines: comparison?.lines,
      regions: comparison?.regions,
      byChance: comparison.map(\.byChance).flatMap { $0.hasChanges ? $0 : nil },
      files: comparison?.files.filter { $0.isChanged }.map(IntegrationRecord.ChangedFile.init),
      unmapped: comparison.flatMap { $0.unmapped.nonEmpty?.map(\.path) },
      witnesses: comparison.flatMap { $0.witnesses.nonEmpty },
      baselineWitnesses: comparison.flatMap { $0.witnesses.isEmpty ? nil : $0.baselineWitnesses },
      flakyTests: comparison.flatMap { $0.flakyTests.nonEmpty },
      leftOut: comparison.flatMap { $0.leftOut.isEmpty ? nil : $0.leftOut },
      patch: IntegrationRecord.PatchSection(changes.patch))
  }
}

extension IntegrationRecord.ChangesSection {
  /// Returns the lines that only the failed attempt of a flaky test ran, by path; none where it is not the only one that
  /// accounts for what runs by chance, or where not all that does was gained.
  package func linesOfFailedAttempt(of test: TestID) -> [SourceLocation] {
    guard witnesses == nil, flakyTests == [test] else { return [] }
    let lines = (files ?? []).flatMap { file in
      (file.byChance ?? []).map { SourceLocation(file: file.path, line: $0) }
    }
    return lines.count == byChance?[.gained] ? lines : []
  }
}

extension FileComparison {
  /// Whether anything changed, including the path.
  package var isChanged: Bool {
    oldPath != nil || counts.hasChanges || regions.hasChanges || !linesByChance.isEmpty
  }
}

extension IntegrationRecord.ChangedFile {
  fileprivate init(_ file: FileComparison) {
    let lost = file.lines(.lost).map(\.line)
    self.init(
      path: file.path, oldPath: file.oldPath, lines: file.counts, regions: file.regions,
      lost: lost.nonEmpty, lostParts: file.lostRegions.isEmpty ? nil : file.lostPartLines,
      byChance: file.linesByChance.nonEmpty)
  }
}

extension IntegrationRecord.PatchSection {
  fileprivate init(_ answer: Answer<PatchCoverage>) {
    guard case .known(let patch) = answer else {
      self.init(reason: answer.reason)
      return
    }
    let files = patch.files.map { file in
      IntegrationRecord.PatchFile(
        path: file.path, lines: file.tally, neverRan: file.neverRan, partlyRan: file.partlyRan)
    }
    self.init(
      since: patch.origin.word, lines: patch.tally, files: files,
      unmapped: patch.unmapped.nonEmpty?.map(\.path),
      leftOut: patch.leftOut.nonEmpty, uncounted: patch.uncounted.nonEmpty,
      touchesTests: patch.touchesTests ? true : nil)
    if case .integration(let number) = patch.origin { integration = number }
  }
}

extension PatchCoverage.Origin {
  fileprivate var word: String {
    switch self {
    case .integration: "integration"
    case .parent: "parent"
    case .nothing: "nothing"
    }
  }
}
