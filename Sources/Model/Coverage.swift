/// Figures that can be added: lines, regions, functions and branches of a file, a target or a package.
package struct CoverageTotals: Hashable, Sendable, Codable {
  package var lines: LineTally
  package var regions: Tally
  package var functions: Tally
  /// Two for each condition; nil if the compiler counted none, as in Swift.
  package var branches: Tally?

  package init(
    lines: LineTally = LineTally(), regions: Tally = Tally(), functions: Tally = Tally(), branches: Tally? = nil
  ) {
    self.lines = lines
    self.regions = regions
    self.functions = functions
    self.branches = branches
  }

  package static func + (one: CoverageTotals, other: CoverageTotals) -> CoverageTotals {
    CoverageTotals(
      lines: one.lines + other.lines, regions: one.regions + other.regions,
      functions: one.functions + other.functions, branches: sum(one.branches, other.branches))
  }

  package static func += (one: inout CoverageTotals, other: CoverageTotals) { one = one + other }

  private static func sum(_ one: Tally?, _ other: Tally?) -> Tally? {
    guard let one, let other else { return one ?? other }
    return one + other
  }
}

/// The coverage of one source file.
package struct FileCoverage: Hashable, Sendable {
  /// Relative to the package.
  package var path: String
  /// The package target that the file belongs to.
  package var target: String
  /// The lines that hold code, ascending.
  package var lines: [LineCoverage]
  /// Stretches that never ran within lines that did, ascending.
  package var deadStretches: [DeadStretch]
  /// Sorted by first line.
  package var functions: [FunctionCoverage]
  package var totals: CoverageTotals
  /// The lines that ran and would have run without any test, ascending; empty unless this was determined.
  package var incidental: [Int] = []
  /// The lines that hold code and are left out on request, ascending; they are neither in `lines` nor in its figures.
  package var leftOut: [Int] = []
  /// The line figures of llvm-cov's own file summary, which counts the lines of closures again.
  package var llvmLines: Tally
  /// Sorted by position; empty if the compiler counted none, as in Swift.
  package var conditions: [ConditionCoverage] = []
  /// The branch figures of llvm-cov's own file summary, which counts those of macros at each use; nil if there are
  /// none.
  package var llvmBranches: Tally?

  package init(
    path: String, target: String, lines: [LineCoverage], deadStretches: [DeadStretch], functions: [FunctionCoverage],
    totals: CoverageTotals, llvmLines: Tally
  ) {
    self.path = path
    self.target = target
    self.lines = lines
    self.deadStretches = deadStretches
    self.functions = functions
    self.totals = totals
    self.llvmLines = llvmLines
  }

  package var fileName: String { SourceLocation.fileName(of: path) }

  /// Whether the file is a header in C, C++ or Objective-C, for which not every run is counted.
  ///
  /// Swift's importer compiles its own copies of what headers define, without counters. Calls from Swift are counted
  /// only if the linker picks a counted copy instead, as it may for a C++ function that is not `static`.
  package var isHeader: Bool { SourceSuffix.isHeader(path) }
}

/// The coverage of one integration, or the reason why there is none.
package enum CoverageReport: Hashable, Sendable {
  case available(Coverage)
  /// - Parameter code: the reason for the outcome that is told here again; nil for a reason of the coverage alone.
  case unavailable(reason: String, code: OutcomeReason.Code? = nil)

  package var coverage: Coverage? {
    if case .available(let coverage) = self { coverage } else { nil }
  }

  /// Adds the results of testing functions without their bodies.
  package mutating func take(_ mutants: Answer<MutationReport>) {
    guard case .available(var coverage) = self else { return }
    coverage.mutants = mutants
    self = .available(coverage)
  }
}

/// The coverage of the package's own non-test targets.
package struct Coverage: Hashable, Sendable {
  /// Sorted by path.
  package var files: [FileCoverage]
  /// False if a process died without leaving its counters.
  package var isComplete: Bool
  /// Why the coverage is incomplete.
  package var reason: String?
  /// How all tests ended, where some did not run that may run what never ran; only for pages: gates judge what ran.
  package var testsMissing: TestCounts?
  /// The number of raw profiles that were merged, and of those that the tool rejected.
  package var profilesRead: Int
  package var profilesRejected: Int
  /// The source that was left out on request, sorted by path and line.
  package var exclusions: [CoverageExclusion]
  /// Globs that are meant to leave files out but match none that would count, in the given order.
  package var idleExclusions: [String] = []
  /// Markers in counted sources that leave nothing out, sorted by path and line.
  package var idleMarkers: [IdleMarker] = []
  /// Source in the programs under test that does not count; in no figure.
  package var uncounted = UncountedSources()
  /// The sources of the package's own targets that have no counters, such as those in C.
  package var unmeasured = UnmeasuredSources()
  /// The files that only the package's own `.martlet.yml` leaves out, sorted by path: they are in no figure, but gates
  /// count them.
  package var setAside: [FileCoverage] = []
  /// The destinations whose coverage was merged, a line counting as run if it ran in any of them, or the single one that
  /// was measured in place of the leading one; empty for the leading one alone.
  package var destinations: [String] = []
  /// How many lines ran only because the test processes started; nil if not requested.
  package var incidental: Answer<Int>?
  /// Which tests ran which lines; nil if not requested.
  package var testMap: Answer<TestMap>?
  /// The results of testing functions without their bodies; nil if not requested.
  package var mutants: Answer<MutationReport>?

  package init(
    files: [FileCoverage], isComplete: Bool = true, reason: String? = nil, profilesRead: Int = 0,
    profilesRejected: Int = 0, exclusions: [CoverageExclusion] = []
  ) {
    self.files = files.sorted { $0.path < $1.path }
    self.isComplete = isComplete
    self.reason = reason
    self.profilesRead = profilesRead
    self.profilesRejected = profilesRejected
    self.exclusions = exclusions.sorted { ($0.path, $0.firstLine ?? 0) < ($1.path, $1.firstLine ?? 0) }
  }

  /// Whether neither counters nor tests are missing, so that it can be compared.
  package var isWhole: Bool { isComplete && testsMissing == nil }

  /// The sources whose changes matter: those that count, and those that are left out on request at least in part.
  package var sourcePaths: Set<String> { Set(files.map(\.path)).union(exclusions.map(\.path)) }

  package var totals: CoverageTotals { files.reduce(CoverageTotals()) { $0 + $1.totals } }

  /// The coverage as gates count it, including the files that only the package's own `.martlet.yml` leaves out.
  package var judged: Coverage {
    guard !setAside.isEmpty else { return self }
    let paths = Set(setAside.map(\.path))
    var judged = self
    judged.files = (files + setAside).sorted { $0.path < $1.path }
    judged.exclusions.removeAll { $0.firstLine == nil && paths.contains($0.path) }
    judged.setAside = []
    return judged
  }
}
