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

  init(_ coverage: Coverage) {
    var winding: [Entry] = []
    var easy: [Entry] = []
    for file in coverage.files {
      for function in file.functions where function.line > 0 {
        let uncovered = function.regions.count { $0.count == 0 }
        guard uncovered > 0 else { continue }
        let entry = Entry(
          file: file, function: function, paths: Self.paths(function.regions), uncoveredRegions: uncovered)
        if entry.paths >= Self.manyPaths { winding.append(entry) }
        if function.count == 0, Self.needsNoObject(function.name) { easy.append(entry) }
      }
    }
    self.winding = winding.sorted {
      Self.key($0, $0.paths * $0.uncoveredRegions) < Self.key($1, $1.paths * $1.uncoveredRegions)
    }
    self.easy = easy.sorted { Self.key($0, Self.lines(of: $0.function)) < Self.key($1, Self.lines(of: $1.function)) }
  }

  private static func key(_ entry: Entry, _ weight: Int) -> (Int, String, Int) {
    (-weight, entry.file.path, entry.function.line)
  }

  /// How many lines a function takes from its first to its last.
  static func lines(of function: FunctionCoverage) -> Int {
    (function.regions.map(\.end.line).max() ?? function.line) - function.line + 1
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
