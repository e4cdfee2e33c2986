import Model

/// The programs whose counters are read, with where the compiler put them; makes of counters what `llvm-cov export` would
/// say.
///
/// The rules are those of LLVM's reader
/// (https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMapping.cpp).
package struct MappedPrograms: Sendable {
  fileprivate struct Condition {
    var file: Int
    var coverage: ConditionCoverage
    /// Whether the compiler knew that it is never true, or never false.
    var isNeverTrue: Bool
    var isNeverFalse: Bool
  }

  /// A function with its place in the export.
  fileprivate struct Counted {
    /// The index of the function in the export.
    var index: Int
    /// Its files, as indices into the names of the export.
    var files: [Int]
    /// The regions, with files as the function numbers them.
    var regions: [CoverageExport.Region]
    /// By the place of the region: the file that is brought along there.
    var expanded: [Int: Int]
    var conditions: [Condition]

    /// Those of its files that no macro or inclusion brings along, by their places; the first is its main one.
    var own: [Int] {
      let brought = Set(expanded.values)
      return files.indices.filter { !brought.contains($0) }
    }
  }

  private(set) var mappings: [CoverageMapping] = []
  /// The code that makes values when they are first needed, with the linker's names.
  private(set) var valueMakers: [ValueMaker: String] = [:]
  /// The properties that the values are of, by the name of the code.
  private(set) var valueProperties: [String: String] = [:]
  /// All of these names of the linker, for which the readable ones are needed.
  package var valueSymbols: [String] { Array(valueMakers.values) + Array(valueProperties.values) }

  package init() {}

  /// - Parameters:
  ///   - image: a program, library or object file.
  ///   - path: its path, if the code in it that makes values is asked for.
  package mutating func add(image: [UInt8], withValueMakersOf path: String? = nil) throws {
    mappings.append(try CoverageMapping(image))
    guard let path else { return }
    let name = SourceLocation.fileName(of: path)
    let symbols = try ValueSymbols(image)
    for (symbol, address) in symbols.makers { valueMakers[ValueMaker(image: name, address: address)] = symbol }
    valueProperties.merge(symbols.properties) { first, _ in first }
  }

  /// Leaves the runs out that ended where a process ended itself, of what follows there; returns whether there were any.
  ///
  /// - Parameters:
  ///   - ends: where processes may end, by the name that the compiler was given for the source.
  ///   - totals: what was counted.
  package mutating func leaveOutRuns(endedAt ends: [String: [EndOfRuns]], _ totals: CounterTotals) -> Bool {
    guard !ends.isEmpty else { return false }
    return mappings.indices.reduce(false) { mappings[$1].leaveOutRuns(endedAt: ends, totals) || $0 }
  }

  package func export(_ totals: CounterTotals) -> CoverageExport {
    var export = CoverageExport()
    var fileIndices: [String: Int] = [:]
    var seen: Set<[Int]> = []
    var counted: [Counted] = []
    for mapping in mappings {
      for identity in mapping.identities {
        guard let function = mapping.functions[identity], let counts = totals.counts(of: identity) else { continue }
        let files = function.files.map { export.index(of: $0, &fileIndices) }
        // The same code in another program counts once.
        if mappings.count > 1, !seen.insert(files + [Int(truncatingIfNeeded: identity.name)]).inserted { continue }
        // What is not compiled here and is elsewhere is counted there.
        if function.regions.count == 1, function.regions[0].counter == .zero, counts.first ?? 0 > 0 { continue }
        counted.append(Self.count(function, counts, files: files, in: &export, name: mapping.names[identity.name]))
      }
    }
    let summaries = MappedFiles(counted, export.names.count)
    for (file, name) in export.names.enumerated().sorted(by: { $0.element < $1.element }) {
      summaries.append(file, named: name, to: &export)
    }
    return export
  }

  /// Appends a function and its regions.
  private static func count(
    _ function: CoverageMapping.Function, _ counts: [UInt64], files: [Int], in export: inout CoverageExport,
    name: String?
  ) -> Counted {
    var counted = Counted(index: export.functions.count, files: files, regions: [], expanded: [:], conditions: [])
    let values = function.counts { $0 < counts.count ? counts[$0] : 0 }
    for (region, value) in zip(function.regions, values) {
      if region.kind == .branch {
        counted.conditions.append(
          Condition(
            file: region.file,
            coverage: ConditionCoverage(
              start: region.start, end: region.end, trueCount: value.ran, falseCount: value.wasFalse),
            isNeverTrue: region.counter == .zero, isNeverFalse: region.falseCounter == .zero))
        continue
      }
      if let expanded = region.expanded { counted.expanded[counted.regions.count] = expanded }
      let span = CoverageRegion(start: region.start, end: region.end, count: value.ran)
      counted.regions.append(CoverageExport.Region(span: span, file: region.file, kind: region.kind))
    }
    let regions = counted.regions.map { region in
      CoverageExport.Region(span: region.span, file: files[region.file], kind: region.kind)
    }
    export.functions.append(
      CoverageExport.Function(
        symbol: CoverageExport.Function.withoutFile(name ?? ""), count: counted.regions.first?.span.count ?? 0,
        regions: export.regions.append(more: regions),
        file: counted.expanded.isEmpty ? nil : counted.own.first.map { files[$0] }))
    return counted
  }
}

/// What an export says of whole files.
private struct MappedFiles {
  private let functions: [MappedPrograms.Counted]
  /// By file, the functions that have code in it.
  private var byFile: [[Int]]

  init(_ functions: [MappedPrograms.Counted], _ fileCount: Int) {
    self.functions = functions
    byFile = Array(repeating: [], count: fileCount)
    for (index, function) in functions.enumerated() {
      for file in Set(function.files) { byFile[file].append(index) }
    }
  }

  func append(_ file: Int, named name: String, to export: inout CoverageExport) {
    var regions: [CoverageExport.Region] = []
    var conditions: [ConditionCoverage] = []
    for function in byFile[file].map({ functions[$0] }) {
      regions += function.regions.filter { function.files[$0.file] == file }
      conditions += function.conditions.filter { function.files[$0.file] == file }.map(\.coverage)
    }
    let summary = summary(of: file, export)
    export.files.append(
      CoverageExport.File(
        name: name, segments: export.segments.append(more: SegmentBuilder.segments(of: regions)),
        conditions: export.conditions.append(more: conditions), summary: summary))
  }

  /// LLVM's figures of a file: of the copies of one function the largest.
  private func summary(of file: Int, _ export: CoverageExport) -> CoverageExport.Summary {
    var groups: [SourcePosition: CoverageExport.Summary] = [:]
    for function in byFile[file].map({ functions[$0] }) {
      guard let start = function.start(in: file) else { continue }
      let figures = function.summary(wasCalled: export.functions[function.index].count > 0)
      groups[start] = groups[start]?.larger(figures) ?? figures
    }
    return groups.values.reduce(into: CoverageExport.Summary()) { sum, group in
      sum.lines = sum.lines + group.lines
      sum.functions = sum.functions + group.functions
      sum.regions = sum.regions + group.regions
      sum.branches = sum.branches + group.branches
    }
  }
}

extension MappedPrograms.Counted {
  /// Where it begins in a file that is its own; nil where it only has code there that a macro or inclusion brings along.
  func start(in file: Int) -> SourcePosition? {
    guard let own = own.first(where: { files[$0] == file }) else { return nil }
    return regions.first { $0.file == own }?.span.start
  }

  func summary(wasCalled: Bool) -> CoverageExport.Summary {
    var summary = CoverageExport.Summary()
    for region in regions where region.kind == .code {
      summary.regions.total += 1
      if region.span.count > 0 { summary.regions.covered += 1 }
    }
    summary.functions = Tally(total: 1, covered: wasCalled ? 1 : 0)
    guard let main = own.first else { return summary }
    let walk = LineWalk(SegmentBuilder.segments(of: regions.filter { $0.file == main })[...])
    summary.lines = Tally(total: walk.lines.count, covered: walk.lines.count { $0.count > 0 })
    add(branchesOf: main, to: &summary.branches)
    return summary
  }

  /// Adds the sides of the conditions in a file, and of what macros bring along there, at each use.
  private func add(branchesOf file: Int, to tally: inout Tally, depth: Int = 0) {
    for condition in conditions where condition.file == file {
      if !condition.isNeverTrue { tally = tally + Tally(total: 1, covered: condition.coverage.trueCount > 0 ? 1 : 0) }
      if !condition.isNeverFalse { tally = tally + Tally(total: 1, covered: condition.coverage.falseCount > 0 ? 1 : 0) }
    }
    // No macro brings itself along; what is damaged might.
    guard depth < files.count else { return }
    for (region, brought) in expanded where regions[region].file == file && brought < files.count {
      add(branchesOf: brought, to: &tally, depth: depth + 1)
    }
  }
}

extension CoverageExport.Summary {
  /// The larger of each figure, covered and in all.
  fileprivate func larger(_ other: Self) -> Self {
    func larger(_ one: Tally, _ other: Tally) -> Tally {
      Tally(total: max(one.total, other.total), covered: max(one.covered, other.covered))
    }
    return Self(
      lines: larger(lines, other.lines), functions: larger(functions, other.functions),
      regions: larger(regions, other.regions), branches: larger(branches, other.branches))
  }
}
