/// The results of testing functions whose bodies were removed.
package struct MutationReport: Hashable, Sendable {
  /// How a mutant was noticed; the raw values are used in documents.
  package enum Notice: String, Codable, Sendable {
    case failed
    case crashed
    /// The tests did not finish within many times their usual duration.
    case timedOut = "timed-out"
  }

  /// Why a function was not judged; the raw values are used in documents.
  package enum Omission: String, Codable, CaseIterable, Sendable {
    /// There is no simple value to return instead.
    case result
    /// The function does what a mutant would do.
    case constant
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
    /// There was no time left.
    case time
  }

  /// A function with a replaced body.
  package struct Mutant: Hashable, Sendable {
    package var body: MutantBody
    /// How the mutant was noticed; nil if it was not.
    package var notice: Notice?
    /// The first test that failed, if it was reported.
    package var test: TestID?

    package init(_ body: MutantBody, notice: Notice? = nil, test: TestID? = nil) {
      self.body = body
      self.notice = notice
      self.test = test
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// The bodies that were tried; at least one.
    case judged([Mutant])
    case notJudged(Omission)
  }

  package struct Function: Hashable, Sendable {
    package var path: String
    /// The position at which the body begins.
    package var start: SourcePosition
    /// The position after the body.
    package var end: SourcePosition
    /// A name for people.
    package var name: String
    /// The number of tests that ran the function.
    package var tests: Int
    /// Whether the integrated commits touched a line of the function.
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

    /// The bodies that were tried without any test noticing; nil if a test noticed one of them, or if the function was
    /// not judged.
    package var unnoticed: [MutantBody]? {
      guard case .judged(let mutants) = verdict, mutants.allSatisfy({ $0.notice == nil }) else { return nil }
      return mutants.map(\.body)
    }
  }

  package var scope: MutationScope
  /// The functions in the scope that ran, sorted by path and position.
  package var functions: [Function]

  package init(scope: MutationScope, functions: [Function]) {
    self.scope = scope
    self.functions = functions.sorted { ($0.path, $0.start, $0.name) < ($1.path, $1.start, $1.name) }
  }

  /// The functions that ran but that nothing checks.
  package var unchecked: [Function] { functions.filter { $0.unnoticed != nil } }

  /// The number of functions that were judged.
  package var judgedCount: Int { functions.count(where: \.isJudged) }

  /// The number of functions that were not judged, by reason.
  package var omissions: [Omission: Int] {
    functions.reduce(into: [:]) { counts, function in
      if case .notJudged(let omission) = function.verdict { counts[omission, default: 0] += 1 }
    }
  }
}
