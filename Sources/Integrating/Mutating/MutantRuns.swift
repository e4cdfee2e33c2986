import Model
import Parsing

/// Turns tests into runs of their program, fastest first.
struct MutantRuns {
  /// The tests that pass when they run one after the other, by library.
  private(set) var stable: [TestLibrary: [TestID]]
  private var all: Set<TestID>
  /// The tests that cannot show whether they miss a body: they did not pass, or not every time.
  private var silent: Set<TestID>
  let listing: TestSession.Listing
  /// The duration of each test, in seconds.
  let durations: [TestID: Double]
  /// The arguments that make the program write the events of Swift Testing.
  let stream: [String]
  /// The runs of all stable tests.
  private(set) var everything: [MutantOrders.Run] = []

  /// The duration, in seconds, for which the fastest tests of a function run before the next ones, and how many times as
  /// long each further run may take: what a fast test notices need not wait for the slow ones.
  private static let firstPart = 0.05
  private static let growth = 10.0

  /// - Parameter results: the results of one program's tests.
  init(_ results: [TestResult], of listing: TestSession.Listing, writing stream: [String]) {
    self.listing = listing
    self.stream = stream
    durations = Dictionary(results.map { ($0.id, $0.duration) }) { $1 }
    let listed = Set(listing.xctest + listing.swiftTesting)
    let passed = results.filter { listed.contains($0.id) && $0.state == .passed && $0.attempts.isEmpty }
    stable = Dictionary(grouping: passed, by: \.library).mapValues { $0.map(\.id) }
    all = Set(passed.map(\.id))
    silent = Set(results.filter { listed.contains($0.id) && $0.state != .skipped }.map(\.id)).subtracting(all)
    everything = runs(together: all)
  }

  var isEmpty: Bool { all.isEmpty }

  func leavingOut(_ tests: Set<TestID>) -> MutantRuns {
    var rest = self
    for library in TestLibrary.allCases { rest.stable[library]?.removeAll(where: tests.contains) }
    rest.all.subtract(tests)
    rest.silent.formUnion(tests)
    rest.everything = rest.runs(together: rest.all)
    return rest
  }

  /// Whether a silent test may miss the body of a function.
  ///
  /// - Parameter mapped: the tests for which it is known what they ran.
  func mayHideNotice(among tests: [TestID], mapped: Set<TestID>) -> Bool {
    silent.contains { tests.contains($0) || !mapped.contains($0) }
  }

  /// Returns the runs that try a mutant by the tests that ran its function, the fastest of them first.
  func runs(of tests: [TestID]) -> [MutantOrders.Run] {
    var rest = tests.filter(all.contains).sorted { (durations[$0] ?? 0, $0) < (durations[$1] ?? 0, $1) }[...]
    var runs: [MutantOrders.Run] = []
    var (limit, sum) = (Self.firstPart, 0.0)
    while !rest.isEmpty {
      let part = rest.prefix { test in
        defer { sum += durations[test] ?? 0 }
        return sum < limit
      }
      runs += self.runs(together: part)
      rest = rest.dropFirst(part.count)
      (limit, sum) = (limit * Self.growth, 0)
    }
    return runs
  }

  /// Whether these are all stable tests.
  func areAll(_ tests: [TestID]) -> Bool { all.isSubset(of: tests) }

  /// Returns the total duration of a function's tests, in seconds.
  func duration(of tests: [TestID]) -> Double { tests.reduce(0) { $0 + (durations[$1] ?? 0) } }

  private func runs(together tests: some Collection<TestID>) -> [MutantOrders.Run] {
    let wanted = Set(tests)
    let ofXCTest = (stable[.xctest] ?? []).filter(wanted.contains)
    let ofSwiftTesting = (stable[.swiftTesting] ?? []).filter(wanted.contains)
    var runs = TestSelection.xctestBatches(of: ofXCTest).map { batch in
      MutantOrders.Run(
        arguments: batch.count == listing.xctest.count ? [] : [batch.map(\.description).joined(separator: ",")],
        milliseconds: milliseconds(batch))
    }
    if !ofSwiftTesting.isEmpty {
      let filters = TestSelection.swiftTestingArguments(for: ofSwiftTesting, of: listing.swiftTesting)
      runs.append(
        MutantOrders.Run(
          arguments: ["--testing-library", "swift-testing"] + stream + ["--no-parallel"] + filters,
          milliseconds: milliseconds(ofSwiftTesting)))
    }
    return runs
  }

  /// Returns a second more than ten times the duration of the tests, or than three times that and ten seconds if that is
  /// less: one that hangs among all tests is not waited for much longer than these take.
  private func milliseconds(_ tests: [TestID]) -> Int {
    let seconds = duration(of: tests)
    return 1000 + Int(min(seconds * 10, seconds * 3 + 10) * 1000)
  }
}
