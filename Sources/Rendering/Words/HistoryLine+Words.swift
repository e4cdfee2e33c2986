import Model

extension HistoryLine {
  /// How it ended: why it is not simply green, otherwise its outcome.
  var resultWords: String {
    if outcome == .succeeded { return [outcomeWord, silencedWords].compactMap(\.self).joined(separator: ", ") }
    let reasons = reasonText(and: silencedWords)
    return reasons.isEmpty ? outcomeWord : reasons
  }

  /// The reasons why it is not simply green, and what else is said of it, on a line; empty for nothing.
  func reasonText(and more: String? = nil) -> String {
    (reasonWords + [more?.capitalizedFirst].compactMap(\.self)).joined(separator: "; ")
  }

  /// The first of the reasons; nil for none.
  var firstReason: String? { reasonWords.first }

  private var reasonWords: [String] {
    let codes = reasonCodes.flatMap { $0.count == reasons.count ? $0 : nil }
    return reasons.enumerated().flatMap { index, reason -> [String] in
      if let code = codes?[index] {
        if code == .hint { return [] }
        if let rule = code.gate { return [GateResult.title(ofRule: rule)] }
        let named = culprits(of: code)
        if !named.isEmpty { return named.map(\.words) }
      }
      // What follows the first is that tests did not run, which their number says.
      if outcome == .incomplete, index > 0 { return [] }
      let words = FailureLine.firstLine(reason)
      return [words.hasSuffix(".") ? String(words.dropLast()) : words]
    }
  }

  /// The silenced issues, without which the outcome is better; nil if there are none.
  var silencedWords: String? {
    silencedIssues.flatMap { $0 > 0 ? CountText.counted($0, "silenced issue") : nil }
  }
}

extension HistoryLine.Culprits {
  /// The first by name, and how many more there are, such as `opens() and 2 more failed`.
  fileprivate var words: String {
    let more = count > 1 ? " and \(CountText.plain(count - 1)) more" : ""
    let name = TestHeadline.quoted(first)
    return switch kind {
    case .error: FailureLine.brief(of: first) + more
    case .failed: "\(name)\(more) failed"
    case .crashed: "\(name)\(more) crashed"
    case .timedOut: "\(name)\(more) timed out"
    case .flaky: "\(name)\(more) flaky"
    }
  }
}
