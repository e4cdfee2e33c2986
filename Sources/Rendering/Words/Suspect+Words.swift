package import Model

extension Suspect {
  /// Describes a suspicion in words.
  package init(_ suspicion: Suspicion) {
    let commit = suspicion.commit
    func deed(whose owner: String) -> String {
      ([suspicion.clue.words] + suspicion.circumstances.compactMap { $0.words(whose: owner) }).joined(separator: "; ")
    }
    let aside = suspicion.circumstances.contains(.onlyCommit) ? ", the only commit," : ""
    self.init(
      name: commit.author, email: commit.email, confidence: suspicion.confidence,
      reason: "\(commit.id.short)\(aside) \(deed(whose: "theirs")).",
      commit: commit.id, place: suspicion.clue.line, deed: deed(whose: "yours"))
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

  /// Who, with what confidence: `probably Ada`.
  var who: String { "\(confidence.words) \(name)" }

  /// The same with the line that speaks for it: `probably Ada (PartOfDay.swift:8)`.
  package var brief: String { "\(who)\(place.map { " (\($0.short))" } ?? "")" }

  /// The same where the place of an issue is told, which may be that line.
  func brief(beside told: SourceLocation?) -> String {
    place.map { $0.file == told?.file && $0.line == told?.line } == true ? who : brief
  }

  /// Who, with what confidence, and why.
  package var sentence: String { "\(confidence.words.capitalizedFirst) \(name): \(reason)" }
}

extension Suspicion.Clue {
  /// The evidence against a commit, to follow its id.
  fileprivate var words: String {
    switch self {
    case .sourceLine(let place), .testLine(let place): "changed \(place.short)"
    case .testedLine(let place): "changed \(place.short), which this test ran"
    case .ranLine(let place): "changed \(place.short), which ran"
    case .testedFile(let file): "changed \(file) of the target under test"
    case .sourceFile(let file), .testFile(let file), .otherFile(let file): "changed \(file)"
    case .onlyCommit: "is the only commit"
    }
  }
}

extension Suspicion.Circumstance {
  /// A clause to follow the evidence; nil for what stands beside the commit's id.
  ///
  /// - Parameter owner: whose the commits are, as a pronoun.
  fileprivate func words(whose owner: String) -> String? {
    switch self {
    case .onlyCommit: nil
    case .oneAuthor(let commits): "\(commits == 2 ? "both" : "all \(commits)") commits are \(owner)"
    case .seenBefore(let number): "it also failed in \(number)"
    case .toolchainChanged: "the toolchain changed, too"
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
