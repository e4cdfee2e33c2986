import Model
import Syntax

/// What is said about the conditions that went one way only, or were not reached on a line that ran.
struct ConditionRemarks {
  /// Of a line with more conditions than that, nobody reads all.
  private static let mostConditions = 20
  /// An upper bound of the bytes that a condition takes on a page.
  static let weight = 110

  /// The conditions by line, in the order of the source.
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

  /// The lines that something is said about.
  var lines: some Collection<Int> { conditions.keys }

  /// A sentence for each condition of a line.
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
  /// Whether it says, guessed from the text, what a counted condition says for certain.
  var isAboutCondition: Bool {
    switch self {
    case .condition, .statement, .elseCondition, .unreachedCondition, .afterCondition, .choice, .caseBody,
      .rightSide("&&"), .rightSide("||"):
      true
    default: false
    }
  }
}
