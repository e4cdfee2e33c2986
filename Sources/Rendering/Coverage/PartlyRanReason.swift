import Model
import Syntax

/// What a stretch that never ran is to the line that did, read off the source text around it.
///
/// A sentence is shown as a fact: where the text leaves room for doubt, there is no reason.
enum PartlyRanReason: Hashable {
  case rightSide(String)
  case otherwise, caught, deferred
  case guardFailed
  case condition
  /// The statement behind a condition in C, without braces.
  case statement
  /// That of an `else if`, of which it is not known whether it was evaluated.
  case elseCondition
  /// A condition, nothing of which was evaluated.
  case unreachedCondition
  case loopBody
  case choice
  case caseBody
  case closure
  /// A function inside a function.
  case function
  /// What is in braces, of which the text does not say more.
  case block
  /// A later argument of the function with this name, which stops the program when its first one is false.
  case message(String)
  /// An argument of the function with this name; nil where the line does not show the name.
  case argument(String?)
  /// What the function with this name takes where the call says nothing.
  case defaultArgument(String)
  /// What a parameter is declared with.
  case defaultValue
  case initialValue
  case passedFunction
  /// The name of a function or of a value, of which the text does not say which it is.
  case named
  case thrown
  /// What follows an `if` whose block always leaves.
  case afterCondition
  /// What follows a `guard`.
  case afterGuard
  /// What follows a loop with its condition at the end.
  case afterRepeat
  /// What follows another statement with a block.
  case afterStatement

  /// Nil when the text does not say it plainly.
  init?(_ place: DeadPlace) {
    guard !place.dead.isEmpty, place.line.count <= HighlightedSource.longestLine, !place.isComment,
      let reason = place.code.isSwift ? Self.reason(place) : Self.reasonInC(place)
    else { return nil }
    self = reason
  }

  /// - Parameters:
  ///   - stretch: one that the file lists.
  ///   - source: the text of the file.
  init?(of stretch: DeadStretch, in file: FileCoverage, _ source: HighlightedSource) {
    self.init(DeadPlace(stretch, in: file, source))
  }

  private static func reason(_ place: DeadPlace) -> PartlyRanReason? {
    if place.followsConditionKeyword { return .unreachedCondition }
    if let first = place.tokens.first,
      ["case", "default", "@unknown"].contains(where: { place.code.isToken(first, $0) })
    {
      return .caseBody
    }
    if place.isContinued { return hiddenRightSide(place) }
    if let side = rightSide(place) { return side }
    if let first = place.tokens.first, place.code.isToken(first, "{") {
      // Where no condition was reached, nothing is known of what it would have been.
      let isUnreached = place.stretchBefore.map(place.with)?.followsConditionKeyword ?? false
      return isUnreached ? nil : OpenedBlock(first, in: place.code).reason
    }
    return afterMark(place) ?? afterEnd(place) ?? value(place) ?? argument(place)
  }

  var sentence: String {
    switch self {
    case .rightSide("??"): "The right side of ?? never ran: the left side was never nil."
    case .rightSide("&&"): "The right side of && never ran: the left side was never true."
    case .rightSide("||"): "The right side of || never ran: the left side was never false."
    case .rightSide(let symbol): "The right side of \(symbol) never ran."
    case .otherwise: "The else block that starts here never ran."
    case .caught: "The catch block that starts here never ran."
    case .deferred: "The defer block that starts here never ran."
    case .guardFailed: "The guard never failed; its else block never ran."
    case .condition: "The condition was never true; the block that starts here never ran."
    case .statement: "The condition was never true; the statement that starts here never ran."
    case .elseCondition: "The block that starts here never ran: its condition was never true, or never reached."
    case .unreachedCondition: "This condition was never reached."
    case .loopBody: "The body of the loop never ran."
    case .choice: "This side of the conditional expression never ran."
    case .caseBody: "This case never ran."
    case .closure: "The closure that starts here never ran."
    case .function: "The function whose body starts here was never called."
    case .block: "The block that starts here never ran."
    case .message(let name): "The condition of \(name) always held, so its message was never made."
    case .argument(let name?): "\(name) never evaluated this argument."
    case .argument(nil): "This argument was never evaluated."
    case .defaultArgument(let name): "\(name) never evaluated an argument that is left out here."
    case .defaultValue: "This default value was never used."
    case .initialValue: "This initial value was never made."
    case .passedFunction: "The function that is passed here was never called."
    case .named: "What is named here was never evaluated or, if it is a function, never called."
    case .thrown: "What is tried here never succeeded: what follows never ran."
    case .afterCondition: "The condition was never false: what follows never ran."
    case .afterGuard: "The guard never held: what follows never ran."
    case .afterRepeat: "The loop never ended by its condition: what follows never ran."
    case .afterStatement: "The statement that ends here never ran to its end: what follows never ran."
    }
  }
}
