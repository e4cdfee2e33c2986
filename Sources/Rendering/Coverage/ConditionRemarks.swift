import Model
import Syntax

/// Remarks on the conditions that went only one way, or were not reached on a line that ran.
struct ConditionRemarks {
  /// The maximum number of conditions per line: no reader would go through more.
  private static let mostConditions = 20
  /// The maximum number of bytes of a quoted condition.
  private static let longestQuote = 40
  /// An upper bound for the bytes that a condition takes on a page.
  static let weight = 300

  /// The conditions by line, in source order.
  private let conditions: [Int: [ConditionCoverage]]

  init(_ file: FileCoverage) {
    let found = file.conditions.filter { $0.branches.uncovered > 0 }
    guard !found.isEmpty else {
      conditions = [:]
      return
    }
    let lines = Set(file.lines.lazy.filter { $0.state != .neverRan }.map(\.line))
    conditions = Dictionary(grouping: found.filter { lines.contains($0.line) }, by: \.line)
  }

  var lines: some Collection<Int> { conditions.keys }

  /// Returns a sentence for each way in which conditions of a line ended, with the text of those.
  func sentences(ofLine line: Int, in source: HighlightedSource) -> [String] {
    guard let conditions = conditions[line] else { return [] }
    let range = source.range(ofLine: line)
    let told = conditions.prefix(Self.mostConditions).map { condition -> (name: String, end: End) in
      let token = source.code.firstToken(endingAfter: range.lowerBound + condition.start.column - 1)
      let isCase = source.code.tokens.indices.contains(token) && source.code.isCase(token)
      let name =
        Self.quote(condition, ofLine: range, in: source.bytes)
        ?? "the \(isCase ? "case" : "condition") at column \(condition.start.column)"
      return (name, End(of: condition, isCase: isCase))
    }
    let sentences = told.grouped { $0.end }.map { some in
      "\(CountText.list(some.map { $0.name }).capitalizedFirst) \(some[0].end.words(some.count))."
    }
    let rest = conditions.count - Self.mostConditions
    guard rest > 0 else { return sentences }
    return sentences + ["So it is with \(CountText.counted(rest, "more condition"))."]
  }

  /// Returns the text of a condition as it stands in a sentence; nil if it is long, or goes on in the next line.
  private static func quote(_ condition: ConditionCoverage, ofLine line: Range<Int>, in bytes: [UInt8]) -> String? {
    let (start, end) = (condition.start, condition.end)
    guard start.line == end.line, start.column >= 1, end.column > start.column,
      end.column - start.column <= longestQuote, line.lowerBound + end.column - 1 <= line.upperBound
    else { return nil }
    let text = bytes[(line.lowerBound + start.column - 1)..<(line.lowerBound + end.column - 1)]
    return "“\(String(decoding: text, as: UTF8.self))”"
  }

  /// How the runs of a condition or a case ended, all alike.
  private enum End: Hashable {
    case unreached, neverTrue, neverFalse, neverMatched, alwaysMatched

    init(of condition: ConditionCoverage, isCase: Bool) {
      if condition.branches.covered == 0 {
        self = .unreached
      } else if condition.trueCount == 0 {
        self = isCase ? .neverMatched : .neverTrue
      } else {
        self = isCase ? .alwaysMatched : .neverFalse
      }
    }

    func words(_ count: Int) -> String {
      let be = CountText.agreeing(count, "was", "were")
      return switch self {
      case .unreached: "\(be) never reached"
      case .neverTrue: "\(be) never true"
      case .neverFalse: "\(be) never false"
      case .neverMatched: "never matched"
      case .alwaysMatched: "always matched"
      }
    }
  }
}

extension PartlyRanReason {
  /// Whether the reason, guessed from the text, states something that the count of a condition shows for certain.
  var isAboutCondition: Bool {
    switch self {
    case .condition, .statement, .elseCondition, .unreachedCondition, .afterCondition, .choice, .caseBody,
      .rightSide("&&"), .rightSide("||"):
      true
    default: false
    }
  }
}
