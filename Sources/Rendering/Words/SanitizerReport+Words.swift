import Model

extension SanitizerReport {
  /// Returns the finding in one line, that of a race with the other access: `ThreadSanitizer: data race with Tiles.swift:19`.
  ///
  /// - Parameter place: the access that stands beside it.
  func line(beside place: SourceLocation?) -> String {
    let other = isRace ? accesses.first { $0.short != place?.short } : nil
    return other.map { "\(sanitizer): \(problem) with \($0.short)" } ?? message
  }
}

extension TestResult {
  /// What it did, with its name as the subject, such as `failed`; if it failed by nothing else, `has a data race`.
  var endPhrase: String {
    let isRace = state == .failed && isRedBySanitizerAlone && sanitizerReports.allSatisfy(\.isRace)
    return isRace ? "has a \(sanitizerReports[0].problem)" : state.past
  }
}
