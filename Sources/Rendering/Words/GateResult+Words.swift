import Model

extension GateResult {
  /// The name of the gate in mid-sentence: `gate patch 80 %`.
  var name: String { "gate \(shortName)" }

  /// Its rule in words: `patch 80 %`.
  package var shortName: String { Self.shortName(ofRule: rule) }

  /// Returns the words for a rule such as `patch=80`.
  static func shortName(ofRule rule: String) -> String {
    switch CoverageGate(rule: rule) {
    case .patchFullyCovered: "patch fully covered"
    case .patch: "\(rule.split(separator: "=").joined(separator: " ")) %"
    case .noLostCoverage: "no lost coverage"
    case .noUncheckedChanges: "no unchecked changes"
    case .ratchet, nil: rule
    }
  }

  /// The finding in its shortest form: the share that ran, or the number of lines that made it fail; the sentence if
  /// there is neither.
  var finding: String {
    if let share, let shareBefore { return "\(Self.words(share)) lines ran, was \(Self.words(shareBefore))" }
    // Rounded down, so that an insufficient share never looks sufficient.
    if let share, share.total > 0 {
      let tenths = share.covered * 1000 / share.total
      let words = tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
      return "\(words) % of the changed lines ran"
    }
    guard let lines, !lines.isEmpty else { return sentence }
    return CountText.counted(lines.count, unit)
  }

  /// The unit that it counts.
  var unit: String { CoverageGate(rule: rule) == .noUncheckedChanges ? "function" : "line" }

  private static func words(_ share: Tally) -> String {
    "\(CountText.plain(share.covered)) of \(CountText.plain(share.total))"
  }
}
