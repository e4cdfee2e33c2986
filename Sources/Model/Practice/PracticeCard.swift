/// What an integration says about how its tests are written, after FIRST: fast, isolated, repeatable, self-validating,
/// thorough.
///
/// Every hint is found by execution, or by what the compiler counted; a name alone never makes one. Nothing of it changes
/// an outcome.
package struct PracticeCard: Codable, Sendable, Hashable {
  /// In the order of `PracticeHint.Name`; those that do not apply, and those that were switched off, are left out.
  package var hints: [PracticeHint]
  /// The hints that were switched off.
  package var off: [PracticeHint.Name]?

  package init(hints: [PracticeHint], off: [PracticeHint.Name]? = nil) {
    self.hints = hints
    self.off = off
  }

  /// How many hints somebody should look at.
  package var looks: Int { hints.count { $0.state == .attention } }
}

/// One line of the card.
package struct PracticeHint: Codable, Sendable, Hashable {
  /// What a hint is about; the raw values are those that a bot's file switches off.
  package enum Name: String, Codable, CaseIterable, Sendable {
    case fast, isolated, repeatable
    case selfValidating = "self-validating"
    case thorough, rhythm, names, templates, sources, totals, measurements
  }

  package enum State: String, Codable, Sendable {
    /// It was looked at, and it is as it should be.
    case good
    /// Somebody should look.
    case attention
    /// Nothing proves it either way.
    case unknown
  }

  /// One thing to look at.
  package struct Entry: Codable, Sendable, Hashable {
    package var test: TestID?
    package var file: String?
    package var line: Int?
    /// What is to be said of it, as a phrase; nil when the test's name says enough.
    package var words: String?

    package init(test: TestID? = nil, location: SourceLocation? = nil, words: String? = nil) {
      self.test = test
      file = location?.file
      line = location?.line
      self.words = words
    }
  }

  package var name: Name
  package var state: State
  package var sentence: String
  /// The first ones; the sentence counts all.
  package var entries: [Entry]

  package init(_ name: Name, _ state: State, _ sentence: String, entries: [Entry] = []) {
    self.name = name
    self.state = state
    self.sentence = sentence
    self.entries = entries
  }
}

/// By what the card judges.
package struct PracticeSettings: Codable, Sendable, Hashable {
  /// Tests that take longer are slow.
  package var slow = TestSettings().slow
  /// A regular expression that names of tests should match; empty for none.
  package var names = ""
  /// The hints that are switched off.
  package var off: [PracticeHint.Name] = []

  package init() {}
}
