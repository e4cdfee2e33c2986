import Model
import Rendering

extension ComparisonText {
  var issues: [String] {
    let issues = comparison.issues
    let groups = [
      ("new", issues.new, TerminalStyle.Colour.red), ("gone", issues.gone, .green),
      ("not reached", issues.notReached, .yellow), ("in both", issues.both, nil),
    ]
    let counts = groups.filter { !$0.1.isEmpty }.map { "\(CountText.plain($0.1.count)) \($0.0)" }
    guard !counts.isEmpty else { return [] }
    // Red tests were told with the tests.
    return [style.bold("Issues: \(CountText.list(counts))")]
      + groups.flatMap { word, issues, colour in
        listed(issues.filter { !$0.kind.isOfRedTest }) { issue in
          let place = issue.file.flatMap { file in issue.line.map { "\(shown(file)):\($0): " } } ?? ""
          let message = shown(issue.message).split(separator: "\n").first.map(String.init) ?? ""
          let silenced = issue.status == .silenced ? ", silenced" : ""
          return "  \(style.coloured(word, colour)): \(issue.kind.rawValue)\(silenced): \(place)\(message)"
        }
      }
  }

  var coverage: [String] {
    let coverage = comparison.coverage
    guard let before = coverage.before?.lines, let after = coverage.after?.lines else {
      return [style.bold("Coverage: not in both")]
        + [(words.before, coverage.before, coverage.beforeReason), (words.after, coverage.after, coverage.afterReason)]
        .filter { $0.1 == nil }.map { "  \(shown($0.0)) has none: \(shown($0.2 ?? "no reason was recorded"))" }
    }
    let change = after.uncovered - before.uncovered
    let signed = change == 0 ? "" : " (\(CountText.signed(change)))"
    var lines = [
      style.bold(
        "Coverage: \(CountText.plain(after.uncovered)) of \(CountText.plain(after.total)) lines never ran\(signed)")
    ]
    lines += listed(coverage.files, line)
    if let reason = coverage.reason { lines.append("  The lines were not compared one by one. \(shown(reason))") }
    return lines + words.leftOut.map { "  \(style.coloured("left out", .yellow)): \(shown($0))" } + categories + places
  }

  private func line(_ file: CoverageSides.File) -> String {
    func words(_ lines: LineTally?) -> String { lines.map { "\($0.uncovered) of \($0.total)" } ?? "not counted" }
    let change = (file.after?.uncovered ?? 0) - (file.before?.uncovered ?? 0)
    let signed = style.coloured(CountText.signed(change), change > 0 ? .red : change < 0 ? .green : nil)
    let old = file.oldPath.map { " (was \(shown($0)))" } ?? ""
    return "  \(signed)  \(shown(file.path))\(old): \(words(file.before)) → \(words(file.after))"
  }

  /// What became of the lines, in genhtml's categories; what stayed as it was is left out.
  private var categories: [String] {
    guard let lines = comparison.coverage.lines else { return [] }
    let changed = ChangeCategory.allCases.filter { lines[$0] > 0 && !$0.isSame }
    guard !changed.isEmpty else { return [] }
    let (since, chance) = (comparison.before.number, comparison.coverage.byChance ?? CategoryCounts())
    return ["  Lines by what became of them:"]
      + Self.table(
        changed.map {
          ("  \($0.rawValue)  \(lines[$0])", ChangeWords.meaning(of: $0, since: since, byChance: chance[$0]))
        })
  }

  /// The first places of lines that were lost, of new ones that never ran, and of those that run by chance.
  private var places: [String] {
    words.placeGroups.filter { $0.kind != .gained }.flatMap { group in
      let left = group.places.dropFirst(Self.mostPlaces).reduce(0) { $0 + $1.place.count }
      let colour: TerminalStyle.Colour? = group.kind == .chance ? nil : .red
      return group.places.prefix(Self.mostPlaces).map { path, place in
        let function = place.function.map { " (\(shown($0)))" } ?? ""
        return "  \(style.coloured(group.word, colour)): \(shown(path)):\(place.range)\(function)"
      } + (left > 0 ? ["  … and \(CountText.counted(left, "more line")) \(group.word)"] : [])
    }
  }

  private static let mostPlaces = 10

  var commits: [String] {
    let commits = comparison.commits
    var lines: [String] = []
    if let reason = commits.reason { lines.append("  \(shown(reason))") }
    lines += listed(commits.added) { entry($0, sign: "+") } + listed(commits.dropped) { entry($0, sign: "-") }
    return lines.isEmpty ? [] : [style.bold("Commits: \(shown(words.relation))")] + lines
  }

  private func entry(_ commit: CommitChange, sign: String) -> String {
    let head = "  \(sign) \(commit.id.short) \(shown(commit.author)), \(time.minute(of: commit.date)): "
    let files = commit.files.prefix(12).map { file in
      let counts = file.added.flatMap { added in file.removed.map { " +\(added) -\($0)" } } ?? ""
      let old = file.oldPath.map { " from \(shown($0))" } ?? ""
      let status = file.status == .modified ? "" : " (\(file.status.rawValue)\(old))"
      return "      \(shown(file.path))\(status)\(counts)"
    }
    let left = commit.files.count - files.count + (commit.filesLeft ?? 0)
    return ([head + shown(commit.summary)] + files + (left > 0 ? ["      … and \(left) more"] : []))
      .joined(separator: "\n")
  }
}
