import Model

extension HistoryLine {
  /// How it ended: why it is not simply green, otherwise its outcome. Behind the first of more reasons than fit on two lines
  /// of a table, the others are counted.
  var resultWords: String {
    guard isLong, let first = told.first else { return wholeResult }
    return ([first.words] + counted(told.dropFirst())).joined(separator: ", ")
  }

  /// The same with all reasons in full.
  var wholeResult: String {
    // What is red is so whatever else does not count.
    let beside = outcome.isGreen ? [worseWords, silencedWords].compactMap(\.self) : []
    if outcome == .succeeded { return ([outcomeWord] + beside).joined(separator: ", ") }
    let reasons = reasonText(and: beside)
    return reasons.isEmpty ? outcomeWord : reasons
  }

  /// Whether all reasons in full may take more than two lines of a table.
  var isLong: Bool { outcome != .succeeded && wholeResult.count > Self.twoLines }

  /// The characters that fit on two lines of a table, beside a commit and figures.
  private static let twoLines = 80

  /// The reasons why it is not simply green, and what else is said of it, on a line; empty for nothing.
  func reasonText(and more: [String] = []) -> String {
    (told.map(\.words) + more.map(\.capitalizedFirst)).joined(separator: "; ")
  }

  /// The first of the reasons; nil for none.
  var firstReason: String? { told.first?.words }

  /// The measured values that became worse; nil if there are none.
  var worseWords: String? { worse.map(MeasurementWords.worse) }

  /// The silenced issues, without which the outcome is better; nil if there are none.
  var silencedWords: String? {
    silencedIssues.flatMap { $0 > 0 ? CountText.counted($0, "silenced issue") : nil }
  }

  /// How many warnings it has, such as `1 compiler warning`; nil if that is not known, and if more is told of it.
  var warningWords: String? {
    guard let reasonCodes, reasonCodes.contains(where: \.isOfWarnings),
      reasonCodes.allSatisfy({ $0.isOfWarnings || $0.isOfSilenced && silencedWords != nil })
    else { return nil }
    return CountText.list(told.map(\.words))
  }

  private var told: [ToldReason] {
    let codes = reasonCodes.flatMap { $0.count == reasons.count ? $0 : nil }
    return reasons.enumerated().flatMap { index, reason -> [ToldReason] in
      let code = codes?[index]
      if let code {
        // What is silenced is counted behind the reasons.
        if code == .hint || code.isOfSilenced && silencedWords != nil { return [] }
        if let rule = code.gate { return [ToldReason(words: GateResult.title(ofRule: rule), kind: .gate)] }
        let named = culprits(of: code)
        if !named.isEmpty {
          return named.map { found in
            ToldReason(
              words: found.words, kind: .culprits(found.kind, in: found.destinations ?? []), count: found.count)
          }
        }
      }
      // What follows the first is that tests did not run, which their number says.
      if outcome == .incomplete, index > 0 { return [] }
      let words = FailureLine.firstLine(reason)
      return [
        ToldReason(
          words: words.hasSuffix(".") ? String(words.dropLast()) : words, kind: code?.isGap == true ? .gap : .other)
      ]
    }
  }

  /// Returns how many reasons of each kind there are, such as `1 gate failed` and `2 flaky`.
  private func counted(_ reasons: ArraySlice<ToldReason>) -> [String] {
    let others = reasons.count { $0.kind == .other }
    return reasons.filter { $0.kind != .other }.grouped(by: \.kind).flatMap { alike -> [String] in
      let sum = alike.reduce(0) { $0 + $1.count }
      let count = CountText.plain(sum)
      return switch alike[0].kind {
      case .culprits(let kind, let names):
        [(kind.predicate.map { "\(count) \($0)" } ?? CountText.counted(sum, "error")) + Self.place(names)]
      case .gate: ["\(CountText.counted(sum, "gate")) failed"]
      case .gap: TestSum.missing(in: tests).nonEmpty ?? ["incomplete"]
      case .other: []
      }
    } + (others > 0 ? [CountText.counted(others, "more reason")] : [])
  }

  private static func place(_ destinations: [String]) -> String {
    destinations.isEmpty ? "" : " in \(CountText.list(destinations))"
  }
}

/// A reason why an integration is not simply green.
private struct ToldReason {
  /// What is counted together where not all is told.
  enum Kind: Hashable {
    case culprits(HistoryLine.Culprits.Kind, in: [String])
    case gate
    /// Tests that did not run, or may not have.
    case gap
    case other
  }

  var words: String
  var kind: Kind
  /// The tests or errors that it is about.
  var count = 1
}

extension HistoryLine.Culprits {
  /// The first by name, and how many more there are, such as `opens() and 2 more failed`, with the destinations if only some
  /// have them: `release: opens() failed`.
  fileprivate var words: String {
    let more = count > 1 ? " and \(CountText.plain(count - 1)) more" : ""
    let place = destinations.map { "\(CountText.list($0)): " } ?? ""
    guard let predicate = kind.predicate else { return place + FailureLine.brief(of: first) + more }
    return "\(place)\(TestHeadline.quoted(first))\(more) \(predicate)"
  }
}

extension HistoryLine.Culprits.Kind {
  /// What is said of such tests; nil for errors, which say it themselves.
  fileprivate var predicate: String? {
    switch self {
    case .error: nil
    case .failed: "failed"
    case .crashed: "crashed"
    case .timedOut: "timed out"
    case .flaky: "flaky"
    }
  }
}
