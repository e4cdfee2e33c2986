import Model

extension GateResult {
  /// What a sentence calls the gate, in its middle: `gate patch 80 %`.
  var name: String { "gate \(shortName)" }

  /// Its rule in words: `patch 80 %`.
  package var shortName: String { Self.shortName(ofRule: rule) }

  /// The words for a rule such as `patch=80`.
  static func shortName(ofRule rule: String) -> String {
    switch CoverageGate(rule: rule) {
    case .patchFullyCovered: "patch fully covered"
    case .patch: "\(rule.split(separator: "=").joined(separator: " ")) %"
    case .noLostCoverage: "no lost coverage"
    case .noUncheckedChanges: "no unchecked changes"
    case .ratchet, nil: rule
    }
  }

  /// What it found, as short as can be: the share that ran, or how many lines it failed for; its sentence where there is
  /// neither.
  var finding: String {
    if let share, let shareBefore { return "\(Self.words(share)) lines ran, was \(Self.words(shareBefore))" }
    // Rounded down, so that no share looks like enough that is not.
    if let share, share.total > 0 {
      let tenths = share.covered * 1000 / share.total
      let words = tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
      return "\(words) % of the changed lines ran"
    }
    guard let lines, !lines.isEmpty else { return sentence }
    return CountText.counted(lines.count, unit)
  }

  /// What it counts.
  var unit: String { CoverageGate(rule: rule) == .noUncheckedChanges ? "function" : "line" }

  private static func words(_ share: Tally) -> String {
    "\(CountText.plain(share.covered)) of \(CountText.plain(share.total))"
  }
}
