import Model

/// What is said of functions that ran and that nothing checks.
enum MutantWords {
  static let heading = "Ran, but not checked"

  /// What can stand in the place of a body, such as `returns nil`.
  static func replacement(_ bodies: [MutantBody]) -> String {
    let values = bodies.filter { $0 != .nothing }.map(\.rawValue)
    return values.isEmpty ? "does nothing" : "returns \(CountText.list(values, "or"))"
  }

  static func sentence(_ function: MutationReport.Function) -> String {
    let what = replacement(function.unnoticed ?? [])
    guard function.tests > 1 else { return "Not checked: its test passes even when it only \(what)." }
    return "Not checked: none of its \(CountText.plain(function.tests)) tests fails when it only \(what)."
  }

  /// How many functions are checked, of those that could be tried.
  static func figure(_ report: MutationReport) -> String? {
    guard report.judgedCount > 0 else { return nil }
    let checked = report.judgedCount - report.unchecked.count
    return "\(CountText.plain(checked)) of \(CountText.counted(report.judgedCount, "function")) checked"
  }

  /// What is known of which functions are checked, for the coverage page; nil where nobody asked.
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
    case .time: "for lack of time"
    }
  }
}
