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

  /// The duration, in seconds, for which the fastest tests of a function run before all others.
  private static let firstPart = 0.05

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
    everything = runs(of: Array(all))
  }

  var isEmpty: Bool { all.isEmpty }

  func leavingOut(_ tests: Set<TestID>) -> MutantRuns {
    var rest = self
    for library in TestLibrary.allCases { rest.stable[library]?.removeAll(where: tests.contains) }
    rest.all.subtract(tests)
    rest.silent.formUnion(tests)
    rest.everything = rest.runs(of: Array(rest.all))
    return rest
  }

  /// Whether a silent test may miss the body of a function.
  ///
  /// - Parameter mapped: the tests for which it is known what they ran.
  func mayHideNotice(among tests: [TestID], mapped: Set<TestID>) -> Bool {
    silent.contains { tests.contains($0) || !mapped.contains($0) }
  }

  /// Returns the runs that try a mutant: first the fastest tests that ran the function, then the others that did, and
  /// finally all tests, because not everything that a test runs is on record for it.
  func runs(covering tests: [TestID]) -> [MutantOrders.Run] {
    let sorted = tests.filter(all.contains).sorted { (durations[$0] ?? 0, $0) < (durations[$1] ?? 0, $1) }
    guard !sorted.isEmpty else { return [] }
    var sum = 0.0
    let first = sorted.prefix { test in
      defer { sum += durations[test] ?? 0 }
      return sum < Self.firstPart
    }
    let rest = sorted.dropFirst(first.count)
    return runs(of: Array(first)) + runs(of: Array(rest)) + (sorted.count < all.count ? everything : [])
  }

  /// Returns the total duration of a function's tests, in seconds.
  func duration(of tests: [TestID]) -> Double { tests.reduce(0) { $0 + (durations[$1] ?? 0) } }

  private func runs(of tests: [TestID]) -> [MutantOrders.Run] {
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

  /// Returns ten times the duration of the tests, plus a second.
  private func milliseconds(_ tests: [TestID]) -> Int { 1000 + Int(duration(of: tests) * 10_000) }
}
