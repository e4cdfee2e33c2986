/// The limits of what one person reads in one go.
enum SizeRules {
  static let longestFile = 400
  static let longestFunction = 60

  static func violations(ofFile text: SwiftText) -> [Violation] {
    let count = text.code.count - (text.code.last?.isEmpty == true ? 1 : 0)
    guard count > longestFile else { return [] }
    return [Violation(file: text.path, line: nil, rule: "a file of \(count) lines; the limit is \(longestFile)")]
  }

  static func violations(ofFunctionsIn text: SwiftText) -> [Violation] {
    FunctionSpan.all(in: text).filter { $0.length > longestFunction }.map {
      Violation(
        file: text.path, line: $0.line, rule: "a function of \($0.length) lines; the limit is \(longestFunction)")
    }
  }
}
