import Model

/// The matching of findings with known issues.
///
/// Findings that differ only in their lines and numbers may belong to several issues: one of the same words is matched
/// first, then the nearest, so that an issue keeps its name when a similar one goes away. Open issues take precedence over
/// those that are gone.
struct IssueMatching {
  /// A known issue, with its place mapped to the current files.
  struct Known {
    var record: IssueRecord
    /// Whether its line has been replaced since, so that its place is a guess.
    var isGuess: Bool
    /// Whether its file is gone.
    var hasLostFile = false
  }

  /// A known issue and a finding that may belong to it.
  private struct Pair {
    var known: Int
    var finding: Int
    var hasOtherWords = false
    var distance: Int

    /// What is smaller is matched first.
    func rank(at index: Int) -> (Int, Int, Int) { (hasOtherWords ? 1 : 0, distance, index) }
  }

  /// The largest number of pairs of similar findings in one file whose distances are compared.
  private static let mostPairs = 100_000

  /// Returns the index of each finding's known issue; nil for new findings.
  ///
  /// - Parameter silenced: the silenced issues, which are never matched with another failure of the same test.
  static func match(
    _ findings: [Issue], with known: [Known], _ silenced: SilencedFindings = SilencedFindings()
  ) -> [Int?] {
    /// Silenced issues of red tests form groups of their own.
    struct Group: Hashable {
      var key: String
      var silenced: String?
    }
    var groups: [Group: (known: [Int], findings: [Int])] = [:]
    for (index, one) in known.enumerated() {
      let record = one.record
      var issue = Issue(record)
      issue.location = record.location
      let group = Group(
        key: IssueNames.key(of: issue), silenced: silenced.contains(record.id) ? record.id : nil)
      groups[group, default: ([], [])].known.append(index)
    }
    for (index, finding) in findings.enumerated() {
      let silence = silenced.issue(telling: finding)
      // An issue that an older Martlet remembered without a subject is matched by its message once; the subject is
      // stored then.
      let keys = [IssueNames.key(of: finding), IssueNames.keyOfWords(finding)].map { Group(key: $0, silenced: silence) }
      guard let group = keys.first(where: { groups[$0] != nil }) else { continue }
      groups[group]?.findings.append(index)
    }
    var matched = [Int?](repeating: nil, count: findings.count)
    for group in groups.values where !group.findings.isEmpty {
      let open = group.known.filter { known[$0].record.isOpen }
      // Among those that are gone, the most recently closed ones are the likeliest to come back.
      let gone = group.known.filter { !known[$0].record.isOpen }
        .sorted { known[$0].record.closing > known[$1].record.closing }
      for candidates in [open, gone] {
        let left = group.findings.filter { matched[$0] == nil }
        for pair in nearest(left, of: findings, candidates, of: known) { matched[pair.finding] = pair.known }
      }
    }
    return matched
  }

  private static func nearest(
    _ findings: [Int], of allFindings: [Issue], _ candidates: [Int], of known: [Known]
  ) -> [Pair] {
    if candidates.isEmpty || findings.isEmpty { return [] }
    guard findings.count <= mostPairs / candidates.count else {
      return zip(candidates, findings).map { Pair(known: $0, finding: $1, distance: 0) }
    }
    var pairs: [Pair] = []
    for candidate in candidates {
      for finding in findings {
        let distance = distance(from: known[candidate], to: allFindings[finding])
        let hasOtherWords = known[candidate].record.message != allFindings[finding].message
        pairs.append(
          Pair(known: candidate, finding: finding, hasOtherWords: hasOtherWords, distance: distance))
      }
    }
    // Ties are resolved by the original order.
    let order = pairs.indices.sorted { pairs[$0].rank(at: $0) < pairs[$1].rank(at: $1) }
    var taken: (known: Set<Int>, findings: Set<Int>) = ([], [])
    return order.map { pairs[$0] }.filter { pair in
      guard !taken.known.contains(pair.known), !taken.findings.contains(pair.finding) else { return false }
      taken.known.insert(pair.known)
      taken.findings.insert(pair.finding)
      return true
    }
  }

  private static func distance(from known: Known, to finding: Issue) -> Int {
    guard let old = known.record.location, let new = finding.location else { return 0 }
    let lines = old.line > new.line ? old.line &- new.line : new.line &- old.line
    return known.isGuess ? lines &+ 1_000_000 : lines
  }
}

extension IssueRecord {
  /// The number of the integration that proved the issue gone; zero while it is open.
  fileprivate var closing: Int { streaks.last?.closed ?? 0 }
}

extension IssueMatching.Known {
  /// Whether a finding lies where the issue was, in a line that nobody has changed.
  func isInPlace(of finding: Issue) -> Bool {
    guard let old = record.location, let new = finding.location else { return true }
    return !isGuess && old.file == new.file && old.line == new.line
  }

  /// How the issue ended if it turns out to be gone; nil if it may have gone without a change of its own line.
  var ending: IssueRecord.Ending? {
    switch record.kind {
    case .error, .linkerError, .warning, .analyzerWarning:
      record.test != nil ? nil : hasLostFile ? .fileDeleted : isGuess ? .fixed : nil
    case .testFailure, .crash, .timeOut, .quit, .sanitizer, .gate, .triggerError, .serviceError, .serviceWarning: nil
    }
  }

  /// Maps a known issue's place to the files after a change; the place stays as it is if the change is unknown, and in
  /// a file that is gone.
  init(_ record: IssueRecord, after change: SourceDifference?) {
    self.init(record: record, isGuess: false)
    guard let place = record.location, let file = change?.file(from: place.file) else { return }
    if let path = file.newPath, path != place.file {
      self.record.location?.file = path
      self.record.message = record.message.replacing(place.file, with: path)
    }
    hasLostFile = file.newPath == nil && file.obstacle == nil
    guard let lines = file.lines, file.newPath != nil else { return }
    isGuess = lines.newLine(of: place.line) == nil
    self.record.location?.line = lines.nearestNewLine(of: place.line)
  }
}
