package import Model

extension PackageOmission {
  /// The number of names in the sentence before it counts the rest.
  private static let mostNamed = 10

  /// What is omitted, and on whose authority.
  package var sentence: String {
    let list = ShortList.text(names, first: Self.mostNamed)
    let own = "The package's own .martlet.yml"
    switch code {
    case .testsNotRun: return "\(own) turns the tests off."
    case .testsLeftOut:
      return "\(own) skips \(CountText.counted(names.count, "test")): \(list)."
    case .analysisNotRun: return "\(own) turns the analyze action off."
    case .coverageLeftOut:
      return "\(own) leaves \(CountText.counted(names.count, "file")) out of coverage: \(list)."
    }
  }
}
