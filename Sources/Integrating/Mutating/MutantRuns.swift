import Model
import Parsing

/// Turns tests into runs of their program, fastest first.
struct MutantRuns {
  /// The tests that passed, by library, in the order in which they run.
  private let passed: [TestLibrary: [TestID]]
  /// The tests that pass when they run one after the other.
  private var stable: Set<TestID>
  /// The tests that cannot show whether they miss a body: they did not pass, or not every time.
  private var silent: Set<TestID>
  private let listing: TestSession.Listing
  /// The duration of each test, in seconds.
  private let durations: [TestID: Double]
  /// The arguments that make the program write the events of Swift Testing.
  private var stream: [String] = []
  /// The runs of all stable tests.
  private(set) var everything: [MutantOrders.Run] = []

  /// The duration, in seconds, for which the fastest tests of a function run before the next ones, and how many times as
  /// long each further run may take: what a fast test notices need not wait for the slow ones.
  private static let firstPart = 0.05
  private static let growth = 10.0

  /// - Parameter results: the results of one program's tests.
  init(_ results: [TestResult], of listing: TestSession.Listing) {
    self.listing = listing
    durations = Dictionary(results.map { ($0.id, $0.duration) }) { $1 }
    let listed = Set(listing.xctest + listing.swiftTesting)
    let passed = results.filter { listed.contains($0.id) && $0.state == .passed && $0.attempts.isEmpty }
    self.passed = Dictionary(grouping: passed, by: \.library).mapValues { $0.map(\.id) }
    stable = Set(passed.map(\.id))
    silent = Set(results.filter { listed.contains($0.id) && $0.state != .skipped }.map(\.id)).subtracting(stable)
  }

  mutating func leaveOut(_ tests: Set<TestID>) {
    stable.subtract(tests)
    silent.formUnion(tests)
  }

  /// Makes the runs ones that write the events of Swift Testing as the arguments say.
  mutating func write(by stream: [String]) {
    self.stream = stream
    everything = runs(together: stable)
  }

  /// Whether a silent test may miss the body of a function.
  ///
  /// - Parameter mapped: the tests for which it is known what they ran.
  func mayHideNotice(among tests: [TestID], mapped: Set<TestID>) -> Bool {
    silent.contains { tests.contains($0) || !mapped.contains($0) }
  }

  /// Returns the runs that try a mutant by the tests that ran its function, the fastest of them first.
  func runs(of tests: [TestID]) -> [MutantOrders.Run] {
    var rest = tests.filter(stable.contains).sorted { (durations[$0] ?? 0, $0) < (durations[$1] ?? 0, $1) }[...]
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
  func areAll(_ tests: [TestID]) -> Bool { stable.isSubset(of: tests) }

  /// Returns the total duration of a function's tests, in seconds.
  func duration(of tests: [TestID]) -> Double { tests.reduce(0) { $0 + (durations[$1] ?? 0) } }

  private func runs(together tests: some Collection<TestID>) -> [MutantOrders.Run] {
    let wanted = Set(tests)
    let ofXCTest = (passed[.xctest] ?? []).filter(wanted.contains)
    let ofSwiftTesting = (passed[.swiftTesting] ?? []).filter(wanted.contains)
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
