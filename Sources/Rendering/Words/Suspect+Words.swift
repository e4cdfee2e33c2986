package import Model

extension Suspect {
  /// Who is suspected, as people are told.
  package init(_ suspicion: Suspicion) {
    let commit = suspicion.commit
    let deed = ([suspicion.clue.words] + suspicion.circumstances.map(\.words)).joined()
    self.init(
      name: commit.author, email: commit.email, confidence: suspicion.confidence, reason: "\(commit.id.short) \(deed).",
      commit: commit.id, deed: deed)
  }

  /// Who, how surely, and why.
  var sentence: String { "\(confidence.words.capitalizedFirst) \(name): \(reason)" }
}

extension Suspicion.Clue {
  /// What speaks for a commit, as it fits behind its name.
  fileprivate var words: String {
    switch self {
    case .sourceLine(let place), .testLine(let place): "changed line \(place.line) of \(place.file)"
    case .ranLine(let place): "changed line \(place.line) of \(place.file), which ran"
    case .testedFile(let file): "changed \(file) of the target under test"
    case .sourceFile(let file), .testFile(let file), .otherFile(let file): "changed \(file)"
    case .onlyCommit: "is the only commit"
    }
  }
}

extension Suspicion.Circumstance {
  fileprivate var words: String {
    switch self {
    case .onlyCommit: ", and is the only commit"
    case .oneAuthor(let commits): ", and all \(commits) commits have the same author"
    case .seenBefore(let number): "; but it was there before, in \(number)"
    case .toolchainChanged: "; but the toolchain changed as well"
    }
  }
}

extension Suspect.Confidence {
  /// How sure it is, before a name.
  var words: String {
    switch self {
    case .high: "most probably"
    case .medium: "probably"
    case .low: "perhaps"
    }
  }
}
