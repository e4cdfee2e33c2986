package import Model

/// Sentences about functions and conditions that ran but that no test checks.
package enum MutantWords {
  static let heading = "Ran, but not checked"
  /// The most characters of a condition in a sentence.
  private static let longestCondition = 60

  /// Returns what a mutant does, such as `only returns nil`.
  static func deviation(_ replacements: [MutantReplacement]) -> String {
    if replacements.contains(.negation) { return "is negated" }
    let values = replacements.filter { $0 != .nothing }.map(\.rawValue)
    return values.isEmpty ? "does nothing" : "only returns \(CountText.list(values, "or"))"
  }

  /// Returns the name of a function, or the text of a condition, as a part of a sentence.
  static func name(_ name: String, _ replacements: [MutantReplacement]) -> String {
    guard replacements.contains(.negation) else { return name }
    return name.count > longestCondition ? "`\(name.prefix(longestCondition - 1))…`" : "`\(name)`"
  }

  /// Returns the remark beside a function, or a condition, that no test checks.
  static func sentence(_ subject: MutationReport.Subject) -> String {
    let replacements = subject.unnoticed ?? []
    let what = replacements.contains(.negation) ? name(subject.name, replacements) : "it"
    return "Not checked: \(clause(replacements, tests: subject.tests, what))."
  }

  /// Returns the same as a clause after its name.
  ///
  /// - Parameter tests: the number of tests that ran it.
  static func clause(_ replacements: [MutantReplacement], tests: Int, _ what: String = "it") -> String {
    let mutant = "\(what) \(deviation(replacements))"
    guard tests > 1 else { return "its test passes even when \(mutant)" }
    return "none of its \(CountText.plain(tests)) tests fails when \(mutant)"
  }

  /// Returns the functions, then the conditions, that no test checks, with the reason to follow a name.
  static func unchecked(_ report: MutationReport) -> [(subject: MutationReport.Subject, fault: String)] {
    (report.unchecked + report.uncheckedConditions).map {
      (subject: $0, fault: "no test fails when it \(deviation($0.unnoticed ?? []))")
    }
  }

  /// Returns the functions that were not tried as their tests did not pass, likewise.
  static func untried(_ report: MutationReport) -> [(subject: MutationReport.Subject, fault: String)] {
    report.functions.filter { $0.verdict == .notJudged(.notPassed) }.map { (subject: $0, fault: words(.notPassed)) }
  }

  /// Returns the name of a function without its type, or the text of a condition.
  static func shortName(_ subject: MutationReport.Subject) -> String {
    let replacements = subject.unnoticed ?? []
    return replacements.contains(.negation)
      ? name(subject.name, replacements) : FunctionShortName(subject.name).text
  }

  /// Returns the result for a function or a condition, as a line of the step's log.
  package static func line(_ subject: MutationReport.Subject) -> String {
    let place = "\(subject.path):\(subject.start.line)"
    switch subject.verdict {
    case .notJudged(let omission): return "\(place) \(subject.name): not tried (\(words(omission)))"
    case .judged(let mutants):
      let name = "\(place) \(name(subject.name, mutants.map(\.replacement)))"
      guard let noticed = mutants.first(where: { $0.notice != nil }), let notice = noticed.notice else {
        return "\(name): not checked, \(clause(mutants.map(\.replacement), tests: subject.tests))"
      }
      let mutant = "when it \(deviation([noticed.replacement]))"
      switch notice {
      case .failed: return "\(name): checked, \(noticed.test.map(\.description) ?? "a test") fails \(mutant)"
      case .crashed: return "\(name): checked, the tests crash \(mutant)"
      case .timedOut: return "\(name): checked, the tests never end \(mutant)"
      }
    }
  }

  /// Returns what became of the functions and conditions that the log of the step lists, such as
  /// `2 functions and 3 conditions checked, 1 not tried`; nil for none.
  static func result(of report: MutationReport) -> String? {
    let results: [(words: String, isMeant: (MutationReport.Subject) -> Bool)] = [
      ("checked", { $0.isJudged && $0.unnoticed == nil }), ("not checked", { $0.unnoticed != nil }),
    ]
    var phrases = results.compactMap { words, isMeant -> String? in
      let count = counted(report.functions.count(where: isMeant), report.conditions.count(where: isMeant))
      return count.isEmpty ? nil : "\(count) \(words)"
    }
    // Among these are properties, too.
    let left = (report.functions + report.conditions).count { !$0.isJudged }
    if left > 0 { phrases.append("\(CountText.plain(left)) not tried") }
    return phrases.isEmpty ? nil : phrases.joined(separator: ", ")
  }

  /// Returns the result of all functions and conditions in a line, such as `3 of 3 functions checked`; nil if there is
  /// nothing to say.
  package static func summary(of mutants: IntegrationRecord.MutantsSection) -> String? {
    guard let functions = mutants.unchecked else { return mutants.reason }
    let conditions = mutants.conditions?.unchecked ?? []
    let unchecked = functions + conditions
    let left = (mutants.notJudged ?? [:]).values.reduce(0, +)
    let notTried = left > 0 ? "; \(CountText.plain(left)) not tried" : ""
    if let first = unchecked.first(where: { $0.changed == true }) ?? unchecked.first {
      let verb = CountText.agreeing(unchecked.count, "is", "are")
      let name = name(first.name, first.bodies)
      return
        "\(counted(functions.count, conditions.count)) that ran \(verb) not checked, such as \(name) in \(first.path):\(first.line)"
    }
    let kind = mutants.scope == .changed ? "changed function" : "function"
    guard let checked = mutants.checked, checked > 0 else {
      return left > 0 ? "no \(kind) could be tried\(notTried)" : "no \(kind) ran"
    }
    return "\(CountText.plain(checked)) of \(CountText.counted(checked, kind)) checked\(notTried)"
  }

  /// Returns how many there are of both, leaving out the kind of which there is none.
  static func counted(_ functions: Int, _ conditions: Int) -> String {
    let counts = [
      functions > 0 ? CountText.counted(functions, "function") : nil,
      conditions > 0 ? CountText.counted(conditions, "condition") : nil,
    ]
    return counts.compactMap(\.self).joined(separator: " and ")
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
        omissions[omission].map { "\(CountText.plain($0)) \(words(omission, $0))" }
      }
      let conditions = report.conditions.count(where: \.isJudged)
      let count = CountText.counted(report.judgedCount, functions)
      let tried =
        "a function is checked when a test fails without its body; \(count) tried"
        + (conditions > 0
          ? "; a condition is checked when a test fails with it negated; \(CountText.counted(conditions, "condition")) tried"
          : "")
      return reasons.isEmpty ? tried : "\(tried); not tried: \(reasons.joined(separator: ", "))"
    }
  }

  private static func words(_ omission: MutationReport.Omission, _ count: Int = 1) -> String {
    switch omission {
    case .result: "with a result that has no simple value"
    case .constant: "with a constant for a body"
    case .assertion: "that only assert"
    case .hashing: "hash(into:)"
    case .initializer: CountText.agreeing(count, "initializer", "initializers")
    case .asynchronous: "async"
    case .kind: CountText.agreeing(count, "of another kind", "of other kinds")
    case .inlined: "inlined"
    case .tests: "run by no test"
    case .notPassed: "run by tests that failed"
    case .programs: "run by programs that tests started"
    case .time: "for lack of time"
    }
  }
}
