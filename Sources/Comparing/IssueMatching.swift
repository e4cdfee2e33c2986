import Model

/// Finds out which findings are issues that are known already.
///
/// Findings that may be several issues, because they are alike in all but their lines, are those that are nearest: an
/// issue keeps its name when another like it goes. Issues that are open come before those that are gone.
struct IssueMatching {
  /// An issue that is known, with its place carried over into the files as they are now.
  struct Known {
    var record: IssueRecord
    /// Whether its line was replaced since, so that its place is a guess.
    var isGuess: Bool
  }

  /// A known issue and a finding that may be the same.
  private struct Pair {
    var known: Int
    var finding: Int
    var distance: Int
  }

  /// More pairs of like findings in one file than this are not weighed against each other.
  private static let mostPairs = 100_000

  /// The index of the known issue of each finding; nil for those that are new.
  ///
  /// - Parameter silenced: what people have silenced, which no other failure of the same test takes the place of.
  static func match(
    _ findings: [Issue], with known: [Known], _ silenced: SilencedFindings = SilencedFindings()
  ) -> [Int?] {
    /// Silenced issues of red tests are in groups of their own.
    struct Group: Hashable {
      var key: String
      var silenced: String?
    }
    var groups: [Group: (known: [Int], findings: [Int])] = [:]
    for (index, one) in known.enumerated() {
      let record = one.record
      let group = Group(
        key: IssueNames.key(of: Issue(record)), silenced: silenced.contains(record.id) ? record.id : nil)
      groups[group, default: ([], [])].known.append(index)
    }
    for (index, finding) in findings.enumerated() {
      let silence = silenced.issue(telling: finding)
      // An issue that an older Martlet remembers is known by its words once, and has its subject from then on.
      let keys = [IssueNames.key(of: finding), IssueNames.keyOfWords(finding)].map { Group(key: $0, silenced: silence) }
      guard let group = keys.first(where: { groups[$0] != nil }) else { continue }
      groups[group]?.findings.append(index)
    }
    var matched = [Int?](repeating: nil, count: findings.count)
    for group in groups.values where !group.findings.isEmpty {
      let open = group.known.filter { known[$0].record.isOpen }
      // Of those that are gone, the last to go are the likeliest to come back.
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
        pairs.append(Pair(known: candidate, finding: finding, distance: distance))
      }
    }
    // The order in which they came decides between equals.
    let order = pairs.indices.sorted { (pairs[$0].distance, $0) < (pairs[$1].distance, $1) }
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
  /// The number of the integration that proved it gone; zero while it is open.
  fileprivate var closing: Int { streaks.last?.closed ?? 0 }
}

extension IssueMatching.Known {
  /// Carries a known issue over into the files as they are after a change; nil for one that is not known.
  init(_ record: IssueRecord, after change: SourceDifference?) {
    self.init(record: record, isGuess: false)
    guard let place = record.location, let file = change?.file(from: place.file) else { return }
    if let path = file.newPath, path != place.file {
      self.record.location?.file = path
      self.record.message = record.message.replacing(place.file, with: path)
    }
    guard let lines = file.lines else { return }
    isGuess = lines.newLine(of: place.line) == nil
    self.record.location?.line = lines.nearestNewLine(of: place.line)
  }
}
