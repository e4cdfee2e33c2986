import Model
import Syntax

/// Where a call ends that ends the process, and the block of which it is the last statement.
package struct EndOfRuns: Hashable, Sendable {
  var call: SourcePosition
  /// Nil if the next case of a switch follows.
  var block: SourcePosition?

  /// Returns where processes may end in Swift sources, by the names of these; a source without such a place is left out.
  package static func all(in sources: [(name: String, bytes: [UInt8])]) -> [String: [EndOfRuns]] {
    let called = FinalCall.names.filter { name in sources.contains { $0.bytes.holds("\(name)(") } }
    let codes = sources.compactMap { name, bytes -> (name: String, code: SourceCode)? in
      guard called.contains(where: bytes.holds) else { return nil }
      return (name, SourceCode(bytes, in: .swift))
    }
    // What the package has by such a name may return, and a parameter in its own source.
    let names = codes.reduce(into: called) { $0.subtract($1.code.declared(among: $0)) }
    let ends = codes.map { ($0.name, all(in: $0.code, of: names.subtracting($0.code.parameters(among: names)))) }
      .filter { !$0.1.isEmpty }
    return Dictionary(ends) { first, _ in first }
  }

  private static func all(in code: SourceCode, of names: Set<String>) -> [EndOfRuns] {
    code.finalCalls(of: names).map { call in
      EndOfRuns(call: code.lines.position(of: call.end), block: call.endOfBlock.map(code.lines.position))
    }
  }
}

extension CoverageMapping.Function {
  /// Returns the function with what follows blocks that end the process counted without the runs that ended there; nil if
  /// none ended in it.
  ///
  /// For the compiler control leaves such a block at its end, so it counts what follows as often as what is around it. A
  /// run that ended raised the counters around the block and none behind it: what it adds to a count is the sum of these,
  /// as the count has them.
  ///
  /// - Parameters:
  ///   - ends: where processes may end, by the name of the source.
  ///   - count: that of a counter, by its number.
  func withoutEndedRuns(at ends: [String: [EndOfRuns]], count: (Int) -> UInt64) -> Self? {
    var function = self
    var isChanged = false
    for (file, name) in files.enumerated() {
      for end in ends[name] ?? [] {
        guard let block = function.block(endingAt: end, in: file) else { continue }
        let ran = function.counts(count)[block].ran
        if ran > 0, !ran.isUnderflow, function.leaveOutRuns(endedIn: block) { isChanged = true }
      }
    }
    return isChanged ? function : nil
  }

  /// Returns the innermost region that ends with a call, or with the brace behind it.
  private func block(endingAt end: EndOfRuns, in file: Int) -> Int? {
    regions.indices.filter { index in
      let region = regions[index]
      return region.kind == .code && region.file == file && region.start < end.call
        && (region.end == end.call || region.end == end.block)
    }.max { regions[$0].start < regions[$1].start }
  }

  /// Returns false, and changes nothing, if it is not certain what a run adds that ended there.
  private mutating func leaveOutRuns(endedIn block: Int) -> Bool {
    let own = regions[block]
    let others = regions.indices.filter { index in
      index != block && regions[index].kind == .code && regions[index].file == own.file
    }
    // From inside out.
    let around = others.filter { regions[$0].start <= own.start && regions[$0].end >= own.end }
      .sorted { (regions[$1].start, regions[$0].end) < (regions[$0].start, regions[$1].end) }
    let raised = Set(([block] + around).map { regions[$0].counter })
    let behind = others.filter { regions[$0].start >= own.end }
    let additions = behind.map { added(to: regions[$0].counter, by: raised) }
    guard !around.isEmpty, around.allSatisfy({ added(to: regions[$0].counter, by: raised) == 1 }),
      additions.allSatisfy({ $0 == 0 || $0 == 1 })
    else { return false }
    for (index, addition) in zip(behind, additions) where addition == 1 {
      regions[index].counter = difference(of: regions[index].counter, and: own.counter)
    }
    var start = own.end
    for index in around {
      let end = regions[index].end
      let isThere = behind.contains { regions[$0].start == start && regions[$0].end == end }
      if start < end, !isThere {
        let counter = difference(of: regions[index].counter, and: own.counter)
        regions.append(.init(file: own.file, start: start, end: end, kind: .code, expanded: nil, counter: counter))
      }
      start = max(start, end)
    }
    return true
  }

  private mutating func difference(
    of left: CoverageMapping.Counter, and right: CoverageMapping.Counter
  ) -> CoverageMapping.Counter {
    expressions.append(.init(left: left, right: right))
    return .difference(expressions.count - 1)
  }

  /// Returns how often a count has counters that were raised once; nil where expressions stand too deep in each other.
  private func added(
    to counter: CoverageMapping.Counter, by raised: Set<CoverageMapping.Counter>, depth: Int = 0
  ) -> Int? {
    guard depth < 100 else { return nil }
    func sides(_ index: Int) -> (Int, Int)? {
      guard index < expressions.count,
        let left = added(to: expressions[index].left, by: raised, depth: depth + 1),
        let right = added(to: expressions[index].right, by: raised, depth: depth + 1)
      else { return nil }
      return (left, right)
    }
    return switch counter {
    case .zero: 0
    case .counted: raised.contains(counter) ? 1 : 0
    case .sum(let index): sides(index).map { $0 + $1 }
    case .difference(let index): sides(index).map { $0 - $1 }
    }
  }
}
