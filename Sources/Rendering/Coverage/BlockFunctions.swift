import Model

/// The functions that lines which follow each other are of.
struct BlockFunctions {
  /// The one that the lines begin in; nil where they are of none.
  let first: FunctionCoverage?
  /// Whether there are any, and none of them was ever called.
  let areUncalled: Bool
  /// How many there are beside the first one, a function and those inside of it taken for one.
  private let othersCount: Int
  /// How many of those are functions themselves, not known by their closures alone.
  private let otherFunctionsCount: Int
  /// Whether calls are known to be none where none was counted.
  private let areCallsKnown: Bool

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
  }

  /// What stands before the name of the first one when none was called, such as `A closure in`: a declaration that is known
  /// by its closures alone may well have been called itself. Nil where it is a function.
  var partWords: String? {
    guard let first, first.isOnlyFolded else { return nil }
    return first.isOnlyDefaultArguments ? "A default argument of" : "A closure in"
  }

  /// What stands behind that name: `was never called`, or with others `and 1 more function were never called`.
  var neverWords: String {
    let others = Self.words(ofOthers: otherFunctionsCount)
    let areMany = others != nil || (first?.twins ?? 0) > 0
    let verb =
      if !areCallsKnown {
        "\(areMany ? "have" : "has") no counted call"
      } else if others == nil, first?.isOnlyDefaultArguments ?? false {
        "was never used"
      } else {
        "\(areMany ? "were" : "was") never called"
      }
    return [others, verb].compactMap(\.self).joined(separator: " ")
  }

  /// `and 1 more function`; nil when there is only one.
  var othersWords: String? { Self.words(ofOthers: othersCount) }

  private static func words(ofOthers count: Int) -> String? {
    count == 0 ? nil : "and \(CountText.counted(count, "more function"))"
  }

  /// The innermost function at each line, each once, in the order in which they come.
  private static func innermost(_ lines: ClosedRange<Int>, in file: FileCoverage) -> [FunctionCoverage] {
    let near = file.functions.indices.filter { index in
      file.functions[index].line <= lines.upperBound && file.functions[index].lastLine >= lines.lowerBound
    }.sorted { file.functions[$0].line < file.functions[$1].line }
    var owners = [Int?](repeating: nil, count: lines.count)
    for index in near {
      // One that begins further down is inside of the others.
      for span in FunctionCoverage.lineSpans(of: file.functions[index].regions) where span.overlaps(lines) {
        for line in span.clamped(to: lines) { owners[line - lines.lowerBound] = index }
      }
    }
    var seen: Set<Int> = []
    return owners.compactMap { $0 }.filter { seen.insert($0).inserted }.map { file.functions[$0] }
  }
}

extension FunctionCoverage {
  /// The lines that the regions of a function reach over, ascending; apart where other code stands between them, such as
  /// functions between the statements at top level.
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

  /// Whether nothing but values for its parameters is known of it.
  fileprivate var isOnlyDefaultArguments: Bool { isOnlyFolded && folded.allSatisfy { $0.kind == .defaultArgument } }

  /// What the functions are called that it is a local function of, whether or not there are such: what stands behind each
  /// ` in ` of its name.
  fileprivate var holders: [String] {
    var holders: [String] = []
    var rest = name[...]
    while let found = rest.firstRange(ofASCII: " in ") {
      holders.append(String(rest[found.upperBound...]))
      // The last blank may begin the next one.
      rest = rest[rest.utf8.index(before: found.upperBound)...]
    }
    return holders
  }
}
