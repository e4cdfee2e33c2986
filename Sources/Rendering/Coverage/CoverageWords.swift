import Model

enum CoverageWords {
  /// Why a line counts as partly ran of whose own code nothing ran.
  static let aroundRan = "Only the code around it ran."

  /// Returns the heading of the page about all files: the uncovered lines of the change if it has any.
  static func heading(_ coverage: Coverage, baseline: Baseline?, changes: CoverageChanges? = nil) -> String {
    let lines = coverage.totals.lines
    guard lines.total > 0 else { return "There is no code to count" }
    guard lines.uncovered > 0 else {
      return lines.total == 1 ? "The only line ran" : "All \(CountText.plain(lines.total)) lines ran"
    }
    let most = coverage.isWhole ? "" : "At most "
    let count = most + CountText.counted(lines.uncovered, "line")
    guard let before = baseline?.totals?.lines, let number = baseline?.coverageNumber else {
      return lines.covered == 0 && coverage.isWhole
        ? "No line ran: \(CountText.counted(lines.uncovered, "line")) never did"
        : "\(most)\(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "line")) never ran"
    }
    let lost = changes?.comparison.value?.lostLines.count ?? 0
    if let patch = toldChange(changes, since: baseline) {
      return changed(patch.tally) + (lost > 0 ? ", \(CountText.plain(lost)) lost" : "")
    }
    if lost > 0 { return loss(lost, of: lines) }
    let byChance = changes?.comparison.value?.byChance.uncoveredChange ?? 0
    return "\(count) never ran, \(change(lines.uncovered - before.uncovered, since: number, byChance: byChance))"
  }

  /// Returns how many lines never ran, such as `26`, or `at most 26` if counters or tests are missing.
  static func uncovered(_ lines: LineTally, isWhole: Bool) -> String {
    most(of: CountText.plain(lines.uncovered), isWhole: isWhole || lines.uncovered == 0)
  }

  /// Returns a figure of what never ran, such as `at most 26` if counters or tests are missing.
  static func most(of figure: String, isWhole: Bool) -> String { (isWhole ? "" : "at most ") + figure }

  /// Returns why lines that never ran may run, and nothing is compared; nil if neither counters nor tests are missing.
  static func note(_ coverage: Coverage) -> String? {
    guard coverage.isComplete else {
      let reason = coverage.reason ?? "A process left no coverage data."
      return "Incomplete: \(reason) What only the lost process ran counts as never run; nothing is compared."
    }
    return coverage.testsMissing.map { "\(MissingTestsWords.missing(of: $0)); nothing is compared." }
  }

  /// Returns the change whose uncovered lines are in that heading; nil if others are.
  static func toldChange(_ changes: CoverageChanges?, since baseline: Baseline?) -> PatchCoverage? {
    guard baseline?.totals != nil, let patch = changes?.patch.value, patch.origin != .nothing,
      patch.tally.uncovered > 0
    else { return nil }
    return patch
  }

  /// Returns `2 of 7`, as in a cell of a table; a dash if there are none.
  static func uncovered(_ tally: Tally) -> String {
    tally.total == 0 ? "–" : "\(CountText.plain(tally.uncovered)) of \(CountText.plain(tally.total))"
  }

  /// Returns how many parts of a kind did not run, such as `2 of 7 regions never ran`, or that all of them did.
  ///
  /// - Parameter all: how many there are.
  static func figure(_ tally: Tally, of all: String, never: String, did: String) -> String {
    if tally.uncovered > 0 || tally.total == 0 { return "\(CountText.plain(tally.uncovered)) of \(all) \(never)" }
    return tally.total == 1 ? "\(all) \(did)" : "all \(all) \(did)"
  }

  /// Returns how many changed lines never ran.
  static func changed(_ lines: LineTally, neverRan: String = "never ran") -> String {
    "\(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "changed line")) \(neverRan)"
  }

  /// Returns how many lines are lost, such as `2 of 40 lines lost` and `5 lines never ran, 2 of them lost`.
  private static func loss(_ lost: Int, of lines: LineTally) -> String {
    lost < lines.uncovered
      ? "\(CountText.counted(lines.uncovered, "line")) never ran, \(CountText.plain(lost)) of them lost"
      : "\(CountText.plain(lost)) of \(CountText.counted(lines.total, "line")) lost"
  }

  /// Returns a change of a number of lines, such as `2 more than in 6` and `12 more than in 10, 2 of them by chance`.
  private static func change(_ change: Int, since number: Int, byChance: Int) -> String {
    func words(_ change: Int) -> String { "\(CountText.plain(abs(change))) \(change > 0 ? "more" : "fewer")" }
    let own = change - byChance
    if own == 0 { return byChance == 0 ? "as many as in \(number)" : "\(words(change)) than in \(number), by chance" }
    if byChance == 0 { return "\(words(own)) than in \(number)" }
    return (own > 0) == (byChance > 0)
      ? "\(words(change)) than in \(number), \(CountText.plain(abs(byChance))) of them by chance"
      : "\(words(own)) than in \(number), and \(words(byChance)) by chance"
  }

  /// Returns the colour of the sign beside a heading; if nothing could run, nothing passed either.
  static func glyph(of lines: LineTally) -> String {
    if lines.total == 0 { return "not-run" }
    return lines.uncovered > 0 ? "failed" : lines.partial > 0 ? "warning" : "passed"
  }

  /// Returns the sign beside a heading.
  static func symbol(of lines: LineTally) -> String {
    lines.total == 0 ? "not-run" : lines.uncovered > 0 || lines.partial > 0 ? "gap" : "passed"
  }

  /// Returns how many lines ran without any test; nil if that was not measured.
  static func incidental(_ coverage: Coverage) -> String? {
    switch coverage.incidental {
    case nil: nil
    case .unknown(let reason): "not known: \(VisibleText.of(reason))"
    case .known(0): "no line ran only because a test process started"
    case .known(let count):
      "\(CountText.counted(count, "line")) ran only because test processes started, without any test; they "
        + "count as run"
    }
  }

  /// Returns the destinations that the coverage comes from; nil for a bot with only one way to build.
  static func destinations(of integration: Integration) -> String? {
    let merged = integration.coverage.coverage?.destinations ?? []
    if merged.count > 1 { return "a line ran if it ran in \(CountText.list(merged, "or"))" }
    return integration.cells.isEmpty ? nil : (merged.first ?? integration.destination?.name).map { "measured in \($0)" }
  }

  /// Returns the number of sources without counters, and their targets; nil if there are none.
  static func unmeasured(_ sources: [String: Int]) -> String? {
    guard !sources.isEmpty else { return nil }
    let count = sources.values.reduce(0, +)
    let targets = sources.keys.sorted().map(VisibleText.of)
    let shown = targets.prefix(4).joined(separator: ", ") + (targets.count > 4 ? " and others" : "")
    return "\(CountText.counted(count, "source")) of \(shown)"
  }

  /// Returns a phrase for how much of a source ran.
  ///
  /// - Parameters:
  ///   - lost: how many of its lines are lost.
  ///   - byChance: how many of its lines ran by chance.
  static func phrase(_ file: FileCoverage, isComplete: Bool = true, lost: Int = 0, byChance: Int = 0) -> String {
    let phrase = phrase(
      file.totals.lines, isComplete: isComplete, lost: file.isHeader ? 0 : lost, neverRan: file.neverRanWords,
      noneRan: file.isHeader ? "no line has a counted run" : "no line ran")
    if byChance == 0 { return phrase }
    let count = CountText.plain(byChance)
    return file.totals.lines.partial > 0 ? "\(phrase), \(count) ran by chance" : "\(phrase), \(count) by chance"
  }

  /// Returns a phrase for how much of a file, a directory or a target ran.
  static func phrase(
    _ lines: LineTally, isComplete: Bool, lost: Int = 0, neverRan: String = "never ran",
    noneRan: String = "no line ran"
  ) -> String {
    if lines.total == 0 { return "no code to count" }
    if lost > 0 { return loss(lost, of: lines) }
    if lines.uncovered > 0 {
      if lines.covered == 0, isComplete { return noneRan }
      return
        "\(isComplete ? "" : "at most ")\(CountText.plain(lines.uncovered)) of "
        + "\(CountText.counted(lines.total, "line")) \(neverRan)"
    }
    if lines.total == 1 { return lines.partial == 0 ? "the only line ran" : "the only line partly ran" }
    let total = CountText.plain(lines.total)
    return lines.partial == 0
      ? "all \(total) lines ran" : "\(CountText.plain(lines.partial)) of \(total) lines partly ran"
  }

  /// Returns why llvm-cov prints different line figures; nil if they agree.
  ///
  /// A single cause is named only if it accounts exactly for the difference; otherwise the text explains how llvm-cov
  /// counts in general.
  /// - Parameter excluded: the lines of the same files that are left out here on request.
  static func difference(_ llvm: Tally, from lines: LineTally, excluded: LineTally = LineTally()) -> String? {
    guard llvm.total != lines.total || llvm.uncovered != lines.uncovered, llvm.total > 0 else { return nil }
    let printed = "\(CountText.counted(llvm.total, "line")), \(CountText.plain(llvm.uncovered)) missed"
    let own = "\(CountText.plain(lines.total)) and \(CountText.plain(lines.uncovered))"
    let leftOut =
      "\(CountText.counted(excluded.total, "line is", "lines are")) left out here on request"
    let isWhole =
      llvm.total == lines.total + excluded.total && llvm.uncovered == lines.uncovered + excluded.uncovered
    if excluded.total > 0, isWhole {
      return "llvm-cov report prints \(printed), where this page has \(own): \(leftOut)."
    }
    let why =
      llvm.total > lines.total + excluded.total
      ? "it counts by function, so a line of several functions or closures counts once for each"
      : "it counts lines by function, and this page each line of source once"
    let also = excluded.total > 0 ? ", and \(leftOut)" : ""
    return "llvm-cov report prints \(printed), where this page has \(own): \(why)\(also)."
  }

  /// Returns the change of a share in percentage points, such as `+0.9 points`; nil if it is the same or either
  /// total is zero.
  ///
  /// - Parameter byChance: how many more lines never ran by chance, which is neither good nor bad.
  static func points(_ now: LineTally, from before: LineTally, byChance: Int = 0) -> (text: String, tone: String)? {
    guard now.total > 0, before.total > 0 else { return nil }
    func share(_ uncovered: Int, _ lines: LineTally) -> Double { Double(uncovered) / Double(lines.total) }
    let change = share(now.uncovered, now) - share(before.uncovered, before)
    guard change != 0 else { return nil }
    let own = byChance == 0 ? change : share(now.uncovered - byChance, now) - share(before.uncovered, before)
    let sign = change > 0 ? "+" : "−"
    let tenths = Int((abs(change) * 1000).rounded())
    // A change must not be rounded to none, unless only the total changed.
    if tenths == 0, now.uncovered == before.uncovered { return nil }
    let text = tenths == 0 ? "\(sign)<0.1 points" : "\(sign)\(tenths / 10).\(tenths % 10) points"
    return (text, own > 0 ? "worse" : own < 0 ? "better" : "")
  }
}
