extension PartlyRanReason {
  /// Why the part that is marked did not run.
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

  /// Returns the sentence for a place where the part that never ran is not marked, and named instead.
  func sentence(naming code: String) -> String {
    switch self {
    case .choice, .caseBody: "\(code) never ran."
    case .unreachedCondition: "\(code) was never reached."
    case .argument(let name?): "\(name) never evaluated \(code)."
    case .argument(nil): "\(code) was never evaluated."
    case .defaultValue: "The default value \(code) was never used."
    case .initialValue: "The initial value \(code) was never made."
    case .passedFunction: "\(code), which is passed here, was never called."
    case .named: "\(code) was never evaluated or, if it is a function, never called."
    default: sentence
    }
  }
}
