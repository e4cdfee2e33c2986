import Model

/// What FIRST has no letter for.
extension PracticeEvidence {
  /// Only where a pattern is set.
  var names: PracticeHint? {
    guard !settings.names.isEmpty else { return nil }
    guard let pattern = try? Regex(settings.names) else {
      return PracticeHint(.names, .unknown, "'\(settings.names)' is no regular expression.")
    }
    let off = tests.results.filter { test in
      let name = String(test.id.name.prefix { $0 != "(" })
      // A pattern that cannot be tried on a name says nothing against it.
      do { return try !name.contains(pattern: pattern) } catch { return false }
    }
    guard !off.isEmpty else {
      return PracticeHint(.names, .good, "Every name is as the bot's pattern says: \(settings.names)")
    }
    return PracticeHint(
      .names, .attention,
      "\(Self.tests(off.count)) \(off.count == 1 ? "has a name" : "have names") off the bot's pattern: \(settings.names)",
      entries: off.prefix(PracticeCard.mostEntries).map { PracticeHint.Entry(test: $0.id, location: $0.location) })
  }

  /// Only where some are left.
  var templates: PracticeHint? {
    guard let left = tests.assertions?.templates, !left.isEmpty else { return nil }
    return PracticeHint(
      .templates, .attention,
      left.count == 1
        ? "1 test is still what a template made, with nothing in it."
        : "\(left.count) tests are still what a template made, with nothing in them.",
      entries: left.prefix(PracticeCard.mostEntries).map { id in
        PracticeHint.Entry(test: id, location: tests.results.first { $0.id == id }?.location)
      })
  }

  /// Only where they disagree.
  var totals: PracticeHint? {
    let differing = tests.printedTotals.compactMap { total -> String? in
      let seen = tests.results.count { $0.library == total.library && $0.state != .notRun }
      return seen == total.tests
        ? nil : "\(total.library.rawValue) printed that it ran \(Self.tests(total.tests)), and \(seen) were seen"
    }
    guard !differing.isEmpty else { return nil }
    return PracticeHint(.totals, .attention, "\(differing.joined(separator: "; ")).")
  }
}

extension String {
  fileprivate func contains(pattern: Regex<AnyRegexOutput>) throws -> Bool {
    if case .some = try pattern.firstMatch(in: self) { true } else { false }
  }
}
