package import Model

/// Sentences about functions that ran but that no test checks.
package enum MutantWords {
  static let heading = "Ran, but not checked"

  /// Returns the replacement for a body, such as `returns nil`.
  static func replacement(_ bodies: [MutantBody]) -> String {
    let values = bodies.filter { $0 != .nothing }.map(\.rawValue)
    return values.isEmpty ? "does nothing" : "returns \(CountText.list(values, "or"))"
  }

  /// Returns the remark beside a function that no test checks.
  ///
  /// - Parameter tests: the number of tests that ran it.
  static func sentence(_ bodies: [MutantBody], tests: Int) -> String { "Not checked: \(clause(bodies, tests: tests))." }

  /// Returns the same as a clause after the function's name.
  static func clause(_ bodies: [MutantBody], tests: Int) -> String {
    let what = bodies.allSatisfy { $0 == .nothing } ? replacement(bodies) : "only \(replacement(bodies))"
    guard tests > 1 else { return "its test passes even when it \(what)" }
    return "none of its \(CountText.plain(tests)) tests fails when it \(what)"
  }

  /// Returns the result for a function, as a line of the step's log.
  package static func line(_ function: MutationReport.Function) -> String {
    let name = "\(function.path):\(function.start.line) \(function.name)"
    switch function.verdict {
    case .notJudged(let omission): return "\(name): not tried (\(words(omission)))"
    case .judged(let mutants):
      guard let noticed = mutants.first(where: { $0.notice != nil }), let notice = noticed.notice else {
        return "\(name): not checked, \(clause(mutants.map(\.body), tests: function.tests))"
      }
      let what = "when it only \(replacement([noticed.body]))"
      let body = noticed.body == .nothing ? "when it does nothing" : what
      switch notice {
      case .failed: return "\(name): checked, \(noticed.test.map(\.description) ?? "a test") fails \(body)"
      case .crashed: return "\(name): checked, the tests crash \(body)"
      case .timedOut: return "\(name): checked, the tests never end \(body)"
      }
    }
  }

  /// Returns the result of all functions in a line, such as `3 of 3 functions checked`; nil if there is nothing to say.
  package static func summary(of mutants: IntegrationRecord.MutantsSection) -> String? {
    guard let unchecked = mutants.unchecked else { return mutants.reason }
    let left = (mutants.notJudged ?? [:]).values.reduce(0, +)
    let notTried = left > 0 ? "; \(CountText.plain(left)) not tried" : ""
    if let first = unchecked.first(where: { $0.changed == true }) ?? unchecked.first {
      let count = CountText.counted(unchecked.count, "function that ran is", "functions that ran are")
      return "\(count) not checked, such as \(first.name) in \(first.path):\(first.line)"
    }
    let functions = mutants.scope == .changed ? "changed function" : "function"
    guard let checked = mutants.checked, checked > 0 else {
      return left > 0 ? "no \(functions) could be tried\(notTried)" : "no \(functions) ran"
    }
    return "\(CountText.plain(checked)) of \(CountText.counted(checked, functions)) checked\(notTried)"
  }

  /// Returns how many functions are checked, out of those that could be tried.
  static func figure(_ report: MutationReport) -> String? {
    guard report.judgedCount > 0 else { return nil }
    let checked = report.judgedCount - report.unchecked.count
    return "\(CountText.plain(checked)) of \(CountText.counted(report.judgedCount, "function")) checked"
  }

  /// Returns what is known about checked functions, for the coverage page; nil if it was not requested.
  static func known(_ mutants: Answer<MutationReport>?) -> String? {
    switch mutants {
    case nil: return nil
    case .unknown(let reason): return "Which functions are checked is not known. \(reason)"
    case .known(let report):
      let functions = report.scope == .changed ? "changed function" : "function"
      guard !report.functions.isEmpty else { return "no \(functions) ran" }
      let omissions = report.omissions
      let reasons = MutationReport.Omission.allCases.compactMap { omission in
        omissions[omission].map { "\(CountText.plain($0)) \(words(omission))" }
      }
      let count = CountText.counted(report.judgedCount, functions)
      let tried = "a function is checked when a test fails without its body; \(count) tried"
      return reasons.isEmpty ? tried : "\(tried); not tried: \(reasons.joined(separator: ", "))"
    }
  }

  private static func words(_ omission: MutationReport.Omission) -> String {
    switch omission {
    case .result: "with a result that has no simple value"
    case .constant: "with a constant for a body"
    case .initializer: "initializers"
    case .asynchronous: "async"
    case .kind: "of other kinds"
    case .inlined: "inlined"
    case .tests: "run by no test"
    case .notPassed: "run by tests that did not pass"
    case .time: "for lack of time"
    }
  }
}
