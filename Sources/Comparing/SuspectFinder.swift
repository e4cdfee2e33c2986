package import Model

/// Finds out who probably caused a new issue, from what the integration's commits changed.
package struct SuspectFinder: Sendable {
  /// A commit that the integration covers.
  package struct Change: Hashable, Sendable {
    package var commit: Commit
    /// The files that it changed, relative to the package.
    package var files: Set<String>

    package init(commit: Commit, files: Set<String>) {
      self.commit = commit
      self.files = files
    }
  }

  /// A line that an issue names, with who last changed it.
  package struct BlamedLine: Hashable, Sendable {
    package var place: SourceLocation
    package var commit: CommitID

    package init(place: SourceLocation, commit: CommitID) {
      self.place = place
      self.commit = commit
    }
  }

  /// More suspects are no help.
  private static let most = 5

  private let changes: [Change]
  private let toolchainChanged: Bool
  /// Source files by target, and which of the targets hold tests.
  private let model: PackageModel?

  /// - Parameters:
  ///   - changes: the commits that the integration covers, newest first.
  ///   - toolchainChanged: whether the baseline was built by another toolchain.
  ///   - model: the package's targets; nil where they are not known.
  package init(changes: [Change], toolchainChanged: Bool, model: PackageModel?) {
    self.changes = changes
    self.toolchainChanged = toolchainChanged
    self.model = model
  }

  /// The suspects, those for whom most speaks first; of one person the strongest reason counts.
  ///
  /// - Parameter lines: the places that the issue names, the most telling first.
  package func suspects(for issue: Issue, lines: [BlamedLine]) -> [Suspect] {
    guard issue.kind.isOfCode || issue.kind == .gate else { return [] }
    var best: [String: Suspect] = [:]
    var order: [String] = []
    for clue in clues(for: issue, lines: lines) {
      let person = clue.email.isEmpty ? clue.name : clue.email.lowercased()
      if let known = best[person], known.confidence.rank >= clue.confidence.rank { continue }
      if best[person] == nil { order.append(person) }
      best[person] = clue
    }
    let suspects = order.compactMap { best[$0] }.map(weighed)
    let ranked = suspects.enumerated().sorted {
      ($1.element.confidence.rank, $0.offset) < ($0.element.confidence.rank, $1.offset)
    }
    return ranked.prefix(Self.most).map(\.element)
  }

  private func clues(for issue: Issue, lines: [BlamedLine]) -> [Suspect] {
    var clues: [Suspect] = []
    for line in lines {
      guard let change = changes.first(where: { $0.commit.id == line.commit }) else { continue }
      clues.append(
        suspect(change, .high, "\(change.commit.id.short) changed line \(line.place.line) of \(line.place.file)"))
    }
    let named = lines.map(\.place.file) + [issue.location?.file].compactMap(\.self)
    for change in changes {
      if let file = named.first(where: change.files.contains) {
        clues.append(suspect(change, .medium, "\(change.commit.id.short) changed \(file)"))
      } else if let file = tested(by: issue.test, in: change) {
        clues.append(suspect(change, .low, "\(change.commit.id.short) changed \(file), which the test is about"))
      } else if issue.test != nil || issue.location == nil, let file = code(in: change) {
        clues.append(suspect(change, .low, "\(change.commit.id.short) changed \(file)"))
      }
    }
    if clues.isEmpty, changes.count == 1 {
      clues = changes.map { suspect($0, .low, "\($0.commit.id.short) is the only commit") }
    }
    return clues
  }

  private func suspect(_ change: Change, _ confidence: Suspect.Confidence, _ reason: String) -> Suspect {
    Suspect(
      name: change.commit.author, email: change.commit.email, confidence: confidence, reason: reason,
      commit: change.commit.id)
  }

  /// A changed file of the target that the module of a test is named after.
  private func tested(by test: TestID?, in change: Change) -> String? {
    guard let module = test?.module, module.hasSuffix("Tests") else { return nil }
    let target = model?.targets.first { $0.name == module.dropLast("Tests".count) }
    return target?.sourcePaths.first(where: change.files.contains)
  }

  /// A changed file of any target.
  private func code(in change: Change) -> String? {
    guard let model else { return change.files.sorted().first { $0.hasSuffix(".swift") } }
    return model.targets.lazy.flatMap(\.sourcePaths).first(where: change.files.contains)
  }

  /// Takes what speaks for everybody, or for nobody, into account.
  private func weighed(_ suspect: Suspect) -> Suspect {
    var suspect = suspect
    var rank = suspect.confidence.rank
    let authors = Set(changes.map { $0.commit.email.isEmpty ? $0.commit.author : $0.commit.email.lowercased() })
    if changes.count == 1 {
      rank += 1
      if !suspect.reason.hasSuffix("the only commit") { suspect.reason += ", and is the only commit" }
    } else if authors.count == 1 {
      rank += 1
      suspect.reason += ", and all \(changes.count) commits have the same author"
    }
    if toolchainChanged {
      rank -= 1
      suspect.reason += "; but the toolchain changed as well"
    }
    let all = Suspect.Confidence.allCases
    suspect.confidence = all[min(max(rank, 0), all.count - 1)]
    suspect.reason += "."
    return suspect
  }
}

extension Suspect.Confidence {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
