package import Model

extension PackageOmission {
  /// The number of names in the sentence before it counts the rest.
  private static let mostNamed = 10

  /// What is omitted, and on whose authority.
  package var sentence: String {
    let list = ShortList.text(names, first: Self.mostNamed)
    let own = "The package's own .martlet.yml"
    switch code {
    case .testsNotRun: return "\(own) keeps the tests from running."
    case .testsLeftOut:
      return "\(own) keeps \(CountText.counted(names.count, "test")) from running: \(list)."
    case .analysisNotRun: return "\(own) keeps the analyze action from being carried out."
    case .coverageLeftOut:
      return "\(own) leaves \(CountText.counted(names.count, "file")) out of the coverage: \(list)."
    }
  }
}
