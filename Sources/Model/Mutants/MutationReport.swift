/// The results of testing functions whose bodies were removed, and conditions that were negated.
package struct MutationReport: Hashable, Sendable {
  /// How a mutant was noticed; the raw values are used in documents.
  package enum Notice: String, Codable, Sendable {
    case failed
    case crashed
    /// The tests did not finish within many times their usual duration.
    case timedOut = "timed-out"
  }

  /// Why something was not judged; the raw values are used in documents.
  package enum Omission: String, Codable, CaseIterable, Sendable {
    /// There is no simple value to return instead.
    case result
    /// The function does what a mutant would do.
    case constant
    /// It does no more than end the process of who makes a mistake.
    case assertion
    /// It feeds a hasher, of which a test can tell only how well it mixes.
    case hashing
    case initializer
    case asynchronous
    /// It is not a Swift function, getter or setter.
    case kind
    /// The program has no such function, or every caller has a copy.
    case inlined
    /// No test is known to have run it.
    case tests
    /// No passing test noticed the missing body, but one that did not pass might have.
    case notPassed = "tests-not-passed"
    /// No test noticed the missing body in its own process, but programs that tests started ran the function as well.
    case programs
    /// There was no time left.
    case time
  }

  package struct Mutant: Hashable, Sendable {
    package var replacement: MutantReplacement
    /// How the mutant was noticed; nil if it was not.
    package var notice: Notice?
    /// The first test that failed, if it was reported.
    package var test: TestID?

    package init(_ replacement: MutantReplacement, notice: Notice? = nil, test: TestID? = nil) {
      self.replacement = replacement
      self.notice = notice
      self.test = test
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// The mutants that were tried; at least one.
    case judged([Mutant])
    case notJudged(Omission)
  }

  /// A function or a condition that ran.
  package struct Subject: Hashable, Sendable {
    package var path: String
    /// The position at which the function's body, or the condition, begins.
    package var start: SourcePosition
    /// The position after it.
    package var end: SourcePosition
    /// A name for people: of a condition, its text on one line.
    package var name: String
    /// The number of tests that ran it.
    package var tests: Int
    /// Whether the integrated commits touched a line of it.
    package var isChanged: Bool
    package var verdict: Verdict

    package init(
      path: String, start: SourcePosition, end: SourcePosition, name: String, tests: Int, isChanged: Bool = false,
      verdict: Verdict
    ) {
      self.path = path
      self.start = start
      self.end = end
      self.name = name
      self.tests = tests
      self.isChanged = isChanged
      self.verdict = verdict
    }

    package var isJudged: Bool {
      if case .judged = verdict { true } else { false }
    }

    /// What was tried without any test noticing; nil if a test noticed one of the mutants, or if there was none.
    package var unnoticed: [MutantReplacement]? {
      guard case .judged(let mutants) = verdict, mutants.allSatisfy({ $0.notice == nil }) else { return nil }
      return mutants.map(\.replacement)
    }

    fileprivate func contains(_ other: Subject) -> Bool {
      path == other.path && start <= other.start && other.end <= end
    }
  }

  package var scope: MutationScope
  /// The functions in the scope that ran, sorted by path and position.
  package var functions: [Subject]
  /// The conditions in the scope that ran and whose jumps are known, sorted in the same way.
  package var conditions: [Subject]

  package init(scope: MutationScope, functions: [Subject], conditions: [Subject] = []) {
    self.scope = scope
    self.functions = Self.sorted(functions)
    self.conditions = Self.sorted(conditions)
  }

  private static func sorted(_ subjects: [Subject]) -> [Subject] {
    subjects.sorted { ($0.path, $0.start, $1.end, $0.name) < ($1.path, $1.start, $0.end, $1.name) }
  }

  /// The functions that ran but that nothing checks.
  package var unchecked: [Subject] { functions.filter { $0.unnoticed != nil } }

  /// The conditions that ran but that nothing checks, except for those in a function or a longer condition of which that
  /// is known already.
  package var uncheckedConditions: [Subject] {
    var around = unchecked
    return conditions.filter { condition in
      guard condition.unnoticed != nil, !around.contains(where: { $0.contains(condition) }) else { return false }
      around.append(condition)
      return true
    }
  }

  /// The number of functions that were judged.
  package var judgedCount: Int { functions.count(where: \.isJudged) }

  /// The number of functions that were not judged, by reason.
  package var omissions: [Omission: Int] { functions.omissions }
}

extension [MutationReport.Subject] {
  /// The number of those that were not judged, by reason.
  package var omissions: [MutationReport.Omission: Int] {
    reduce(into: [:]) { counts, subject in
      if case .notJudged(let omission) = subject.verdict { counts[omission, default: 0] += 1 }
    }
  }
}
