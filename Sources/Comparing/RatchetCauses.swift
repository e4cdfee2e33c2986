import Model

/// What a falling share of covered lines comes from.
struct RatchetCauses {
  /// The lines of code that brought it down, the lost ones first.
  let lines: [SourceLocation]
  let sentences: [String]

  init(_ comparison: CoverageComparison) {
    let uncovered = comparison.lostLines + comparison.lines(.newNeverRan)
    let included = comparison.lines(.includedNeverRan)
    lines = uncovered + included
    var sentences: [String] = []
    if !uncovered.isEmpty { sentences.append("Lost or new without coverage: \(GateJudgement.list(uncovered)).") }
    if !included.isEmpty { sentences.append("Counted only now, and never ran: \(GateJudgement.list(included)).") }
    if let gone = Self.files(comparison, .deletedRan, madeUpBy: .newRan) {
      sentences.append("Code that ran was removed: \(gone).")
    }
    if let gone = Self.files(comparison, .excludedRan, madeUpBy: .includedRan) {
      sentences.append("Code that ran is no longer counted: \(gone).")
    }
    if sentences.isEmpty {
      sentences = comparison.unmapped.sentences("Which lines changed", first: GateJudgement.mostPlaces)
    }
    self.sentences = sentences.isEmpty ? ["What brought it down is not known."] : sentences
  }

  /// How many lines of a category that is no code now the first files had; nil without any.
  ///
  /// Code that was only written anew, or laid out otherwise, is gone and new in the same file: as many lines as its
  /// `counterpart` holds brought nothing down, and neither did any of a file in which as many lines run as before, apart
  /// from those that were lost.
  private static func files(
    _ comparison: CoverageComparison, _ category: ChangeCategory, madeUpBy counterpart: ChangeCategory
  ) -> String? {
    let counts = comparison.files.filter(\.ranLessWithoutLost).map { file in
      (path: file.path, count: file.counts[category] - file.counts[counterpart])
    }.filter { $0.count > 0 }
    guard !counts.isEmpty else { return nil }
    let left = counts.dropFirst(GateJudgement.mostPlaces).count
    let shown = counts.prefix(GateJudgement.mostPlaces).map { file in
      "\(CountText.counted(file.count, "line")) of \(file.path)"
    }
    return shown.joined(separator: ", ") + (left > 0 ? " and of \(CountText.counted(left, "more file"))" : "")
  }
}

extension FileComparison {
  /// Whether the number of lines that ran fell by more than the lost ones; what runs by chance is left aside.
  fileprivate var ranLessWithoutLost: Bool {
    let counts = counts
    return counts[.deletedRan] + counts[.excludedRan] > counts[.newRan] + counts[.includedRan] + lines(.gained).count
  }
}
