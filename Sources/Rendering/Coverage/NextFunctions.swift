import Model

/// The functions that are worth a test next.
struct NextFunctions {
  /// A function with the page that shows it.
  struct Entry {
    var file: FileCoverage
    var function: FunctionCoverage
    /// How many ways lead through it at least.
    var ways: Int
    var uncoveredRegions: Int
  }

  /// Functions with at least this many ways through them are looked at for the first list.
  private static let manyWays = 4

  /// With many ways through them and some of those never taken; the most of both first.
  let winding: [Entry]
  /// Never called, and without an object to be made first: static and free functions, the longest first.
  let easy: [Entry]
  /// How many there are of each; the lists may be shorter.
  let windingCount: Int
  let easyCount: Int

  /// - Parameter source: the text of a file; without it, nobody knows how many ways lead through its functions.
  init(_ coverage: Coverage, most: Int = .max, source: (String) -> HighlightedSource?) {
    var winding: [Place] = []
    var easy: [Place] = []
    for (fileIndex, file) in coverage.files.enumerated() {
      // Making it takes time, and many files need none.
      lazy var counting = source(file.path).map(FunctionWays.init)
      for (index, function) in file.functions.enumerated() {
        let uncovered = function.regions.reduce(0) { $1.count == 0 ? $0 + 1 : $0 }
        guard uncovered > 0, function.line > 0 else { continue }
        let place = Place(file: fileIndex, function: index, line: function.line, uncoveredRegions: uncovered)
        // No region begins more than one of them.
        if function.regions.count >= Self.manyWays, let ways = counting?.count(in: function), ways >= Self.manyWays {
          winding.append(place.weighing(ways * uncovered, ways: ways))
        }
        if function.count == 0, Self.needsNoObject(function.name) {
          easy.append(place.weighing(Self.lines(of: function)))
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
    var ways = 0
    var weight = 0

    func weighing(_ weight: Int, ways: Int = 0) -> Place {
      var place = self
      (place.weight, place.ways) = (weight, ways)
      return place
    }
  }

  private static func heaviest(_ most: Int, of places: [Place], in coverage: Coverage) -> [Entry] {
    // Files are sorted by path.
    places.sorted { ($1.weight, $0.file, $0.line, $0.function) < ($0.weight, $1.file, $1.line, $1.function) }
      .prefix(most).map { place in
        let file = coverage.files[place.file]
        return Entry(
          file: file, function: file.functions[place.function], ways: place.ways,
          uncoveredRegions: place.uncoveredRegions)
      }
  }

  /// How many lines a function takes from its first to its last.
  static func lines(of function: FunctionCoverage) -> Int {
    function.lastLine - function.line + 1
  }

  /// Whether a name is that of a free or a static function that a test can call: not of a member of an object, of an
  /// initialiser, or of a function inside another one.
  static func needsNoObject(_ name: String) -> Bool {
    guard name.contains("("), !name.contains(") in "), !name.contains(" #") else { return false }
    if name.hasPrefix("static ") { return true }
    return FunctionRows.bareName(of: name) == name && !["init(", "init<", "init?"].contains { name.hasPrefix($0) }
  }
}
