import Model

/// The functions that a block of consecutive lines belongs to.
struct BlockFunctions {
  /// The function in which the lines begin; nil if they belong to none.
  let first: FunctionCoverage?
  /// Whether there are functions, none of which was ever called.
  let areUncalled: Bool
  /// The number of functions besides the first; a function and those inside it count as one.
  private let othersCount: Int
  /// How many of those are functions themselves rather than known only by their closures.
  private let otherFunctionsCount: Int
  /// Whether a count of zero proves that there were no calls.
  private let areCallsKnown: Bool
  /// All names, if they are several, few and all of functions themselves; otherwise nil.
  private let names: [String]?

  private static let mostNamed = 3

  init(_ lines: ClosedRange<Int>, in file: FileCoverage) {
    let all = Self.innermost(lines, in: file)
    first = all.first
    areUncalled = !all.isEmpty && all.allSatisfy { $0.count == 0 }
    let names = Set(all.lazy.map(\.name))
    let holders = Set(all.first?.holders ?? [])
    let others = all.dropFirst().filter { other in
      !holders.contains(other.name) && !other.holders.contains(where: names.contains)
    }
    othersCount = others.reduce(0) { $0 + 1 + $1.twins }
    otherFunctionsCount = others.reduce(0) { $0 + ($1.isOnlyFolded ? 0 : 1 + $1.twins) }
    areCallsKnown = !file.isHeader
    let named = all.prefix(1) + others
    let arePlain = named.allSatisfy { !$0.isOnlyFolded && $0.twins == 0 }
    self.names = arePlain && (2...Self.mostNamed).contains(named.count) ? named.map(\.name) : nil
  }

  /// The words before the first function's name if it was never called, such as `A closure in`, since a declaration
  /// that is known only by its closures may itself have been called. Nil for a function.
  var partWords: String? {
    guard let first, first.isOnlyFolded else { return nil }
    return first.isOnlyDefaultArguments ? "A default argument of" : "A closure in"
  }

  /// The words after that name: `was never called`, or, with others, `and 1 more function were never called`; the code at
  /// top level is not called.
  var neverWords: String { neverWords(in: nil) }

  private func neverWords(in number: Int?) -> String {
    [Self.words(ofOthers: otherFunctionsCount), verb(in: number)].compactMap(\.self).joined(separator: " ")
  }

  /// All that was never called, such as `Unit.heap and Unit.heaped were never called`; nil without a function.
  ///
  /// - Parameter number: the only integration of which that is said, where they were called before; otherwise nil.
  func sentence(in number: Int? = nil) -> String? {
    if let names { return "\(CountText.list(names)) \(verb(in: number))" }
    return first.map { [partWords, $0.name, neverWords(in: number)].compactMap(\.self).joined(separator: " ") }
  }

  private func verb(in number: Int?) -> String {
    let areMany = otherFunctionsCount > 0 || (first?.twins ?? 0) > 0
    if !areCallsKnown { return "\(areMany ? "have" : "has") no counted call" }
    if first?.isTopLevel ?? false { return "never ran" }
    if otherFunctionsCount == 0, first?.isOnlyDefaultArguments ?? false { return "was never used" }
    return "\(areMany ? "were" : "was") \(number.map { "not called in \($0)" } ?? "never called")"
  }

  /// `and 1 more function`; nil if there is only one.
  var othersWords: String? { Self.words(ofOthers: othersCount) }

  private static func words(ofOthers count: Int) -> String? {
    count == 0 ? nil : "and \(CountText.counted(count, "more function"))"
  }

  /// Returns the innermost function at each line, without duplicates, in order of appearance.
  private static func innermost(_ lines: ClosedRange<Int>, in file: FileCoverage) -> [FunctionCoverage] {
    let near = file.functions.indices.filter { index in
      file.functions[index].line <= lines.upperBound && file.functions[index].lastLine >= lines.lowerBound
    }.sorted { file.functions[$0].line < file.functions[$1].line }
    var owners = [Int?](repeating: nil, count: lines.count)
    for index in near {
      // A function that begins further down is nested in the others.
      for span in FunctionCoverage.lineSpans(of: file.functions[index].regions) where span.overlaps(lines) {
        for line in span.clamped(to: lines) { owners[line - lines.lowerBound] = index }
      }
    }
    var seen: Set<Int> = []
    return owners.compactMap { $0 }.filter { seen.insert($0).inserted }.map { file.functions[$0] }
  }
}

extension FunctionCoverage {
  /// Returns the line ranges that the regions of a function cover, ascending; separate where other code lies between
  /// them, such as functions between top-level statements.
  static func lineSpans(of regions: [CoverageRegion]) -> [ClosedRange<Int>] {
    var spans: [ClosedRange<Int>] = []
    for region in regions.sorted(by: { $0.start < $1.start }) {
      let end = max(region.start.line, region.end.line)
      if let last = spans.last, region.start.line <= last.upperBound + 1 {
        spans[spans.count - 1] = last.lowerBound...max(last.upperBound, end)
      } else {
        spans.append(region.start.line...end)
      }
    }
    return spans
  }

  fileprivate var isOnlyDefaultArguments: Bool { isOnlyFolded && folded.allSatisfy { $0.kind == .defaultArgument } }

  /// The names of the functions that may contain it as a local function: each suffix of its name that follows ` in `.
  fileprivate var holders: [String] {
    var holders: [String] = []
    var rest = name[...]
    while let found = rest.firstRange(ofASCII: " in ") {
      holders.append(String(rest[found.upperBound...]))
      // The trailing blank may begin the next match.
      rest = rest[rest.utf8.index(before: found.upperBound)...]
    }
    return holders
  }
}
