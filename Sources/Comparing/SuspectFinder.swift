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

  /// A line that an issue names, or that its test may have run, with who last changed it.
  package struct BlamedLine: Hashable, Sendable {
    package var place: SourceLocation
    package var commit: CommitID
    /// The name of the function that it belongs to; nil if that is unknown, or none.
    package var function: String?

    package init(place: SourceLocation, commit: CommitID, function: String? = nil) {
      self.place = place
      self.commit = commit
      self.function = function
    }
  }

  /// The changed lines that ran.
  package enum RanLines: Hashable, Sendable {
    /// In the sources that the issue's test is about; whichever test ran them.
    case anyTest([BlamedLine])
    /// Those that the issue's test ran itself.
    case ownTest([BlamedLine])

    fileprivate var lines: [BlamedLine] {
      switch self {
      case .anyTest(let lines), .ownTest(let lines): lines
      }
    }
  }

  /// A commit with what speaks for it.
  fileprivate struct Lead {
    var change: Change
    var clue: Suspicion.Clue
    var confidence: Suspect.Confidence
    /// Whether it changed a line that the issue names, or one that its test ran.
    var hasRunLine = false
  }

  /// More suspects are no help.
  private static let most = 5

  private var changes: [Change]
  /// The number of the integration since which they came; nil if that is not known.
  private let since: Int?
  private let toolchainChanged: Bool
  /// What else changed that no commit did.
  package let outside: [CircumstanceChange]
  /// Whether there may be other commits, as before those at which a shallow clone ends.
  private let lacksCommits: Bool
  /// Whether only the known changes can make a difference: no commit is missing, and no dependency has another version.
  private let isComplete: Bool
  /// Source files by target, and which of the targets hold tests.
  private let model: PackageModel?

  /// - Parameters:
  ///   - changes: the commits that the integration covers, newest first.
  ///   - since: the number of the integration since which they came; nil if that is not known.
  ///   - toolchainChanged: whether the baseline was built by another toolchain.
  ///   - outside: what else changed that no commit did, such as the version of a dependency that none pins.
  ///   - lacksCommits: whether there may be other commits, as before those at which a shallow clone ends.
  ///   - isComplete: whether nothing else is known to have changed.
  ///   - model: the package's targets; nil where they are not known.
  package init(
    changes: [Change], since: Int? = nil, toolchainChanged: Bool, outside: [CircumstanceChange] = [],
    lacksCommits: Bool = false, isComplete: Bool = true, model: PackageModel?
  ) {
    self.changes = changes
    self.since = since
    self.toolchainChanged = toolchainChanged
    self.outside = outside
    self.lacksCommits = lacksCommits
    self.isComplete = isComplete && !lacksCommits
    self.model = model
  }

  /// The suspects, those for whom most speaks first; of one person the strongest reason counts, and whoever little speaks
  /// for is not named. Where the test is known to fail by chance, nothing but a changed line that it ran speaks for anybody,
  /// and where it passed on this very code, nothing does. Where it failed by chance before, nobody is named without such a
  /// line for whom little more speaks, either.
  ///
  /// - Parameters:
  ///   - lines: the places that the issue names, the most telling first.
  ///   - own: the lines of its test.
  ///   - passedHere: whether its test both passed and failed with all that changed.
  ///   - wasFlaky: whether its test is known to have failed by chance.
  ///   - wasFixed: whether it was mended by a change when it was last gone, and not by chance.
  ///   - names: the names in the source of its test, asked for where nothing is known of what ran.
  package func suspects(
    for issue: Issue, lines: [BlamedLine], ran: RanLines = .anyTest([]), own: [BlamedLine] = [],
    passedHere: Bool = false, wasFlaky: Bool = false, wasFixed: Bool = false, names: () -> Set<String> = { [] }
  ) -> [Suspicion] {
    guard issue.kind.isOfCode || issue.kind == .gate, !passedHere else { return [] }
    var best: [String: Lead] = [:]
    var order: [String] = []
    for lead in leads(for: issue, lines: lines, ran: ran, own: own, names)
    where !issue.isKnownFlaky || lead.hasRunLine {
      let person = lead.change.person
      if let known = best[person], !lead.isStronger(than: known) { continue }
      if best[person] == nil { order.append(person) }
      best[person] = lead
    }
    let leads = order.compactMap { best[$0] }.enumerated().sorted { one, other in
      one.element.isStronger(than: other.element)
        || !other.element.isStronger(than: one.element) && one.offset < other.offset
    }
    let suspicions = leads.compactMap { _, lead -> Suspicion? in
      let found = suspicion(lead, of: issue, wasFixed: wasFixed)
      let isNamed = wasFlaky && !lead.hasRunLine ? found.confidence == .high : found.confidence != .low
      return isNamed ? found : nil
    }
    return Array(suspicions.prefix(Self.most))
  }

  /// The same search without the files in which commits did nothing to the test in question.
  ///
  /// - Parameter isApart: whether a commit changed a file in nothing but other tests.
  package func leavingOut(where isApart: (CommitID, _ file: String) -> Bool) -> SuspectFinder {
    var finder = self
    for index in changes.indices {
      finder.changes[index].files = changes[index].files.filter { !isApart(changes[index].commit.id, $0) }
    }
    return finder
  }

  /// Whether nothing changed that a test ran: no file of which it ran anything, none of which that is not known, such as
  /// a resource, nothing that runs while the package is built, no toolchain, and nothing outside of the commits. Texts
  /// for people change nothing.
  ///
  /// - Parameter files: nil where nobody knows what the test ran; then anything may concern it.
  package func isUntouched(by files: FilesRan?) -> Bool {
    guard let files, let model, isComplete, !toolchainChanged, outside.isEmpty, !changes.isEmpty else { return false }
    let changed = changes.reduce(into: Set<String>()) { $0.formUnion($1.files) }.filter { !Self.isText($0, in: model) }
    return changed.isSubset(of: files.counted) && changed.isDisjoint(with: files.ran)
      && !changed.contains { model.target(holding: $0)?.runsInBuild == true }
  }

  /// Folders that hold documentation by custom.
  private static let documentation: Set = ["doc", "docs", "documentation"]

  /// Whether a file is for people alone. Among the files of a target, or of another package of the repository, it may be
  /// a resource.
  private static func isText(_ file: String, in model: PackageModel) -> Bool {
    guard file.hasSuffix(".md") else { return false }
    if file.contains(".docc/") { return true }
    let folder = file.contains("/") ? file.prefix { $0 != "/" }.lowercased() : nil
    return model.target(holding: file) == nil && folder.map(documentation.contains) != false
  }

  /// The sources of the target that the module of a test is named after; nil where there is none.
  package func sourcesTested(by test: TestID?) -> [String]? {
    guard let module = test?.module, module.hasSuffix("Tests") else { return nil }
    return model?.targets.first { $0.name == module.dropLast("Tests".count) }?.sourcePaths
  }

  /// The modules that are not tests themselves, as they are imported; empty where they are not known.
  package var modules: Set<String> {
    Set((model?.targets ?? []).lazy.filter { !$0.isTest }.map(\.module))
  }

  /// Whether all commits are by one person.
  package var isOnePerson: Bool { !lacksCommits && Set(changes.map(\.person)).count == 1 }

  /// Returns, of each commit, the lines in files whose types a test names, and of these the ones in functions that it
  /// names; all of them where it names none. A file is nearly always named after its type.
  package static func lines(_ lines: [BlamedLine], namedBy names: Set<String>) -> [BlamedLine] {
    let ranks = lines.map { line in
      let type = typeName(of: line.place.file)
      let isNamed = line.function.map { names.contains(baseName(of: $0)) } ?? false
      return (names.contains(type) ? 2 : 0) + (isNamed ? 1 : 0)
    }
    let best = Dictionary(zip(lines.map(\.commit), ranks), uniquingKeysWith: max)
    return zip(lines, ranks).filter { $1 == best[$0.commit] }.map(\.0)
  }

  /// Returns the name of the type that a file is named after: `Box` for `Box+Open.swift`.
  private static func typeName(of file: String) -> String {
    String(SourceLocation.fileName(of: file).prefix { $0 != "." && $0 != "+" })
  }

  /// Returns the name by which code calls a function: `open` for `Box<A>.open(at:)`.
  private static func baseName(of function: String) -> String {
    function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? function
  }

  private var isOneCommit: Bool { !lacksCommits && changes.count == 1 }

  private func leads(
    for issue: Issue, lines: [BlamedLine], ran: RanLines, own: [BlamedLine], _ names: () -> Set<String>
  ) -> [Lead] {
    let named = lines.map(\.place.file) + [issue.location?.file].compactMap(\.self)
    let isProven = if case .ownTest = ran { true } else { false }
    // Where it is known which lines the test ran, names of files prove nothing.
    let tested = isProven ? [] : sourcesTested(by: issue.test) ?? []
    let makers = Set(ran.lines.map(\.commit))
    let told = isProven || !ran.lines.isEmpty ? [] : changedByOne(of: tested, namedIn: names)
    let leads = changes.compactMap { change -> Lead? in
      let blamed = lines.filter { $0.commit == change.commit.id }.map(\.place)
      let files = named.filter(change.files.contains)
      let ranLines = ran.lines.filter { $0.commit == change.commit.id }.map(\.place)
      let ranLine = ranLines.first
      // Of several files, nobody knows which of them it was.
      let isKnownFile = ranLines.allSatisfy { $0.file == ranLine?.file }
      // What runs while the package is built makes the code that the test runs, in files that nobody blames.
      let maker =
        issue.test == nil ? nil : change.files.sorted().first { model?.target(holding: $0)?.runsInBuild == true }
      // Of a single commit, no file speaks more for it than another.
      let isPlaceless = issue.location == nil && !isOneCommit
      let other = issue.test != nil || isPlaceless ? maker ?? code(in: change) : nil
      let clues: [Suspicion.Clue?] = [
        blamed.first { !isTest($0.file) }.map(Suspicion.Clue.sourceLine),
        issue.kind.isPlaced ? blamed.first.map(Suspicion.Clue.testLine) : nil,
        isProven ? ranLine.map(Suspicion.Clue.testedLine) : nil,
        // It is known to have failed; whether the test ran one of the following is not known.
        blamed.first.map(Suspicion.Clue.testLine),
        isKnownFile && ranLine != nil ? Suspicion.Clue.ranLines(ranLines) : nil,
        own.first { $0.commit == change.commit.id }.map { Suspicion.Clue.testLine($0.place) },
        files.first { !isTest($0) }.map(Suspicion.Clue.sourceFile),
        (told + tested).first(where: change.files.contains).map(Suspicion.Clue.testedFile),
        files.first.map(Suspicion.Clue.testFile), other.map(Suspicion.Clue.otherFile),
      ]
      guard let clue = clues.lazy.compactMap(\.self).first else { return nil }
      let isTelling = ranLine != nil || !files.isEmpty || maker != nil || !change.files.isDisjoint(with: told)
      return Lead(
        change: change, clue: clue,
        confidence: !blamed.isEmpty || isProven && makers == [change.commit.id] ? .high : isTelling ? .medium : .low,
        hasRunLine: !blamed.isEmpty || isProven && ranLine != nil)
    }
    guard leads.isEmpty, isOneCommit else { return leads }
    return changes.map { Lead(change: $0, clue: .onlyCommit, confidence: .low) }
  }

  /// Returns the changed sources whose types a test names, if a single one of several people changed them; empty otherwise.
  private func changedByOne(of tested: [String], namedIn names: () -> Set<String>) -> [String] {
    let changed = tested.filter { file in changes.contains { $0.files.contains(file) } }
    guard !changed.isEmpty, !isOnePerson else { return [] }
    let words = names()
    let named = changed.filter { words.contains(Self.typeName(of: $0)) }
    let people = Set(changes.filter { !$0.files.isDisjoint(with: named) }.map(\.person))
    return people.count == 1 ? named : []
  }

  /// Whether a file is a source of tests.
  package func isTest(_ file: String) -> Bool {
    guard let model else { return file.hasPrefix("Tests/") }
    return model.targets.contains { $0.isTest && file.hasPrefix("\($0.path)/") }
  }

  /// A changed file of any target, sources before tests.
  private func code(in change: Change) -> String? {
    guard let model else { return change.files.sorted().first { $0.hasSuffix(".swift") && !$0.hasPrefix("../") } }
    return (model.targets.filter { !$0.isTest } + model.targets.filter(\.isTest))
      .lazy.flatMap(\.sourcePaths).first(where: change.files.contains)
  }

  /// Takes what speaks for everybody, or for nobody, into account.
  private func suspicion(_ lead: Lead, of issue: Issue, wasFixed: Bool) -> Suspicion {
    var circumstances: [Suspicion.Circumstance] = []
    var rank = lead.confidence.rank
    if isOneCommit {
      rank += 1
      if lead.clue != .onlyCommit { circumstances.append(.onlyCommit) }
    } else if isOnePerson {
      rank += 1
      circumstances.append(.oneAuthor(commits: changes.count, since: since))
    }
    // A gate judges another change each time, whatever failed it before.
    if issue.kind.isOfCode, let comeback = issue.comeback {
      // Who changed a line that ran may have brought it back, the more so if it had been mended by a change.
      let hasLine = !lead.clue.lines.isEmpty
      if !wasFixed || !hasLine {
        rank = max(rank - 1, hasLine ? min(rank, Suspect.Confidence.medium.rank) : 0)
      }
      circumstances.append(.seenBefore(comeback.lastSeen))
    }
    if toolchainChanged {
      rank -= 1
      circumstances.append(.toolchainChanged)
    }
    if issue.kind.isOfCode, let change = outside.first {
      rank -= 1
      circumstances.append(.alsoChanged(change.name))
    }
    let all = Suspect.Confidence.allCases
    return Suspicion(lead.change.commit, lead.clue, circumstances, all[min(max(rank, 0), all.count - 1)])
  }
}

extension Issue.Kind {
  /// Whether it happened where its place is; what an assertion finds came about elsewhere.
  fileprivate var isPlaced: Bool {
    switch self {
    case .crash, .timeOut, .quit, .sanitizer, .error, .linkerError, .warning, .analyzerWarning: true
    case .testFailure, .gate, .triggerError, .serviceError, .serviceWarning: false
    }
  }
}

extension SuspectFinder.Change {
  /// Who made the commit: the address, or the name without one.
  fileprivate var person: String { commit.email.isEmpty ? commit.author : commit.email.lowercased() }
}

extension SuspectFinder.Lead {
  /// Whether more speaks for it, or what does is more telling.
  fileprivate func isStronger(than other: Self) -> Bool {
    (other.confidence.rank, clue.rank) < (confidence.rank, other.clue.rank)
  }
}

extension Suspicion.Clue {
  /// The most telling has the least.
  fileprivate var rank: Int {
    switch self {
    case .sourceLine: 0
    case .testedLine: 1
    case .testLine: 2
    case .ranLines: 3
    case .sourceFile: 4
    case .testedFile: 5
    case .testFile: 6
    case .otherFile: 7
    case .onlyCommit: 8
    }
  }
}

extension Suspect.Confidence {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
