import Model
import Syntax

/// From where on in a line the code ran another number of times than what is before it.
struct PartCount: Hashable {
  var line: Int
  /// In bytes, from 1.
  var column: Int
  var count: UInt64
  /// An upper bound of the bytes that one takes on a page.
  static let weight = 32
}

extension FileCoverage {
  /// Where the counts change inside of lines that ran, each place once, ascending.
  ///
  /// What is before the first of them ran as often as the line does. None is in front of what never ran, which is a dead
  /// stretch, nor where nothing follows that is evaluated.
  /// - Parameter source: the text of the file.
  func partCounts(in source: HighlightedSource) -> [PartCount] {
    var found: [PartCount] = []
    /// What reaches into the line from above.
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

  /// - Parameter steps: those of the line.
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
    /// Whether this is the head of a statement, in which the compiler counts the first condition only.
    var isHead = false
    for index in steps.startIndex...steps.endIndex {
      let step = index < steps.endIndex ? steps[index] : nil
      // Where a region begins inside of one that ran as often, nothing changes.
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

  /// Upper bounds of the bytes that the counts inside of lines bring to a page, by line.
  var partCountWeights: [Int: Int] {
    var weights: [Int: Int] = [:]
    // What is before the first step of a line may have a count, too.
    for step in countSteps { weights[step.start.line, default: PartCount.weight] += PartCount.weight }
    return weights
  }
}
