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
  /// Returns the file with the count of its only region for each line whose code is all in one, such as a `case` with its
  /// statement. LLVM's also has the region around it, of which the line holds nothing but the indentation.
  func withOwnCounts(in code: SourceCode) -> FileCoverage {
    var outermost: [Int: CoverageRegion] = [:]
    for region in functions.lazy.flatMap(\.regions) {
      guard let known = outermost[region.start.line] else {
        outermost[region.start.line] = region
        continue
      }
      if (known.start, known.end) == (region.start, region.end) {
        outermost[region.start.line]?.count = known.count.adding(region.count)
      } else if (region.start, known.end) < (known.start, region.end) {
        outermost[region.start.line] = region
      }
    }
    var file = self
    for (index, line) in lines.enumerated() where line.state != .neverRan {
      guard let region = outermost[line.line], region.count != line.count,
        code.isAllEvaluated(on: line.line, in: region)
      else { continue }
      file.lines[index].count = region.count
    }
    return file
  }

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
    var parts: [(column: Int, count: UInt64?, isEntry: Bool)] = [(1, wrapped, false)]
    // A region that begins inside one with the same count changes nothing.
    for step in steps where step.count != parts[parts.count - 1].count {
      parts.append((step.start.column, step.count, step.isEntry))
    }
    var found: [PartCount] = []
    var shown = line.count
    for (part, text) in zip(parts, source.code.parts(parts.map { ($0.column, $0.isEntry) }, ofLine: range)) {
      guard let count = part.count, count > 0, count != shown, text.isCounted,
        let place = source.code.evaluatedStart(in: text.range, ofLine: range)
      else { continue }
      found.append(PartCount(line: line.line, column: place - range.lowerBound + 1, count: count))
      shown = count
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
