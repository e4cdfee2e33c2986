package import Model

extension PackageOmission {
  /// How many names the sentence has before it counts those that are left.
  private static let mostNamed = 10

  /// Says what is out of sight, and whose word that is.
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
