import Model

/// Turns the regions of a file, which lie in each other, into segments that follow each other.
///
/// The rules are LLVM's, so that the lines of a file are those of `llvm-cov`
/// (https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMapping.cpp, `SegmentBuilder`).
struct SegmentBuilder {
  typealias Region = CoverageExport.Region

  private var segments: [CoverageExport.Segment] = []
  /// The regions that the place is in which was come to, from outside in.
  private var open: [Region] = []

  static func segments(of regions: [Region]) -> [CoverageExport.Segment] {
    var builder = SegmentBuilder()
    builder.build(combined(regions))
    return builder.segments
  }

  /// The regions in order, with those of one place as one: what counts there is added up, where it is of one kind.
  private static func combined(_ regions: [Region]) -> [Region] {
    let sorted = regions.enumerated().sorted { one, other in
      let (a, b) = (one.element, other.element)
      return (a.span.start, b.span.end, a.kind.rawValue, one.offset)
        < (b.span.start, a.span.end, b.kind.rawValue, other.offset)
    }.map(\.element)
    var result: [Region] = []
    for region in sorted {
      guard let last = result.last, last.span.start == region.span.start, last.span.end == region.span.end else {
        result.append(region)
        continue
      }
      // Of a macro that is nothing but another macro, the code counts and its use does not count again.
      if last.kind == region.kind { result[result.count - 1].span.count &+= region.span.count }
    }
    return result
  }

  private mutating func build(_ regions: [Region]) {
    for (index, region) in regions.enumerated() {
      let start = region.span.start
      close(before: start)
      let isLast = index + 1 == regions.count
      let isGap = region.kind == .gap
      if start == region.span.end {
        // What has no length is seen as what is around it.
        let isSkipped = isLast || region.kind == .skipped
        append(open.last ?? region, at: start, isEntry: !isGap, isSkipped: isSkipped)
        if isSkipped, let around = open.last { append(around, at: start, isEntry: false) }
        continue
      }
      if isLast || regions[index + 1].span.start != start { append(region, at: start, isEntry: !isGap) }
      open.append(region)
    }
    if !open.isEmpty { complete(from: 0, until: nil) }
  }

  /// Ends the regions that end before a place, or there.
  private mutating func close(before place: SourcePosition) {
    let staying = open.filter { $0.span.end > place }
    let ended = open.filter { $0.span.end <= place }
    guard !ended.isEmpty else { return }
    open = staying + ended
    complete(from: staying.count, until: place)
  }

  /// Says behind each region that has ended what holds there.
  ///
  /// - Parameters:
  ///   - first: the first of the open regions that has ended; the others go on.
  ///   - place: where the next one begins; nil behind the last one.
  private mutating func complete(from first: Int, until place: SourcePosition?) {
    let ended = open[first...].enumerated().sorted {
      ($0.element.span.end, $0.offset) < ($1.element.span.end, $1.offset)
    }.map(\.element)
    open.replaceSubrange(first..., with: ended)
    for index in open.indices.dropFirst(first + 1) {
      let end = open[index - 1].span.end
      if end == place { break }
      guard end != open[index].span.end else { continue }
      // Of those that end together, the last one tells.
      let last = open[index...].last { $0.span.end == open[index].span.end } ?? open[index]
      append(last, at: end, isEntry: false)
    }
    if let last = open.last, last.span.end != place {
      if first > 0 {
        append(open[first - 1], at: last.span.end, isEntry: false)
      } else {
        append(last, at: last.span.end, isEntry: false, isSkipped: true)
      }
    }
    open.removeSubrange(first...)
  }

  private mutating func append(_ region: Region, at place: SourcePosition, isEntry: Bool, isSkipped: Bool = false) {
    let hasCount = !isSkipped && region.kind != .skipped
    if let last = segments.last, !isEntry, !isSkipped, last.hasCount == hasCount, last.count == region.span.count,
      !last.isRegionEntry
    {
      return
    }
    segments.append(
      CoverageExport.Segment(
        line: place.line, column: place.column, count: hasCount ? region.span.count : 0, hasCount: hasCount,
        isRegionEntry: isEntry, isGapRegion: hasCount && region.kind == .gap))
  }
}
