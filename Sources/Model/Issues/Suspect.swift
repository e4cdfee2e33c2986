/// Somebody who probably caused an issue, with what speaks for it.
package struct Suspect: Hashable, Sendable, Codable {
  /// How much speaks for it, least first.
  package enum Confidence: String, CaseIterable, Sendable, Codable {
    case low, medium, high
  }

  /// As the commit names them.
  package var name: String
  package var email: String
  package var confidence: Confidence
  /// What speaks for it, as a sentence.
  package var reason: String
  /// The commit that speaks for it.
  package var commit: CommitID?
  /// The line that the commit changed, where that is what speaks for it; nil in older documents.
  package var place: SourceLocation?
  /// What the commit did, as a clause behind its name, where the reason begins with that; not in any stored document.
  package var deed: String?

  package init(
    name: String, email: String, confidence: Confidence, reason: String, commit: CommitID? = nil,
    place: SourceLocation? = nil, deed: String? = nil
  ) {
    self.name = name
    self.email = email
    self.confidence = confidence
    self.reason = reason
    self.commit = commit
    self.place = place
    self.deed = deed
  }

  private enum CodingKeys: CodingKey {
    case name, email, confidence, reason, commit, place
  }
}

/// What speaks for and against a commit, before anybody is told.
package struct Suspicion: Hashable, Sendable {
  /// What speaks for it, the most telling first: what was changed in the sources before what was in the tests.
  package enum Clue: Hashable, Sendable {
    case sourceLine(SourceLocation)
    /// A line of a source that the test ran.
    case testedLine(SourceLocation)
    /// A line of a source that some test ran.
    case ranLine(SourceLocation)
    case sourceFile(String)
    /// A source of the target that the test's module is named after.
    case testedFile(String)
    case testLine(SourceLocation)
    case testFile(String)
    case otherFile(String)
    /// There is no other commit.
    case onlyCommit

    /// The line that was changed; nil where none is known.
    package var line: SourceLocation? {
      switch self {
      case .sourceLine(let line), .testedLine(let line), .ranLine(let line), .testLine(let line): line
      case .sourceFile, .testedFile, .testFile, .otherFile, .onlyCommit: nil
      }
    }
  }

  /// What speaks for everybody, or for nobody.
  package enum Circumstance: Hashable, Sendable {
    case onlyCommit
    /// So many commits are all of one author.
    case oneAuthor(commits: Int)
    /// The issue was there before, last in the integration of that number.
    case seenBefore(Int)
    case toolchainChanged
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
  /// Those that are told: nobody is named where little speaks for it, as an older Martlet did.
  package var named: [Suspect] { filter { $0.confidence != .low } }
}
