/// What tests made of functions whose bodies were taken away.
package struct MutationReport: Hashable, Sendable {
  /// How a mutant was noticed; the raw values stand in documents.
  package enum Notice: String, Codable, Sendable {
    case failed
    case crashed
    /// The tests came to no end in many times their time.
    case timedOut = "timed-out"
  }

  /// Why nothing is said of a function; the raw values stand in documents.
  package enum Omission: String, Codable, CaseIterable, Sendable {
    /// Nothing simple can be returned in its place.
    case result
    /// It does what a mutant would do.
    case constant
    case initializer
    case asynchronous
    /// It is no function, getter or setter of Swift.
    case kind
    /// The program has no such function, or every caller a copy.
    case inlined
    /// No test is known that ran it.
    case tests
    /// No test that passes missed its body, but one that did not pass may.
    case notPassed = "tests-not-passed"
    /// Time was up.
    case time
  }

  /// A function with another body.
  package struct Mutant: Hashable, Sendable {
    package var body: MutantBody
    /// How it was noticed; nil where it was not.
    package var notice: Notice?
    /// The first test that failed, where it said so.
    package var test: TestID?

    package init(_ body: MutantBody, notice: Notice? = nil, test: TestID? = nil) {
      self.body = body
      self.notice = notice
      self.test = test
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// What stood in its place; at least one.
    case judged([Mutant])
    case notJudged(Omission)
  }

  package struct Function: Hashable, Sendable {
    package var path: String
    /// Where its body begins.
    package var start: SourcePosition
    /// Behind its body.
    package var end: SourcePosition
    /// For people.
    package var name: String
    /// How many tests ran it.
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

    /// What stood in its place without any test noticing; nil where a test noticed one of them, or nothing is said.
    package var unnoticed: [MutantBody]? {
      guard case .judged(let mutants) = verdict, mutants.allSatisfy({ $0.notice == nil }) else { return nil }
      return mutants.map(\.body)
    }
  }

  package var scope: MutationScope
  /// Those that ran and are in the scope, sorted by path and place.
  package var functions: [Function]

  package init(scope: MutationScope, functions: [Function]) {
    self.scope = scope
    self.functions = functions.sorted { ($0.path, $0.start, $0.name) < ($1.path, $1.start, $1.name) }
  }

  /// Those that ran and nothing checks.
  package var unchecked: [Function] { functions.filter { $0.unnoticed != nil } }

  /// How many were judged.
  package var judgedCount: Int { functions.count(where: \.isJudged) }

  /// How many were not judged, by the reason.
  package var omissions: [Omission: Int] {
    functions.reduce(into: [:]) { counts, function in
      if case .notJudged(let omission) = function.verdict { counts[omission, default: 0] += 1 }
    }
  }
}
