package import Model

/// The result of an integration with several destinations, as a sentence.
struct DestinationWords {
  /// Without a full stop.
  let sentence: String

  init(_ integration: Integration) {
    let required = integration.all.map(\.own).filter { $0.destination?.required == true }
    let worst = required.filter { $0.destination?.outcome == integration.outcome }
    guard let first = worst.first else {
      // A gate on the coverage of all destinations belongs to no single one.
      var whole = integration
      whole.cells = []
      sentence = VerdictSentence(whole).sentence
      return
    }
    // The gates are judged once for all.
    let gates = first.isFailedGate ? nil : VerdictSentence.failedGates(first, "the ")
    let others = integration.all.contains { $0.destination?.required == false }
    sentence =
      Self.sentence(of: worst, among: required.count, others ? " required" : "") + (gates.map { "; \($0)" } ?? "")
  }

  /// - Parameters:
  ///   - count: the number of all destinations of that kind, built or not.
  ///   - kind: what kind of destinations these are, where there are others.
  private static func sentence(of worst: [Integration], among count: Int, _ kind: String) -> String {
    let sentences = worst.map { VerdictSentence($0, withGates: $0.isFailedGate).sentence }
    let names = worst.map { $0.destination?.name ?? "" }
    guard Set(sentences).count == 1 else {
      return zip(names, sentences).map { "\($0): \($1.lowercasedFirst)" }.prefix(most).joined(separator: "; ")
        + (names.count > most ? "; and \(CountText.counted(names.count - most, "more destination"))" : "")
    }
    // What is true of one alone names it.
    guard names.count < count || count == 1 else {
      return worst[0].outcome.isGreen
        ? "\(sentences[0]), for all \(count)\(kind) destinations" : "\(sentences[0]), for every\(kind) destination"
    }
    return
      "\(names.count > most ? "\(names.count) of \(count)\(kind) destinations" : CountText.list(names)): \(sentences[0])"
  }

  /// How many destinations a sentence names.
  private static let most = 3

  /// Returns what became of one destination, and where, if that was in an earlier integration: how its tests ended, unless
  /// something else decided. Rows name those that are red.
  static func sentence(of own: Integration) -> String {
    let counts = own.tests.counts
    let isOfTests = own.outcome == .succeeded || own.outcome == .testFailures && !own.countingRedTests.isEmpty
    let sentence =
      isOfTests && counts.listed > 0
      ? TestSum(counts, silenced: own.silencedCounts).parts
      : VerdictSentence(own, namesTests: false).sentence
    return own.adoptedNumber.map { "\(sentence), in integration \($0)" } ?? sentence
  }

  /// The heading of the tests whose results differ.
  ///
  /// - Parameter isRest: whether others that do stand above it.
  static func differing(isRest: Bool) -> String { isRest ? "Other tests that differ" : "Tests that differ" }

  /// Of a test that a destination does not have.
  static let noTest = "No such test"

  /// Returns what is not well in the tests of one destination, such as `1 red`; empty if all is.
  static func bad(in own: Integration) -> [String] {
    TestsResult(own).isMissed
      ? ["did not run"] : TestSum.bad(in: own.tests.counts, silenced: own.silencedTests.count)
  }

  /// Returns the same with its name, such as `release: 1 red`, or how many passed if all is well.
  static func tests(of own: Integration) -> String {
    let ends = bad(in: own).nonEmpty ?? ["\(CountText.plain(own.tests.counts.passed)) passed"]
    return "\(own.destination?.name ?? ""): \(ends.joined(separator: ", "))"
  }

  /// Returns what of the figures below the table of destinations is not that of all.
  static func figures(of integration: Integration) -> String? {
    guard let first = integration.destination?.name else { return nil }
    if let number = integration.adoptedNumber {
      let built = integration.cells.filter { cell in
        cell.earlier == nil && cell.steps.contains { $0.name == .building }
      }
      return built.isEmpty
        ? "all results are those of integration \(number)"
        : "only \(CountText.list(built.compactMap(\.destination?.name))) was built here; the rest is in integration \(number)"
    }
    let merged = integration.coverage.coverage?.destinations ?? []
    guard !merged.isEmpty, merged != [first] else { return "coverage and warnings below: \(first)" }
    return "coverage below: \(CountText.list(merged))\(merged.count > 1 ? " together" : ""), warnings: \(first)"
  }

  /// Returns how many destinations were built, and whether some at once: then each took longer than its share of the time.
  static func built(in integration: Integration) -> String {
    let built = integration.all.filter { $0.destination?.outcome != nil }
    let sum = built.filter { $0.earlier == nil }.reduce(0) { $0 + $1.ownDuration }
    let atOnce = sum - integration.duration > leastOverlap ? ", partly in parallel" : ""
    return CountText.counted(built.count, "destination") + atOnce
  }

  /// What all take longer one by one than together is not told below this, in seconds.
  private static let leastOverlap = 0.1
}

extension IntegrationRecord {
  /// Where the coverage is told when another integration adopts the results, as a sentence.
  package var placeOfCoverage: String { "See integration \(number)." }
}
