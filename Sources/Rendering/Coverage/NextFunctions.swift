import Model

/// The functions that are worth a test next.
struct NextFunctions {
  /// A function with the page that shows it.
  struct Entry {
    var file: FileCoverage
    var function: FunctionCoverage
    /// How many ways lead through it.
    var paths: Int
    var uncoveredRegions: Int
  }

  /// Functions with at least this many ways through them are looked at for the first list.
  private static let manyPaths = 4

  /// With many ways through them and some of those never taken; the most of both first.
  let winding: [Entry]
  /// Never called, and without an object to be made first: static and free functions, the longest first.
  let easy: [Entry]
  /// How many there are of each; the lists may be shorter.
  let windingCount: Int
  let easyCount: Int

  init(_ coverage: Coverage, most: Int = .max) {
    var winding: [Place] = []
    var easy: [Place] = []
    for (fileIndex, file) in coverage.files.enumerated() {
      for (index, function) in file.functions.enumerated() {
        let uncovered = function.regions.reduce(0) { $1.count == 0 ? $0 + 1 : $0 }
        guard uncovered > 0, function.line > 0 else { continue }
        let place = Place(file: fileIndex, function: index, line: function.line, uncoveredRegions: uncovered)
        let paths = Self.paths(function.regions)
        if paths >= Self.manyPaths { winding.append(place.weighing(paths * uncovered, paths: paths)) }
        if function.count == 0, Self.needsNoObject(function.name) {
          easy.append(place.weighing(Self.lines(of: function), paths: paths))
        }
      }
    }
    (windingCount, easyCount) = (winding.count, easy.count)
    self.winding = Self.heaviest(most, of: winding, in: coverage)
    self.easy = Self.heaviest(most, of: easy, in: coverage)
  }

  /// A function by its indices, so that thousands are sorted without touching them.
  private struct Place {
    var file: Int
    var function: Int
    var line: Int
    var uncoveredRegions: Int
    var paths = 0
    var weight = 0

    func weighing(_ weight: Int, paths: Int) -> Place {
      var place = self
      (place.weight, place.paths) = (weight, paths)
      return place
    }
  }

  private static func heaviest(_ most: Int, of places: [Place], in coverage: Coverage) -> [Entry] {
    // Files are sorted by path.
    places.sorted { ($1.weight, $0.file, $0.line, $0.function) < ($0.weight, $1.file, $1.line, $1.function) }
      .prefix(most).map { place in
        let file = coverage.files[place.file]
        return Entry(
          file: file, function: file.functions[place.function], paths: place.paths,
          uncoveredRegions: place.uncoveredRegions)
      }
  }

  /// How many lines a function takes from its first to its last.
  static func lines(of function: FunctionCoverage) -> Int {
    function.lastLine - function.line + 1
  }

  /// One way, and another for each region inside a region that ends before it does: the cyclomatic complexity as far as
  /// regions tell it. A region that goes on to the end of the one around it only says that the code went on.
  static func paths(_ regions: [CoverageRegion]) -> Int {
    var open: [SourcePosition] = []
    var paths = 1
    for region in regions {
      while let end = open.last, end <= region.start { open.removeLast() }
      if let end = open.last, region.end < end { paths += 1 }
      open.append(region.end)
    }
    return paths
  }

  /// Whether a name is that of a free or a static function, not of a member of an object and not of an initialiser.
  static func needsNoObject(_ name: String) -> Bool {
    guard name.contains("(") else { return false }
    if name.hasPrefix("static ") { return true }
    return FunctionRows.bareName(of: name) == name && !name.hasPrefix("init")
  }
}
