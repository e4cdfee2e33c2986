import Model

/// The functions of an export, grouped by the files that contain their code.
struct FunctionsByFile: Sendable {
  private let export: CoverageExport
  private let fileIndices: [String: Int]
  /// Indices into the functions of the export, by file.
  private let functions: [[Int]]

  init(_ export: CoverageExport) {
    self.export = export
    fileIndices = Dictionary(zip(export.names, export.names.indices)) { first, _ in first }
    var functions = [[Int]](repeating: [], count: export.names.count)
    for (index, function) in export.functions.enumerated() {
      let regions = export.regions[function.regions]
      // All code of a function that a macro generates may be where the macro is defined.
      if let home = function.file, regions.contains(where: { $0.kind == .code && $0.file == home }) {
        functions[home].append(index)
        continue
      }
      for region in regions where region.kind == .code {
        if functions[region.file].last != index { functions[region.file].append(index) }
      }
    }
    self.functions = functions
  }

  /// Returns the mangled names of a file's functions.
  func symbols(of name: String) -> [String] {
    fileIndices[name].map { functions[$0].map { export.functions[$0].symbol } } ?? []
  }

  /// Returns the functions of a file in order of first appearance, uniting the instantiations of the same code and the
  /// copies of a header's function in several object files.
  func united(in name: String) -> [FunctionCode] {
    guard let file = fileIndices[name] else { return [] }
    var result: [FunctionCode] = []
    var byStart: [SourcePosition: [Int]] = [:]
    for index in functions[file] {
      let new = FunctionCode(export.functions[index], regions: codeRegions(of: export.functions[index], in: file))
      guard let start = new.regions.first?.start else { continue }
      if let same = byStart[start]?.first(where: { result[$0].isSameCode(as: new) }) {
        result[same].add(new)
      } else {
        byStart[start, default: []].append(result.count)
        result.append(new)
      }
    }
    return result
  }

  private func codeRegions(of function: CoverageExport.Function, in file: Int) -> [CoverageRegion] {
    var regions: [CoverageRegion] = []
    regions.reserveCapacity(function.regions.count)
    for region in export.regions[function.regions] where region.file == file && region.kind == .code {
      regions.append(region.span)
    }
    regions.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    return regions
  }
}

/// A function, reduced to its code in one file.
struct FunctionCode: Hashable {
  var symbol: String
  var count: UInt64
  /// The symbols of other copies of the same code, except in Swift: those of a header's function, of a template, or of
  /// all functions that a macro generates at one place.
  private(set) var otherSymbols: Set<String> = []
  /// The regions in source order.
  var regions: [CoverageRegion]

  init(_ function: CoverageExport.Function, regions: [CoverageRegion]) {
    symbol = function.symbol
    count = function.count
    self.regions = regions
  }

  /// The index of the region of the whole body: of the regions that begin first, the one that ends last.
  var body: Int? {
    guard let start = regions.first?.start else { return nil }
    return regions.lastIndex { $0.start == start }
  }

  /// Whether another function was compiled from the same text.
  ///
  /// In C, that is so if the bodies are at the same place: for a copy that nothing in its object file calls, clang
  /// records only the body, and for a template only the branches of `if constexpr` that its arguments select.
  func isSameCode(as other: FunctionCode) -> Bool {
    if hasSameSpans(as: other) { return true }
    // Builds with different conditions leave out different parts of a function.
    if isSwift, symbol == other.symbol { return true }
    guard !isSwift, !other.isSwift, let body, let otherBody = other.body else { return false }
    return regions[body].hasSameSpan(as: other.regions[otherBody])
  }

  private var isSwift: Bool { symbol.utf8.first == UInt8(ascii: "$") }

  private func hasSameSpans(as other: FunctionCode) -> Bool {
    regions.elementsEqual(other.regions) { $0.hasSameSpan(as: $1) }
  }

  /// Adds the counts of another copy of the same code.
  mutating func add(_ other: FunctionCode) {
    count = count.adding(other.count)
    if other.symbol != symbol, !isSwift { otherSymbols.insert(other.symbol) }
    if hasSameSpans(as: other) {
      for (index, region) in zip(regions.indices, other.regions) {
        regions[index].count = regions[index].count.adding(region.count)
      }
    } else {
      unite(other.regions)
    }
  }

  /// Adds the counts of regions that differ in part.
  private mutating func unite(_ others: [CoverageRegion]) {
    let all = (regions + others).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    regions.removeAll(keepingCapacity: true)
    for region in all {
      if let last = regions.last, last.hasSameSpan(as: region) {
        regions[regions.count - 1].count = last.count.adding(region.count)
      } else {
        regions.append(region)
      }
    }
  }
}

extension CoverageRegion {
  fileprivate func hasSameSpan(as other: CoverageRegion) -> Bool { start == other.start && end == other.end }
}
