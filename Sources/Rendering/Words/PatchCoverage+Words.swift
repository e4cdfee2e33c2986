package import Model

extension [UncountedPatchFile] {
  /// The number of packages that are named before the rest is counted.
  private static var mostPackages: Int { 3 }

  /// The files of other packages, those of none of the targets, and those without counters, each group with the reason
  /// why its changed lines do not count, as a clause whose subject is the lines.
  package var byReason: [(files: [UncountedPatchFile], reason: String)] {
    let others = filter { $0.package != nil }
    let strays = filter { $0.package == nil && $0.unmeasured == nil }
    let unmeasured = UnmeasuredSources.Kind.allCases.map { kind in (filter { $0.unmeasured == kind }, kind.clause) }
    let folders = Set(others.compactMap(\.package)).sorted()
    let bots = ShortList.text(folders.map { "`package: \($0)`" }, first: Self.mostPackages)
    let what =
      folders.count == 1
      ? "another package of this repository, which a bot with \(bots) would count"
      : "other packages of this repository, which bots with \(bots) would count"
    let reasons = [(others, "they are of \(what)"), (strays, "they are in none of the package's targets")] + unmeasured
    return reasons.filter { !$0.0.isEmpty }
  }

  /// The beginning of a clause about their lines: some may not have changed if they cannot be followed, and without
  /// counters it is unknown whether they hold code.
  package var subject: String {
    if allSatisfy({ $0.unmeasured != nil }) { return "changes of" }
    return contains { $0.lines == nil } ? "lines that changed, or may have, in" : "changed lines of"
  }

  /// Returns clauses stating that their changed lines do not count, and why, beginning in lower case and without a full
  /// stop.
  ///
  /// - Parameters:
  ///   - count: the number of files that a clause names before it counts the rest.
  ///   - name: returns the displayed name of a file.
  package func clauses(first count: Int, _ name: (String) -> String = { $0 }) -> [String] {
    byReason.map { files, reason in
      "\(files.subject) \(ShortList.text(files.map { name($0.path) }, first: count)) do not count: \(reason)"
    }
  }
}

extension UnmeasuredSources.Kind {
  /// The reason why changes of such sources do not count, as a clause whose subject is the changes.
  fileprivate var clause: String {
    switch self {
    case .foreign: "they are not Swift, and SwiftPM gives them no counters"
    case .plugin: "they belong to a plugin, which SwiftPM builds without counters"
    case .macro: "they belong to a macro that only the compiler runs"
    case .unbuilt: "they belong to a target that was not built"
    }
  }
}

extension Integration {
  /// Returns of how many changed lines a number is; what stands beside it, such as a gate or the changed files, may
  /// count those since another integration.
  func words(ofChangedLines patch: PatchCoverage) -> String {
    let since = otherOrigin(of: patch) ?? originBesideGates(of: patch)
    let lines = since.map { "\(CountText.counted(patch.tally.total, "line")) changed since \($0)" }
    return "of \(lines ?? CountText.counted(patch.tally.total, "changed line"))"
  }

  /// Returns a clause stating that no changed line is in a figure; a file beside it may have changed and changed back, if
  /// its lines are counted since another integration.
  func noLine(of patch: PatchCoverage) -> String {
    otherOrigin(of: patch).map { PatchCoverage.noLine(differingFrom: $0) }
      ?? PatchCoverage.noLine(since: originBesideGates(of: patch).map { "\($0)" })
  }

  /// Returns the integration since which the lines of a change are counted, if a gate judges those since another.
  private func originBesideGates(of patch: PatchCoverage) -> Int? {
    gates.lazy.compactMap { $0.judgedOtherwise(than: patch) }.first
  }

  /// Returns the integration since which the lines of a change are counted, if it is not the baseline.
  func otherOrigin(of patch: PatchCoverage) -> Int? {
    guard case .integration(let number) = patch.origin, let baseline, baseline.number != number else { return nil }
    return number
  }
}

extension PatchCoverage {
  /// Returns how many of the lines that ran did so only in part, to follow that; empty for none.
  static func partly(_ tally: LineTally) -> String {
    guard tally.partial > 0 else { return "" }
    return tally.total == 1 ? " partly" : ", \(CountText.plain(tally.partial)) of them partly"
  }

  /// Returns a clause, beginning in lower case and without a full stop, stating that no changed line is in a figure.
  ///
  /// - Parameters:
  ///   - isRest: whether other lines, of which more is said, may count.
  ///   - base: what the lines changed since, as a noun; nil if that goes without saying.
  static func noLine(isRest: Bool = false, since base: String? = nil) -> String {
    "no \(isRest ? "other " : "")counted line changed\(base.map { " since \($0)" } ?? "")"
  }

  /// Returns the same of lines that are counted since an integration: they may have changed and changed back.
  static func noLine(differingFrom number: Int) -> String { "no counted line differs from \(number)" }

  /// Returns a clause, likewise, stating that no file changed since an integration.
  static func noFile(since number: Int) -> String { "nothing changed since \(number)" }

  /// Returns sentences about changed lines that are in no figure: those that are left out, and those that do not count.
  ///
  /// - Parameter count: the number of files that a sentence names before it counts the rest.
  func outsideSentences(first count: Int) -> [String] {
    let uncounted = uncounted.clauses(first: count).map { "\($0.capitalizedFirst)." }
    return [leftOutSentence(first: count)].compactMap(\.self) + uncounted
  }

  /// Returns a sentence stating that lines which were left out changed, too; nil if there are none.
  ///
  /// - Parameter count: the number of files that are named before the rest is counted.
  private func leftOutSentence(first count: Int) -> String? {
    guard !leftOut.isEmpty else { return nil }
    return "Changed lines of \(ShortList.text(leftOut, first: count)) are left out."
  }
}

extension [UnmappedFile] {
  /// Returns a sentence for each reason, with the first files that it applies to; empty if there are no files.
  ///
  /// - Parameter what: what is unknown, such as `Which lines changed`.
  package func sentences(_ what: String, first count: Int) -> [String] {
    let reasons: [FileDifference.Obstacle] = FileDifference.Obstacle.allCases
    return reasons.compactMap { reason in
      let paths = filter { $0.obstacle == reason }.map(\.path)
      guard !paths.isEmpty else { return nil }
      return "\(what) is not known in \(ShortList.text(paths, first: count)), because \(reason.words)."
    }
  }
}
