import Model

extension SanitizerReport {
  /// Returns the finding in one line, that of a race with the other access: `ThreadSanitizer: data race with Tiles.swift:19`.
  ///
  /// - Parameter place: the access that stands beside it.
  func line(beside place: SourceLocation?) -> String {
    guard isRace else { return message }
    let other = accesses.first { $0.short != place?.short }
    return "\(sanitizer): \(problem) with \(other?.short ?? "another thread")"
  }

  /// What its test did, such as `has a data race`; nil for what is no race.
  var phrase: String? { isRace ? "has a \(problem)" : nil }
}

extension TestResult {
  /// What it did, with its name as the subject, such as `failed`; if it failed by nothing else, `has a data race`.
  var endPhrase: String {
    guard state == .failed, isRedBySanitizerAlone, sanitizerReports.allSatisfy(\.isRace) else { return state.past }
    return sanitizerReports.first?.phrase ?? state.past
  }
}
