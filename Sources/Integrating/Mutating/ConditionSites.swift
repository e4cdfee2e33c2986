import Model
import Parsing
import Syntax

/// The conditions in some functions that can be negated by turning a single jump around.
///
/// Line tables prove which condition a jump belongs to; where they, or the source, leave a doubt, there is none.
struct ConditionSites {
  struct Site {
    /// Not tried yet.
    var condition: MutationReport.Subject
    var tests: [TestID]
    var isInPrograms: Bool
    var opposite: (address: UInt64, code: MutantCode)
  }

  /// The jumps of the program at each place in the sources.
  private let jumps: [SourceLocation: [ConditionalJump]]
  private let map: TestMap
  private let scope: MutationScope

  /// - Parameters:
  ///   - jumps: ascending.
  ///   - places: where the jumps are in the sources, by address.
  init(_ jumps: [ConditionalJump], at places: [UInt64: SourceLocation], map: TestMap, scope: MutationScope) {
    self.jumps = jumps.reduce(into: [:]) { found, jump in
      if let place = places[jump.address] { found[place, default: []].append(jump) }
    }
    self.map = map
    self.scope = scope
  }

  /// Returns the conditions of a function that ran.
  func sites(in candidate: MutationPlan.Candidate, _ source: SourceCode) -> [Site] {
    guard let body = source.range(from: candidate.body.start, to: candidate.body.end) else { return [] }
    return source.conditions(in: body).compactMap { condition in
      let lines = source.lines
      let place = lines.position(of: condition.place)
      guard candidate.function.isRun(at: place),
        let jump = condition.jumpDecided(among: jumps(at: place, in: candidate.path)), let opposite = jump.opposite
      else { return nil }
      let start = lines.position(of: condition.range.lowerBound)
      let end = lines.position(of: condition.range.upperBound)
      let isChanged = candidate.touched.contains(where: (start.line...end.line).contains)
      let tests = tests(ofLine: place.line, candidate)
      guard scope == .all || isChanged, !tests.isEmpty else { return nil }
      return Site(
        condition: MutationReport.Subject(
          path: candidate.path, start: start, end: end, name: source.textOnOneLine(condition.range),
          tests: tests.count, isChanged: isChanged, verdict: .notJudged(.time)),
        tests: tests, isInPrograms: candidate.isInPrograms, opposite: opposite)
    }
  }

  private func jumps(at place: SourcePosition, in path: String) -> [ConditionalJump] {
    jumps[SourceLocation(file: path, line: place.line, column: place.column)] ?? []
  }

  private func tests(ofLine line: Int, _ candidate: MutationPlan.Candidate) -> [TestID] {
    if map.files[candidate.path]?.isOnce(line) == true { return candidate.tests }
    let tests = map.tests(ofLine: line, in: candidate.path).map { map.tests[$0] }
    return candidate.isInPrograms ? tests.filter(Set(candidate.tests).contains) : tests
  }
}

extension SwiftCondition {
  /// Returns the jump that the condition decides, of those at its place in ascending order; nil if that is not certain.
  func jumpDecided(among jumps: [ConditionalJump]) -> ConditionalJump? {
    // An equality of floating-point numbers takes two jumps, which only together are the opposite, and code that is in
    // several functions would have to be turned around in all of them.
    guard let first = jumps.first, jumps.allSatisfy({ $0.opposite != nil && $0.function == first.function }) else {
      return nil
    }
    return jump == .first ? first : jumps.last
  }
}

extension FunctionCoverage {
  /// Whether the innermost region around a place ran.
  fileprivate func isRun(at place: SourcePosition) -> Bool {
    let around = regions.filter { $0.start <= place && place < $0.end }
    return around.max { ($0.start, $1.end) < ($1.start, $0.end) }.map { $0.count > 0 } ?? false
  }
}

extension SourceCode {
  /// Returns the bytes between two positions; nil if the source has no such place.
  func range(from start: SourcePosition, to end: SourcePosition) -> Range<Int>? {
    guard let first = offset(of: start), let last = offset(of: end), first <= last, last <= bytes.count else {
      return nil
    }
    return first..<last
  }

  private func offset(of position: SourcePosition) -> Int? {
    lines[position.line].map { $0.lowerBound + position.column - 1 }
  }

  /// Returns some text with each line break and the blanks around it as one space.
  fileprivate func textOnOneLine(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
