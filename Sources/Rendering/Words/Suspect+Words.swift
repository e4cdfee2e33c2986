package import Model

extension Suspect {
  /// Describes a suspicion in words.
  package init(_ suspicion: Suspicion) {
    let commit = suspicion.commit
    let deed = ([suspicion.clue.words] + suspicion.circumstances.map(\.words)).joined()
    self.init(
      name: commit.author, email: commit.email, confidence: suspicion.confidence, reason: "\(commit.id.short) \(deed).",
      commit: commit.id, place: suspicion.clue.line, deed: deed)
  }

  /// Suspects the toolchain, if nothing else changed.
  package init(toolchain: String, before: String) {
    let isTold = ToolchainName.short(before) != ToolchainName.short(toolchain)
    let (now, then) = isTold ? (ToolchainName.short(toolchain), ToolchainName.short(before)) : (toolchain, before)
    self.init(
      name: "the toolchain", email: "", confidence: .high,
      reason: "it was \(then) and is \(now); the sources are the same.")
  }

  /// The test itself, if nothing that it ran changed.
  package static var unchanged: Suspect {
    Suspect(name: "flaky", email: "", confidence: .medium, reason: "nothing that it ran changed.")
  }

  /// Who, with what confidence, and why.
  package var sentence: String { "\(confidence.words.capitalizedFirst) \(name): \(reason)" }
}

extension Suspicion.Clue {
  /// The evidence against a commit, to follow its id.
  fileprivate var words: String {
    switch self {
    case .sourceLine(let place), .testLine(let place): "changed line \(place.line) of \(place.file)"
    case .testedLine(let place): "changed line \(place.line) of \(place.file), which this test ran"
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
    case .onlyCommit: ", the only commit"
    case .oneAuthor(let commits): ", all \(commits) commits by one author"
    case .seenBefore(let number): "; but seen before, in \(number)"
    case .toolchainChanged: "; but the toolchain changed too"
    }
  }
}

extension Suspect.Confidence {
  /// The confidence in words, to precede a name.
  var words: String {
    switch self {
    case .high: "probably"
    case .medium: "possibly"
    case .low: "perhaps"
    }
  }
}
