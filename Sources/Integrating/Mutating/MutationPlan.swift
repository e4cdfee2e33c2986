import Model
import Parsing

/// The functions to try without their bodies, the conditions to negate, and the tests that try them.
struct MutationPlan {
  /// A function whose body can be removed, or a condition that can be negated.
  struct Trial {
    /// Its index in `subjects`.
    var subject: Int
    var tests: [TestID]
    var address: UInt64
    var codes: [MutantCode]
    var isInPrograms: Bool
  }

  /// A function that tests ran.
  struct Candidate {
    var path: String
    var function: FunctionCoverage
    /// The region from the opening brace to just after the closing one.
    var body: CoverageRegion
    /// Those that ran it in their own process.
    var tests: [TestID]
    /// Whether programs that tests started ran it, too: in these, there is no mutant to notice.
    var isInPrograms = false
    /// The lines of it that the integrated commits touched and that ran.
    var touched: Set<Int>
  }

  /// The functions that ran, judged or not, followed by the conditions that can be negated.
  private var subjects: [MutationReport.Subject] = []
  private(set) var trials: [Trial] = []
  private let functionCount: Int

  /// - Parameters:
  ///   - names: the linker's names, demangled into trees.
  ///   - source: returns what the source reveals about a function; nil if it cannot be read.
  init(
    _ candidates: [Candidate], names: [String: DemangledNode], symbols: ObjectSymbols,
    source: (Candidate) -> FunctionText?
  ) {
    functionCount = candidates.count
    for candidate in candidates {
      var function = MutationReport.Subject(
        path: candidate.path, start: candidate.body.start, end: candidate.body.end,
        name: candidate.function.name,
        tests: candidate.tests.count,
        isChanged: !candidate.touched.isEmpty, verdict: .notJudged(.time))
      switch Self.trial(of: candidate, names, symbols, source(candidate)) {
      case .failure(let refusal): function.verdict = .notJudged(refusal.omission)
      case .success((let address, let codes)):
        trials.append(
          Trial(
            subject: subjects.count, tests: candidate.tests, address: address, codes: codes,
            isInPrograms: candidate.isInPrograms))
      }
      subjects.append(function)
    }
  }

  /// Adds the conditions, to be negated after the functions have been tried.
  mutating func add(_ conditions: [ConditionSites.Site]) {
    for site in conditions {
      trials.append(
        Trial(
          subject: subjects.count, tests: site.tests, address: site.opposite.address, codes: [site.opposite.code],
          isInPrograms: site.isInPrograms))
      subjects.append(site.condition)
    }
  }

  /// Whether one of two trials changes what is in the other, or the same.
  func overlap(_ one: Trial, _ other: Trial) -> Bool {
    let (one, other) = (subjects[one.subject], subjects[other.subject])
    return one.path == other.path && one.start < other.end && other.start < one.end
  }

  /// The trials in the order of their tests' durations, functions first.
  func trials(by duration: ([TestID]) -> Double) -> [Trial] {
    let parts = [trials.filter { $0.subject < functionCount }, trials.filter { $0.subject >= functionCount }]
    return parts.flatMap { $0.sorted { duration($0.tests) < duration($1.tests) } }
  }

  func report(_ scope: MutationScope) -> MutationReport {
    MutationReport(
      scope: scope, functions: Array(subjects[..<functionCount]), conditions: Array(subjects[functionCount...]))
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
    guard !candidate.tests.isEmpty else { return .failure(.init(candidate.isInPrograms ? .programs : .tests)) }
    guard let place = symbols[symbol], text?.isTransparent == false else { return .failure(.init(.inlined)) }
    // Callers of such a function find out under this name how much memory it needs
    // (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst).
    if symbols[symbol + asynchronousSuffix] != nil { return .failure(.init(.asynchronous)) }
    guard text?.isConstant == false else { return .failure(.init(.constant)) }
    guard text?.isAssertion == false else { return .failure(.init(.assertion)) }
    // Values that are equal have the same hash without it, too, which is all that `Hashable` asks for.
    guard !candidate.function.name.hasSuffix(".hash(into:)") else { return .failure(.init(.hashing)) }
    let codes = result.replacements.filter { $0.byteCount <= place.size }
    return codes.isEmpty ? .failure(.init(.result)) : .success((place.address, codes))
  }

  static let asynchronousSuffix = "Tu"

  /// Judges a function or a condition by the outcomes of its mutants.
  ///
  /// - Parameters:
  ///   - isNoticeHidden: whether a test that could not be asked may notice them.
  ///   - outcomes: the outcomes of its mutants, as far as there was time.
  mutating func judge(_ trial: Trial, isNoticeHidden: Bool, by outcomes: [Outcome]) {
    guard !outcomes.contains(.notTried) else {
      subjects[trial.subject].verdict = .notJudged(.inlined)
      return
    }
    let mutants = zip(trial.codes, outcomes).map { code, outcome -> MutationReport.Mutant in
      guard case .noticed(let how, let test) = outcome else { return MutationReport.Mutant(code.replacement) }
      return MutationReport.Mutant(code.replacement, notice: how, test: test)
    }
    if isNoticeHidden || trial.isInPrograms, mutants.allSatisfy({ $0.notice == nil }) {
      subjects[trial.subject].verdict = .notJudged(isNoticeHidden ? .notPassed : .programs)
      return
    }
    // A mutant that was noticed counts even if there was no time for the others.
    guard mutants.count == trial.codes.count || mutants.contains(where: { $0.notice != nil }) else { return }
    subjects[trial.subject].verdict = .judged(mutants)
  }

  enum Outcome: Hashable {
    case survived
    case noticed(MutationReport.Notice, by: TestID?)
    case notTried

    /// - Parameter runCount: the number of runs that a mutant has to survive.
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
