package import Model

extension [UncountedPatchFile] {
  /// How many packages are named before the rest is counted.
  private static var mostPackages: Int { 3 }

  /// Those of other packages, those of none of the targets, and those without counters, each with the reason why changed
  /// lines of them do not count, as a clause of which the lines are the subject.
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

  /// The beginning of a clause about lines of them: not each is known to have changed where some cannot be followed, and
  /// to hold code where there are no counters.
  package var subject: String {
    if allSatisfy({ $0.unmeasured != nil }) { return "changes of" }
    return contains { $0.lines == nil } ? "lines that changed, or may have, in" : "changed lines of"
  }

  /// That changed lines of them do not count, and why, as clauses that begin in lower case and end without a full stop.
  ///
  /// - Parameters:
  ///   - count: how many files a clause names before it counts the rest.
  ///   - name: what a file is called.
  package func clauses(first count: Int, _ name: (String) -> String = { $0 }) -> [String] {
    byReason.map { files, reason in
      "\(files.subject) \(ShortList.text(files.map { name($0.path) }, first: count)) do not count: \(reason)"
    }
  }
}

extension UnmeasuredSources.Kind {
  /// Why changes of such sources do not count, as a clause of which the changes are the subject.
  fileprivate var clause: String {
    switch self {
    case .foreign: "they are not Swift, and SwiftPM gives them no counters"
    case .plugin: "they belong to a plugin, which SwiftPM builds without counters"
    case .macro: "they belong to a macro that only the compiler runs"
    case .unbuilt: "they belong to a target that was not built"
    }
  }
}

extension PatchCoverage {
  /// What stands behind "no changed line": where lines are left out or do not count, there may well be code.
  var noCodeWords: String { leftOut.isEmpty && uncounted.isEmpty ? "contains code" : "contains counted code" }

  /// What is said of changed lines that are in no figure: those that are left out, and those that do not count.
  ///
  /// - Parameter count: how many files a sentence names before the rest is counted.
  func outsideSentences(first count: Int) -> [String] {
    let uncounted = uncounted.clauses(first: count).map { "\($0.capitalizedFirst)." }
    return [leftOutSentence(first: count)].compactMap(\.self) + uncounted
  }

  /// Says that lines which nobody looked at changed, too; nil when there are none.
  ///
  /// - Parameter count: how many files are named before the rest is counted.
  private func leftOutSentence(first count: Int) -> String? {
    guard !leftOut.isEmpty else { return nil }
    return "Changed lines of \(ShortList.text(leftOut, first: count)) are left out."
  }
}

extension [UnmappedFile] {
  /// A sentence for each reason, with the first files that it holds for; empty when there are no files.
  ///
  /// - Parameter what: what is not known, such as `Which lines changed`.
  package func sentences(_ what: String, first count: Int) -> [String] {
    let reasons: [FileDifference.Obstacle] = FileDifference.Obstacle.allCases
    return reasons.compactMap { reason in
      let paths = filter { $0.obstacle == reason }.map(\.path)
      guard !paths.isEmpty else { return nil }
      return "\(what) is not known in \(ShortList.text(paths, first: count)), because \(reason.words)."
    }
  }
}
