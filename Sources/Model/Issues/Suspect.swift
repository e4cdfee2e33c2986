/// A person who probably caused an issue, and the evidence.
package struct Suspect: Hashable, Sendable, Codable {
  /// The strength of the evidence, weakest first.
  package enum Confidence: String, CaseIterable, Sendable, Codable {
    case low, medium, high
  }

  /// As named in the commit.
  package var name: String
  package var email: String
  package var confidence: Confidence
  /// The evidence, as a sentence.
  package var reason: String
  /// The commit that is the evidence.
  package var commit: CommitID?
  /// The first paragraph of its message; nil in older documents.
  package var summary: String?
  /// The line changed by the commit, if that is the evidence; nil in older documents.
  package var place: SourceLocation?
  /// The file changed by the commit, if that and no line is the evidence; nil in older documents.
  package var file: String?
  /// What the commit did, as a clause for its author to follow its name, if the reason begins with that; never stored
  /// in documents.
  package var deed: String?

  package init(
    name: String, email: String, confidence: Confidence, reason: String, commit: CommitID? = nil,
    summary: String? = nil, place: SourceLocation? = nil, file: String? = nil, deed: String? = nil
  ) {
    self.name = name
    self.email = email
    self.confidence = confidence
    self.reason = reason
    self.commit = commit
    self.summary = summary
    self.place = place
    self.file = file
    self.deed = deed
  }

  /// The file changed by the commit, if that or a line in it is the evidence.
  package var changedFile: String? { place?.file ?? file }

  private enum CodingKeys: CodingKey {
    case name, email, confidence, reason, commit, summary, place, file
  }
}

/// The evidence for and against a commit, before it is put into words.
package struct Suspicion: Hashable, Sendable {
  /// The evidence, the strongest first: what is known of the failure comes before what may have to do with it.
  package enum Clue: Hashable, Sendable {
    case sourceLine(SourceLocation)
    /// A source line that the issue's test ran.
    case testedLine(SourceLocation)
    /// A line of the tests that the issue names.
    case testLine(SourceLocation)
    /// Source lines that some tests ran, of one file and each of another function; never empty.
    case ranLines([SourceLocation])
    case sourceFile(String)
    /// A source of the target that the test's module is named after.
    case testedFile(String)
    case testFile(String)
    case otherFile(String)
    /// There is no other commit.
    case onlyCommit

    /// The lines that were changed; empty if unknown.
    package var lines: [SourceLocation] {
      switch self {
      case .sourceLine(let line), .testedLine(let line), .testLine(let line): [line]
      case .ranLines(let lines): lines
      case .sourceFile, .testedFile, .testFile, .otherFile, .onlyCommit: []
      }
    }

    /// The line that was changed; nil if unknown, and of several, since nobody knows which of them it was.
    package var line: SourceLocation? { lines.count == 1 ? lines[0] : nil }

    /// The file that was changed, where no line is known.
    package var file: String? {
      switch self {
      case .sourceFile(let file), .testedFile(let file), .testFile(let file), .otherFile(let file): file
      case .sourceLine, .testedLine, .testLine, .ranLines, .onlyCommit: nil
      }
    }
  }

  /// What applies to every suspect, or to none.
  package enum Circumstance: Hashable, Sendable {
    case onlyCommit
    /// This number of commits, all by one author, and the integration since which they came, if it is known.
    case oneAuthor(commits: Int, since: Int?)
    /// The issue existed before, most recently in the integration of this number.
    case seenBefore(Int)
    case toolchainChanged
    /// Something changed that no commit did, such as the version of a dependency that none pins.
    case alsoChanged(String)
  }

  package var commit: Commit
  package var clue: Clue
  package var circumstances: [Circumstance]
  package var confidence: Suspect.Confidence

  package init(_ commit: Commit, _ clue: Clue, _ circumstances: [Circumstance], _ confidence: Suspect.Confidence) {
    self.commit = commit
    self.clue = clue
    self.circumstances = circumstances
    self.confidence = confidence
  }
}

extension [Suspect] {
  /// The suspects to report: people with little evidence against them, whom older versions listed, are not named.
  package var named: [Suspect] { filter { $0.confidence != .low } }
}

extension IntegrationRecord {
  /// Returns who most probably caused an issue: the first suspect, or while the issue lasts, the one remembered from when
  /// it was new, for whichever destination it has been there as long; nil if nobody is named.
  package func suspect(of issue: Issue) -> Suspect? {
    let records = ([self] + (cells ?? [])).lazy.compactMap(\.issueMemory).flatMap(\.records)
      .filter { issue.life == nil ? $0.id == issue.id : issue.isTold(by: $0) }
    return issue.suspects.first ?? records.compactMap { $0.suspects?.named.first }.first
  }
}
