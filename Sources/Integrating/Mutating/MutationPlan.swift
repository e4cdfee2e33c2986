import Model
import Parsing

/// Which functions are tried without their bodies, and by which tests.
struct MutationPlan {
  /// A function of which a body can be put away.
  struct Trial {
    /// Its place in `functions`.
    var function: Int
    var tests: [TestID]
    var address: UInt64
    var codes: [MutantCode]
  }

  /// A function that tests ran.
  struct Candidate {
    var path: String
    var function: FunctionCoverage
    /// From the opening brace to behind the closing one.
    var body: CoverageRegion
    var tests: [TestID]
    var isChanged: Bool
  }

  /// Those that ran, judged or not.
  private(set) var functions: [MutationReport.Function] = []
  private(set) var trials: [Trial] = []

  /// - Parameters:
  ///   - names: the linker's names taken apart.
  ///   - source: what the source says of a function; nil where it cannot be read.
  init(
    _ candidates: [Candidate], names: [String: DemangledNode], symbols: ObjectSymbols,
    source: (Candidate) -> FunctionText?
  ) {
    for candidate in candidates {
      var function = MutationReport.Function(
        path: candidate.path, start: candidate.body.start, end: candidate.body.end,
        name: candidate.function.name,
        tests: candidate.tests.count,
        isChanged: candidate.isChanged, verdict: .notJudged(.time))
      switch Self.trial(of: candidate, names, symbols, source(candidate)) {
      case .failure(let refusal): function.verdict = .notJudged(refusal.omission)
      case .success((let address, let codes)):
        trials.append(Trial(function: functions.count, tests: candidate.tests, address: address, codes: codes))
      }
      functions.append(function)
    }
  }

  private static func trial(
    of candidate: Candidate, _ names: [String: DemangledNode], _ symbols: ObjectSymbols, _ text: FunctionText?
  ) -> Result<(address: UInt64, codes: [MutantCode]), FunctionResult.Refusal> {
    let symbol = candidate.function.symbol
    guard let name = names[symbol] else { return .failure(.init(.kind)) }
    let result: FunctionResult
    switch FunctionResult.of(name) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): result = found
    }
    guard !candidate.tests.isEmpty else { return .failure(.init(.tests)) }
    guard let place = symbols[symbol], text?.isTransparent == false else { return .failure(.init(.inlined)) }
    // Whoever calls such a function finds how much memory it wants under this name
    // (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst).
    if symbols[symbol + asynchronousSuffix] != nil { return .failure(.init(.asynchronous)) }
    guard text?.isConstant == false else { return .failure(.init(.constant)) }
    let codes = result.replacements.filter { $0.byteCount <= place.size }
    return codes.isEmpty ? .failure(.init(.result)) : .success((place.address, codes))
  }

  static let asynchronousSuffix = "Tu"

  /// Takes what came of the mutants of a function.
  ///
  /// - Parameters:
  ///   - isNoticeHidden: whether a test that was not asked may miss it.
  ///   - outcomes: of its mutants, as far as there was time.
  mutating func judge(_ trial: Trial, isNoticeHidden: Bool, by outcomes: [Outcome]) {
    guard !outcomes.contains(.notTried) else {
      functions[trial.function].verdict = .notJudged(.inlined)
      return
    }
    let mutants = zip(trial.codes, outcomes).map { code, outcome -> MutationReport.Mutant in
      guard case .noticed(let how, let test) = outcome else { return MutationReport.Mutant(code.body) }
      return MutationReport.Mutant(code.body, notice: how, test: test)
    }
    if isNoticeHidden, mutants.allSatisfy({ $0.notice == nil }) {
      functions[trial.function].verdict = .notJudged(.notPassed)
      return
    }
    // Who noticed one is known, even where there was no time for the others.
    guard mutants.count == trial.codes.count || mutants.contains(where: { $0.notice != nil }) else { return }
    functions[trial.function].verdict = .judged(mutants)
  }

  /// What became of a mutant.
  enum Outcome: Hashable {
    case survived
    case noticed(MutationReport.Notice, by: TestID?)
    case notTried

    /// - Parameter runCount: how many runs it would survive.
    init?(_ runs: [MutantRun], of runCount: Int) {
      guard let last = runs.max(by: { $0.run < $1.run }) else { return nil }
      switch last.end {
      case .passed:
        guard last.run == runCount - 1 else { return nil }
        self = .survived
      case .failed: self = .noticed(.failed, by: last.failedTest)
      case .crashed: self = .noticed(.crashed, by: nil)
      case .timedOut: self = .noticed(.timedOut, by: nil)
      case .notStarted: self = .notTried
      }
    }
  }
}
