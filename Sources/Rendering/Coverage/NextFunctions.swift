import Model
import Syntax

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
  /// How many there are of the first kind; nil where that is not known, because to count ways takes colouring a file.
  let windingCount: Int?
  let easyCount: Int

  /// - Parameters:
  ///   - most: how long a list may be.
  ///   - source: the text of a file; without it, nobody knows how many ways lead through its functions.
  init(_ coverage: Coverage, most: Int, source: (String) -> HighlightedSource?) {
    var winding: [Place] = []
    var easy: [Place] = []
    for file in coverage.files.indices {
      let functions = coverage.files[file].functions
      let areCallsKnown = !coverage.files[file].isHeader
      // Functions are big values: each copy counts a reference to every part of one.
      for index in functions.indices {
        let uncovered = functions[index].regions.reduce(0) { $1.count == 0 ? $0 + 1 : $0 }
        guard uncovered > 0 else { continue }
        // What is known by its closures alone may have been called.
        let isEasy =
          functions[index].count == 0 && !functions[index].isOnlyFolded && areCallsKnown
          && Self.needsNoObject(functions[index].name)
        let count = functions[index].regions.count
        let line = functions[index].regions.firstLine
        guard count >= Self.manyWays || isEasy, line > 0 else { continue }
        let place = Place(file: file, function: index, line: line, uncoveredRegions: uncovered)
        // No region begins more than one way, so that none weighs more.
        if count >= Self.manyWays { winding.append(place.weighing((count + 1) * uncovered)) }
        if isEasy { easy.append(place.weighing(Self.lines(of: functions[index]))) }
      }
    }
    easyCount = easy.count
    self.easy = easy.sorted().prefix(most).map { $0.entry(in: coverage) }
    let heaviest = Self.heaviest(most, of: winding, in: coverage, source: source)
    self.winding = heaviest.places.map { $0.entry(in: coverage) }
    windingCount = heaviest.areAll ? heaviest.places.count : nil
  }

  /// The places with the most ways and uncovered regions, of some that weigh no more than they say.
  ///
  /// Looks at the heaviest ones first, until no other can come before those that it found.
  private static func heaviest(
    _ most: Int, of places: [Place], in coverage: Coverage, source: (String) -> HighlightedSource?
  ) -> (places: [Place], areAll: Bool) {
    var found: [Place] = []
    var counting: [Int: FunctionWays?] = [:]
    for place in places.sorted() {
      if found.count >= most, let last = found.last, last.weight > place.weight { return (found, false) }
      let file = coverage.files[place.file]
      let known = counting[place.file] ?? source(file.path).map { FunctionWays($0.code) }
      counting[place.file] = .some(known)
      guard let ways = known?.count(in: file.functions[place.function]), ways >= manyWays else { continue }
      let exact = place.weighing(ways * place.uncoveredRegions, ways: ways)
      found.insert(exact, at: found.firstIndex { exact < $0 } ?? found.endIndex)
      if found.count > most { found.removeLast() }
    }
    return (found, found.count < most)
  }

  /// A function by its indices, so that thousands are sorted without touching them; the heaviest come first.
  private struct Place: Comparable {
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

    func entry(in coverage: Coverage) -> Entry {
      let file = coverage.files[file]
      return Entry(file: file, function: file.functions[function], ways: ways, uncoveredRegions: uncoveredRegions)
    }

    static func < (one: Place, other: Place) -> Bool {
      // Files are sorted by path.
      (other.weight, one.file, one.line, one.function) < (one.weight, other.file, other.line, other.function)
    }
  }

  /// How many lines a function takes from its first to its last.
  static func lines(of function: FunctionCoverage) -> Int {
    function.lastLine - function.line + 1
  }

  /// Whether a name is that of a free or a static function that a test can call: not of a member of an object, of an
  /// initialiser, or of a function inside another one.
  static func needsNoObject(_ name: String) -> Bool {
    guard name.utf8.contains(UInt8(ascii: "(")), name[...].firstRange(ofASCII: ") in ") == nil,
      name[...].firstRange(ofASCII: " #") == nil
    else { return false }
    if name.hasPrefix("static ") { return true }
    return FunctionRows.bareName(of: name) == name && !["init(", "init<", "init?"].contains { name.hasPrefix($0) }
      && !mayBeMemberInCxx(name)
  }

  /// Whether a function of C++ may be a member of a class: its name does not tell that from a namespace, unless the
  /// namespace has no name. What follows the parameters, as ` const` does, is of members only.
  private static func mayBeMemberInCxx(_ name: String) -> Bool {
    let free = "(anonymous namespace)::"
    let name = name[...].firstRange(ofASCII: free) == nil ? name : name.split(separator: free).joined()
    guard name[...].firstRange(ofASCII: "(anonymous namespace)") == nil else { return true }
    var depth = 0
    var rest = Substring(name).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0, [" const", " volatile", " &"].contains(where: { rest.starts(with: $0.utf8) }) { return true }
      case UInt8(ascii: ":") where depth == 0 && rest.first == UInt8(ascii: ":"): return true
      default: break
      }
    }
    return false
  }
}

/// How many ways lead through a function at least: its cyclomatic complexity, as far as its regions and its text tell it.
///
/// One way, and another one for each `if`, `guard`, loop, `catch` and `?:`, for each case but the first of a `switch`, and
/// for each right side of `&&`, `||` and `??`; those in closures count, closures themselves do not. The compiler records
/// nothing of conditions with commas between them, of `where`, and of errors that leave the function, so there may be more
/// (https://doi.org/10.1109/TSE.1976.233837).
struct FunctionWays {
  private let code: SourceCode

  /// - Parameter code: that of the file which the functions are in.
  init(_ code: SourceCode) {
    self.code = code
  }

  func count(in function: FunctionCoverage) -> Int {
    let entries = Set(function.entries)
    var turns: Set<SourcePosition> = []
    for (index, region) in function.regions.enumerated() where isTurn(region, isEntry: entries.contains(index)) {
      // Of what is right of `??`, both the autoclosure and a closure at its beginning begin there.
      turns.insert(region.start)
    }
    return turns.count + 1
  }

  /// Whether a region begins a way that its neighbours do not lead on.
  private func isTurn(_ region: CoverageRegion, isEntry: Bool) -> Bool {
    let line = code.range(ofLine: region.start.line)
    let start = line.lowerBound + min(region.start.column - 1, line.count)
    let first = code.firstToken(endingAfter: start)
    guard first < code.tokens.count, code.tokens[first].start == start else { return false }
    let before = tokenBefore(first)
    if ["&&", "||", "??"].contains(where: { code.isToken(before, $0) }) { return true }
    if isEntry { return false }
    if let before, code.isChoice(before) { return true }
    // The first case of a switch stands behind its brace.
    if code.isCase(first) || code.isToken(first, "@unknown") { return !code.isToken(before, "{") }
    guard code.isToken(first, "{") else { return false }
    switch OpenedBlock(first, in: code).reason {
    case .condition, .elseCondition, .loopBody, .guardFailed, .caught: return true
    default: return false
    }
  }

  /// The token of code before another one; lines with `#if` and the like are passed over.
  private func tokenBefore(_ index: Int) -> Int? {
    var before = code.previous(index)
    while let found = before, code.tokens[found].isOfCondition { before = code.previous(found) }
    return before
  }
}
