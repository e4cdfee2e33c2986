import Model
import Syntax

/// Remarks on the conditions that went only one way, or were not reached on a line that ran.
struct ConditionRemarks {
  /// The maximum number of conditions per line: no reader would go through more.
  private static let mostConditions = 20
  /// An upper bound for the bytes that a condition takes on a page.
  static let weight = 110

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

  func sentences(ofLine line: Int, in source: HighlightedSource) -> [String] {
    guard let conditions = conditions[line] else { return [] }
    let start = source.range(ofLine: line).lowerBound
    let sentences = conditions.prefix(Self.mostConditions).map { condition in
      Self.sentence(
        condition, at: source.code.firstToken(endingAfter: start + condition.start.column - 1), in: source.code)
    }
    let rest = conditions.count - Self.mostConditions
    guard rest > 0 else { return sentences }
    return sentences + ["So it is with \(CountText.counted(rest, "more condition"))."]
  }

  private static func sentence(_ condition: ConditionCoverage, at token: Int, in code: SourceCode) -> String {
    let isCase = code.tokens.indices.contains(token) && code.isCase(token)
    let name = "The \(isCase ? "case" : "condition") at column \(condition.start.column)"
    if condition.branches.covered == 0 { return "\(name) was never reached." }
    if condition.trueCount == 0 { return isCase ? "\(name) never matched." : "\(name) was never true." }
    return isCase ? "\(name) always matched." : "\(name) was never false."
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
