/// An integration's assessment of how its tests are written, following FIRST: fast, isolated, repeatable,
/// self-validating, thorough.
///
/// Every hint is based on execution or on what the compiler counted, never on a name alone. None of them changes an
/// outcome.
package struct PracticeCard: Codable, Sendable, Hashable {
  /// In the order of `PracticeHint.Name`, without hints that do not apply or were switched off.
  package var hints: [PracticeHint]
  /// The hints that were switched off.
  package var off: [PracticeHint.Name]?

  package init(hints: [PracticeHint], off: [PracticeHint.Name]? = nil) {
    self.hints = hints
    self.off = off
  }

  /// Returns the card as the page of an integration shows it: where it is not green, the outcome and the figures already
  /// tell what some of the hints ask to look at, but not that a red test was deleted.
  package func shown(beside outcome: Outcome, _ rhythm: Rhythm?) -> PracticeCard {
    guard !outcome.isGreen else { return self }
    let told: Set<PracticeHint.Name> = rhythm == .redDeleted ? [.thorough] : [.thorough, .rhythm]
    var card = self
    card.hints.removeAll { $0.state == .attention && told.contains($0.name) }
    return card
  }

  /// Returns whether a hint asks for a look.
  package func asks(about name: PracticeHint.Name) -> Bool {
    hints.contains { $0.name == name && $0.state == .attention }
  }

  /// The number of hints that ask for a look.
  package var looks: Int { hints.count { $0.state == .attention } }
}

/// One line of the card.
package struct PracticeHint: Codable, Sendable, Hashable {
  /// The topic of a hint; the raw values are those used in a bot's file to switch hints off.
  package enum Name: String, Codable, CaseIterable, Sendable {
    case fast, isolated, repeatable
    case selfValidating = "self-validating"
    case thorough, rhythm, names, templates, sources, totals, measurements
  }

  package enum State: String, Codable, Sendable {
    /// It was examined, and is as it should be.
    case good
    /// It deserves a look.
    case attention
    /// There is no proof either way.
    case unknown
  }

  /// One thing to look at.
  package struct Entry: Codable, Sendable, Hashable {
    package var test: TestID?
    package var file: String?
    package var line: Int?
    /// A phrase describing it; nil if the test's name says enough.
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
  /// The first entries; the sentence counts all of them.
  package var entries: [Entry]

  package init(_ name: Name, _ state: State, _ sentence: String, entries: [Entry] = []) {
    self.name = name
    self.state = state
    self.sentence = sentence
    self.entries = entries
  }
}

/// The settings by which the card is judged.
package struct PracticeSettings: Codable, Sendable, Hashable {
  /// Tests that take longer are slow.
  package var slow = TestSettings().slow
  /// A regular expression that the names of tests should match; empty for none.
  package var names = ""
  /// The hints that are switched off.
  package var off: [PracticeHint.Name] = []

  package init() {}
}
