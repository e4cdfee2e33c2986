import Model
import Testing

/// One way to lie or to die, and what has to be seen of it.
struct LyingCase: Sendable, CustomTestStringConvertible {
  /// The commits of the corpus; later ones are about what a build can do.
  enum Version: String, CaseIterable {
    case base, interposing, merged, brokenTests, empty, strict, endless
  }

  /// Cases that share one integration in the suite, because none gets in another's way: those of XCTest touch only their
  /// own class, or take their process along, and what is left of the others then has a fresh one. Of Swift Testing, whose
  /// tests run at once in a process of their own, there is one that does harm. All expect one outcome. Where somebody looks
  /// at the table, each case is carried out alone.
  enum Company {
    case honest, littering, removing, leaving, dying, killing, exceeding, forging, unwatching, racing, closing
  }

  var name: String
  var filter: String
  var version = Version.base
  var outcome: Outcome
  /// The tests with their states, in the order of their names; nil where the machine's speed decides.
  var states: [TestState]?
  /// Words that the document must have, such as those of a reason or a failure.
  var says: String?
  /// Limits that let the case end in seconds; nil for those that everybody has.
  var limits: TestLimits?
  /// The bytes in memory that no process may pass while more is printed than any log keeps; such a case takes too long for
  /// the suite, and is carried out where somebody looks at the table.
  var mostMemory: Int?
  /// The cases with which it is carried out; nil for one that needs an integration of its own.
  var company: Company?

  init(
    _ name: String, _ filter: String, _ outcome: Outcome, _ states: [TestState]?, says: String? = nil,
    limits: TestLimits? = nil, mostMemory: Int? = nil, version: Version = .base, among company: Company? = nil
  ) {
    self.name = name
    self.filter = filter
    self.version = version
    self.outcome = outcome
    self.states = states
    self.says = says
    self.limits = limits
    self.mostMemory = mostMemory
    self.company = company
  }

  /// The same with an integration of its own.
  var alone: LyingCase {
    var lie = self
    lie.company = nil
    return lie
  }

  /// What selects the tests of its integration.
  var wholeFilter: String {
    guard let company else { return filter }
    return Self.corpus.filter { $0.company == company }.map(\.filter).joined(separator: "|")
  }

  var testDescription: String { name }

  /// What is expected, in words.
  var expectation: String { Self.words(outcome, states ?? []) }

  static func words(_ outcome: Outcome, _ states: [TestState]) -> String {
    ([outcome.rawValue + (states.isEmpty ? "" : ":")] + states.map(\.rawValue)).joined(separator: " ")
  }
}

/// What came of a case.
struct LyingSight: Sendable {
  var outcome: Outcome
  var states: [TestState]
  /// Everything that is wrong with it, as the ends of sentences; empty when it is as expected.
  var faults: [String]
  /// Processes of the case that were still there when it had ended.
  var survivors: Int
  /// Whether it was reported as green where the truth is not.
  var isWrongGreen: Bool
}
