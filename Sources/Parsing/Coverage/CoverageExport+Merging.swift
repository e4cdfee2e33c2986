import Model

extension CoverageExport {
  /// Adds the counts of the same sources from another build: a line ran if it ran in either of them.
  ///
  /// Both builds have the same file texts; what `#if` leaves out of one of them counts as code if the other one has it.
  /// Files that both have lose llvm-cov's line figures, which describe only one build.
  package mutating func merge(_ other: CoverageExport) {
    addFunctions(of: other)
    let known = Dictionary(files.indices.map { (files[$0].name, $0) }) { first, _ in first }
    let summaries = FunctionSummaries(self)
    for file in other.files {
      guard let index = known[file.name] else {
        var new = file
        new.segments = segments.append(more: other.segments[file.segments])
        new.conditions = conditions.append(more: other.conditions[file.conditions])
        files.append(new)
        continue
      }
      let overlaid = Self.overlay(segments[files[index].segments], other.segments[file.segments])
      files[index].segments = segments.append(more: overlaid)
      let both = conditions[files[index].conditions] + other.conditions[file.conditions]
      files[index].conditions = conditions.append(more: both)
      let found = summaries.summary(of: file.name)
      let branches = Tally.larger(files[index].summary.branches, file.summary.branches)
      files[index].summary = Summary(functions: found.functions, regions: found.regions, branches: branches)
    }
  }

  /// Returns the export with other names for the files in a folder.
  ///
  /// - Parameters:
  ///   - folders: the paths of the folder.
  ///   - others: the paths that replace them.
  package func moved(from folders: [String], to others: [String]) -> CoverageExport {
    func moved(_ name: String) -> String {
      for (folder, other) in zip(folders, others) where name.hasPrefix("\(folder)/") {
        return other + name.dropFirst(folder.count)
      }
      return name
    }
    var export = self
    export.names = names.map(moved)
    for index in files.indices { export.files[index].name = moved(files[index].name) }
    return export
  }

  private mutating func addFunctions(of other: CoverageExport) {
    var indices = Dictionary(names.indices.map { (names[$0], $0) }) { first, _ in first }
    let places = other.names.map { index(of: $0, &indices) }
    let offset = regions.count
    regions += other.regions.map { region in
      var region = region
      region.file = places[region.file]
      return region
    }
    functions += other.functions.map { function in
      var function = function
      function.regions = function.regions.lowerBound + offset..<function.regions.upperBound + offset
      function.file = function.file.map { places[$0] }
      return function
    }
  }

  /// Merges the boundaries of both lists, each with the state that holds from there on in the two together.
  private static func overlay(_ one: ArraySlice<Segment>, _ other: ArraySlice<Segment>) -> [Segment] {
    var merged: [Segment] = []
    merged.reserveCapacity(max(one.count, other.count))
    var sides = [Side(one), Side(other)]
    while let next = sides.compactMap(\.next).min(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
      for index in sides.indices { sides[index].advance(to: next) }
      let counting = sides.filter { $0.state?.hasCount == true }
      let telling = counting.isEmpty ? sides : counting
      merged.append(
        Segment(
          line: next.line, column: next.column,
          count: counting.reduce(0) { $0.adding($1.state?.count ?? 0) }, hasCount: !counting.isEmpty,
          isRegionEntry: telling.contains { $0.isEntry },
          isGapRegion: !counting.isEmpty && counting.allSatisfy { $0.state?.isGapRegion == true }))
    }
    return merged
  }

  /// One of two lists of segments, and the position in it.
  private struct Side {
    private var rest: ArraySlice<Segment>
    private(set) var state: Segment?
    /// Whether a region begins at the boundary that was reached last.
    private(set) var isEntry = false

    init(_ segments: ArraySlice<Segment>) { rest = segments }

    var next: Segment? { rest.first }

    mutating func advance(to place: Segment) {
      isEntry = false
      while let first = rest.first, (first.line, first.column) == (place.line, place.column) {
        state = first
        if first.isRegionEntry { isEntry = true }
        rest.removeFirst()
      }
    }
  }
}

/// llvm-cov's figures of functions and regions by file, which take the largest of a function's instantiations
/// (https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageSummaryInfo.cpp).
///
/// Functions that several builds counted under one name are one instantiation.
struct FunctionSummaries {
  private struct Instantiation {
    var isCalled = false
    /// Whether each region of code ran.
    var regions: [Place: Bool] = [:]

    mutating func add(_ function: CoverageExport.Function, _ code: ArraySlice<CoverageExport.Region>) {
      if function.count > 0 { isCalled = true }
      for region in code where region.kind == .code {
        let place = Place(file: region.file, start: region.span.start, end: region.span.end)
        regions[place, default: false] = regions[place, default: false] || region.span.count > 0
      }
    }
  }

  private struct Place: Hashable {
    var file: Int
    var start: SourcePosition
    var end: SourcePosition
  }

  private struct Group: Hashable {
    var file: Int
    var start: SourcePosition
  }

  private var groups: [String: [Group: [String: Instantiation]]] = [:]

  init(_ export: CoverageExport) {
    for function in export.functions {
      let regions = export.regions[function.regions]
      guard let first = regions.first(where: { $0.file == function.file ?? $0.file }) else { continue }
      let group = Group(file: first.file, start: first.span.start)
      groups[export.names[first.file], default: [:]][group, default: [:]][function.symbol, default: Instantiation()]
        .add(function, regions)
    }
  }

  func summary(of name: String) -> (functions: Tally, regions: Tally) {
    var (functions, regions) = (Tally(), Tally())
    for instantiations in groups[name, default: [:]].values.map(\.values) {
      functions.total += 1
      if instantiations.contains(where: \.isCalled) { functions.covered += 1 }
      regions.total += instantiations.map(\.regions.count).max() ?? 0
      regions.covered += instantiations.map { $0.regions.values.count(where: \.self) }.max() ?? 0
    }
    return (functions, regions)
  }
}

extension Tally {
  fileprivate static func larger(_ one: Tally, _ other: Tally) -> Tally {
    (one.total, one.covered) < (other.total, other.covered) ? other : one
  }
}
