import Model
import Syntax

/// How many ways lead through a function at least: its cyclomatic complexity, as far as its regions and its text tell it.
///
/// One way, and another one for each `if`, `guard`, loop, `catch` and `?:`, for each case but the first of a `switch`, and
/// for each right side of `&&`, `||` and `??`; those in closures count, closures themselves do not. The compiler records
/// nothing of conditions with commas between them, of `where`, and of errors that leave the function, so there may be more
/// (https://doi.org/10.1109/TSE.1976.233837).
struct FunctionWays {
  private let code: SourceCode

  /// - Parameter code: that of the file which the functions are in.
  init(_ code: SourceCode) {
    self.code = code
  }

  func count(in function: FunctionCoverage) -> Int {
    let entries = Set(function.entries)
    var turns: Set<SourcePosition> = []
    for (index, region) in function.regions.enumerated() where isTurn(region, isEntry: entries.contains(index)) {
      // Of what is right of `??`, both the autoclosure and a closure at its beginning begin there.
      turns.insert(region.start)
    }
    return turns.count + 1
  }

  /// Whether a region begins a way that its neighbours do not lead on.
  private func isTurn(_ region: CoverageRegion, isEntry: Bool) -> Bool {
    let line = code.range(ofLine: region.start.line)
    let start = line.lowerBound + min(region.start.column - 1, line.count)
    let first = code.firstToken(endingAfter: start)
    guard first < code.tokens.count, code.tokens[first].start == start else { return false }
    let before = tokenBefore(first)
    if ["&&", "||", "??"].contains(where: { code.isToken(before, $0) }) { return true }
    if isEntry { return false }
    if let before, code.isChoice(before) { return true }
    // The first case of a switch stands behind its brace.
    if code.isCase(first) || code.isToken(first, "@unknown") { return !code.isToken(before, "{") }
    guard code.isToken(first, "{") else { return false }
    switch OpenedBlock(first, in: code).reason {
    case .condition, .elseCondition, .loopBody, .guardFailed, .caught: return true
    default: return false
    }
  }

  /// The token of code before another one; lines with `#if` and the like are passed over.
  private func tokenBefore(_ index: Int) -> Int? {
    var before = code.previous(index)
    while let found = before, code.tokens[found].isOfCondition { before = code.previous(found) }
    return before
  }
}
