import Model
import Syntax

/// A place in a line from which the code ran a different number of times than before it.
struct PartCount: Hashable {
  var line: Int
  /// In bytes, from 1.
  var column: Int
  var count: UInt64
  /// An upper bound for the bytes that a count takes on a page.
  static let weight = 32
}

extension FileCoverage {
  /// Returns the places where the counts change within lines that ran, without duplicates, ascending.
  ///
  /// The code before the first place ran as often as the line. There is no place before code that never ran, which is a
  /// dead stretch, nor if nothing that follows is evaluated.
  func partCounts(in source: HighlightedSource) -> [PartCount] {
    var found: [PartCount] = []
    /// The count that carries over from the line above.
    var wrapped: UInt64?
    var nextLine = lines.startIndex
    let steps = countSteps[...]
    var next = steps.startIndex
    while next < steps.endIndex {
      let number = steps[next].start.line
      let end = steps[next...].firstIndex { $0.start.line > number } ?? steps.endIndex
      while nextLine < lines.endIndex, lines[nextLine].line < number { nextLine += 1 }
      if nextLine < lines.endIndex, lines[nextLine].line == number, lines[nextLine].state != .neverRan {
        found += Self.changes(on: lines[nextLine], steps[next..<end], wrapped: wrapped, in: source)
      }
      wrapped = steps[end - 1].count
      next = end
    }
    return found
  }

  private static func changes(
    on line: LineCoverage, _ steps: ArraySlice<CountStep>, wrapped: UInt64?, in source: HighlightedSource
  ) -> [PartCount] {
    let range = source.range(ofLine: line.line)
    func offset(_ step: CountStep) -> Int { min(range.lowerBound + step.start.column - 1, range.upperBound) }
    var found: [PartCount] = []
    var shown = line.count
    var start = range.lowerBound
    var count = wrapped
    var isEntry = false
    /// Whether this is the head of a statement, where the compiler counts only the first condition.
    var isHead = false
    for index in steps.startIndex...steps.endIndex {
      let step = index < steps.endIndex ? steps[index] : nil
      // A region that begins inside one with the same count changes nothing.
      if let step, step.count == count { continue }
      let end = max(start, step.map(offset) ?? range.upperBound)
      isHead = isHead && !source.code.beginsStatement(in: start..<end)
      if let count, count > 0, count != shown, isEntry || !isHead,
        let place = source.code.evaluatedStart(in: start..<end, ofLine: range)
      {
        found.append(PartCount(line: line.line, column: place - range.lowerBound + 1, count: count))
        shown = count
      }
      isHead = isHead || source.code.holdsHead(in: start..<end)
      (start, count, isEntry) = (end, step?.count, step?.isEntry ?? false)
    }
    return found
  }

  /// Upper bounds for the bytes that counts within lines add to a page, by line.
  var partCountWeights: [Int: Int] {
    var weights: [Int: Int] = [:]
    // The code before the first step of a line may have a count, too.
    for step in countSteps { weights[step.start.line, default: PartCount.weight] += PartCount.weight }
    return weights
  }
}
