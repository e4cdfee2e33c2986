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
      reason: "\(commit.id.short)\(aside) \(deed(whose: "by \(commit.author)")).",
      commit: commit.id, summary: commit.summary, place: suspicion.clue.line, file: suspicion.clue.file,
      deed: deed(whose: "yours"))
  }

  /// Suspects the toolchain, if nothing else changed.
  package init(toolchain: String, before: String) {
    let isTold = ToolchainName.short(before) != ToolchainName.short(toolchain)
    let (now, then) = isTold ? (ToolchainName.short(toolchain), ToolchainName.short(before)) : (toolchain, before)
    self.init(
      name: "the toolchain", email: "", confidence: .high,
      reason: "it was \(then) and is \(now); the sources are the same.")
  }

  /// Suspects what changed besides the commits, if they have nothing to do with it.
  package init(_ change: CircumstanceChange) {
    self.init(
      name: change.name, email: "", confidence: .medium,
      reason: "it was \(change.before ?? "not set") and is \(change.after ?? "not set").")
  }

  /// The test itself, if nothing that it ran changed.
  package static var unchanged: Suspect {
    Suspect(name: "flaky", email: "", confidence: .medium, reason: "nothing that it ran changed.")
  }

  /// Returns how sure it is that they caused an issue, in a word; nil for a gate, which fails for lines that they changed, and
  /// for what the compiler finds in a line that they changed.
  func sureness(of issue: Issue) -> String? {
    let isOwnLine = place.map { $0.file == issue.location?.file && $0.line == issue.location?.line } ?? false
    let isCertain = issue.gate != nil || issue.kind.isOfCompiler && confidence == .high && isOwnLine
    return isCertain ? nil : confidence.words
  }

  /// Returns the rank of that sureness, from 0 for what is sure.
  func doubt(of issue: Issue) -> Int { sureness(of: issue) == nil ? 0 : confidence == .high ? 1 : 2 }

  /// Returns who caused an issue: a gate may fail for lines of several people.
  func names(of issue: Issue) -> String {
    let alike = issue.suspects.filter { $0.confidence == confidence && $0.place != nil }.map(\.name)
    guard issue.gate != nil, alike.contains(name) else { return name }
    var met: Set<String> = []
    return CountText.list(alike.filter { met.insert($0).inserted })
  }

  /// Returns who caused an issue, how sure that is, and the line that speaks for it: `probably Ada (PartOfDay.swift:8)`.
  ///
  /// - Parameter told: the place of the issue if that stands beside it; it may be that line.
  package func brief(of issue: Issue, beside told: SourceLocation? = nil) -> String {
    let names = names(of: issue)
    let isTold = names != name || place.map { $0.file == told?.file && $0.line == told?.line } ?? true
    let line = isTold ? nil : place.map { "(\($0.short))" }
    return [accusation(of: issue), line].compactMap(\.self).joined(separator: " ")
  }

  /// Returns who caused an issue, and how sure that is: `probably Ada`.
  func accusation(of issue: Issue) -> String {
    [sureness(of: issue), names(of: issue)].compactMap(\.self).joined(separator: " ")
  }

  /// Returns the same to follow a number of issues: `probably Ada`, or `by Ada` if that is sure.
  func accusation(ofSeveralLike issue: Issue) -> String {
    sureness(of: issue) == nil ? "by \(names(of: issue))" : accusation(of: issue)
  }

  /// Returns why a commit is suspected of which no line is known, for a table: the file that it changed, if that is it, with
  /// what stands before the name.
  ///
  /// - Parameter commit: the commit, unless it is the only one that may be meant.
  func evidence(in commit: String?) -> (before: String, words: String) {
    guard let file else { return ("", reason.hasSuffix(".") ? String(reason.dropLast()) : reason) }
    return ("changed ", SourceLocation.fileName(of: file) + (commit.map { " in \($0)" } ?? ""))
  }

  /// Returns what the commit did with the line that speaks against it, to precede that.
  ///
  /// - Parameter hunk: what it changed there; nil if that is not known.
  func verb(in hunk: SourceHunk?) -> String { place.flatMap { hunk?.adds($0) } == true ? "added" : "changed" }

  /// The file that the commit changed, such as `changed Door.swift`, if that is why it is suspected; otherwise nil.
  var fileWords: String? { file.map { "changed \(SourceLocation.fileName(of: $0))" } }

  /// Who, with what confidence, and why.
  package var sentence: String { "\(confidence.words.capitalizedFirst) \(name): \(reason)" }
}

extension Suspicion.Clue {
  /// The evidence against a commit, to follow its id.
  fileprivate var words: String {
    switch self {
    case .sourceLine(let place), .testLine(let place): "changed \(place.short)"
    case .testedLine(let place): "changed \(place.short), which this test ran"
    case .ranLines(let places): "changed \(Self.list(places)), which ran"
    case .testedFile(let file): "changed \(file) of the target under test"
    case .sourceFile(let file), .testFile(let file), .otherFile(let file): "changed \(file)"
    case .onlyCommit: "is the only commit"
    }
  }

  /// Returns `Greeter.swift:3`, `Greeter.swift:3 and 5`, or `Greeter.swift:3 and 2 more places`.
  private static func list(_ places: [SourceLocation]) -> String {
    guard let first = places.first else { return "" }
    switch places.count {
    case 1: return first.short
    case 2: return "\(first.short) and \(places[1].line)"
    case let count: return "\(first.short) and \(CountText.plain(count - 1)) more places"
    }
  }
}

extension Suspicion.Circumstance {
  /// A clause to follow the evidence; nil for what stands beside the commit's id.
  ///
  /// - Parameter owner: whose the commits are: `by Ada`, or a pronoun.
  fileprivate func words(whose owner: String) -> String? {
    switch self {
    case .onlyCommit: nil
    case .oneAuthor(let commits, let since):
      "\(commits == 2 ? "both" : "all \(commits)") commits\(since.map { " since \($0)" } ?? "") are \(owner)"
    case .seenBefore(let number): "this issue was also seen in \(number)"
    case .toolchainChanged: "the toolchain changed, too"
    case .alsoChanged(let name): "\(name) changed, too"
    }
  }
}

extension Suspect.Confidence {
  /// The confidence in words, to precede a name.
  var words: String {
    switch self {
    case .high: "probably"
    case .medium, .low: "possibly"
    }
  }
}
