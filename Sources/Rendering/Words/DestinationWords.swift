package import Model

/// The result of an integration with several destinations, as a sentence.
struct DestinationWords {
  /// Without a full stop.
  let sentence: String

  init(_ integration: Integration) {
    let judged = integration.all.map(\.own).filter {
      $0.destination?.outcome != nil && $0.destination?.required == true
    }
    let worst = judged.filter { $0.outcome == integration.outcome }
    guard let first = worst.first else {
      // A gate on the coverage of all destinations belongs to no single one.
      var whole = integration
      whole.cells = []
      sentence = VerdictSentence(whole).sentence
      return
    }
    let own = VerdictSentence(first).sentence
    guard worst.count < judged.count else {
      sentence =
        integration.outcome.isGreen ? "\(own), for all \(judged.count) destinations" : "\(own), for every destination"
      return
    }
    let names = worst.compactMap(\.destination?.name)
    sentence = "\(names.count > 3 ? "\(names.count) of \(judged.count) destinations" : CountText.list(names)): \(own)"
  }

  /// Returns what became of one destination, and where, if that was in an earlier integration.
  static func sentence(of own: Integration) -> String {
    let sentence = VerdictSentence(own).sentence
    return own.adoptedNumber.map { "\(sentence), in integration \($0)" } ?? sentence
  }

  /// Returns the destinations whose figures the page shows below the table of destinations.
  static func figures(of integration: Integration) -> String? {
    guard let first = integration.destination?.name else { return nil }
    if let number = integration.adoptedNumber {
      let built = integration.cells.filter { $0.earlier == nil && $0.destination?.outcome != nil }
      return built.isEmpty
        ? "all results are those of integration \(number)"
        : "only \(CountText.list(built.compactMap(\.destination?.name))) was built here; the rest is in integration \(number)"
    }
    let merged = integration.coverage.coverage?.destinations ?? []
    let own = "the figures below are from \(first)"
    guard !merged.isEmpty else { return own }
    return "\(own), the coverage from \(CountText.list(merged))\(merged.count > 1 ? " together" : "")"
  }
}

extension IntegrationRecord {
  /// Where the coverage is told when another integration adopts the results, as a sentence.
  package var placeOfCoverage: String { "The report of integration \(number) has it." }
}
