import Model
import Syntax

/// The functions most worth testing next.
struct NextFunctions {
  /// A function and the file that shows it.
  struct Entry {
    var file: FileCoverage
    var function: FunctionCoverage
    /// Its complexity is at least this.
    var complexity: Int
    var uncoveredRegions: Int

    /// The first line on which readers see that something of it never ran.
    var firstGap: Int {
      function.regions.filter { $0.count == 0 }.compactMap(file.firstGap).min() ?? function.line
    }

    /// The line that links to the first gap lead to: only some have an anchor, such as the first of a block.
    var gapAnchor: Int {
      let block = file.uncoveredBlocks.first { $0.contains(firstGap) }
      return max(block?.lowerBound ?? firstGap, function.line)
    }
  }

  /// The least complexity of those of the first list.
  private static let leastComplexity = 4

  /// The other functions that are complex, with regions that never ran; the largest product of both comes first.
  let complex: [Entry]
  /// The functions that were never called and need no object, namely static and free functions, longest first.
  let easy: [Entry]
  /// The number of functions of the first kind; nil if unknown, since the complexity requires highlighting a file.
  let complexCount: Int?
  let easyCount: Int

  /// - Parameters:
  ///   - told: lines that are listed already, by path; a function all of whose gaps begin there is in neither list.
  ///   - source: the highlighted text of a file; without it, the complexity of its functions is unknown.
  init(
    _ coverage: Coverage, most: Int, besides told: [String: Set<Int>] = [:], source: (String) -> HighlightedSource?
  ) {
    var complex: [Place] = []
    var easy: [Place] = []
    for file in coverage.files.indices {
      let functions = coverage.files[file].functions
      let areCallsKnown = !coverage.files[file].isHeader
      let told = told[coverage.files[file].path] ?? []
      // Functions are large values: each copy retains every part of one.
      for index in functions.indices {
        let uncovered = functions[index].regions.reduce(0) { $1.count == 0 ? $0 + 1 : $0 }
        let isTold = functions[index].regions.allSatisfy { region in
          region.count > 0 || told.contains(coverage.files[file].firstGap(in: region) ?? region.start.line)
        }
        guard uncovered > 0, !isTold else { continue }
        // A function known only by its closures may have been called.
        let isEasy =
          functions[index].count == 0 && !functions[index].isOnlyFolded && areCallsKnown
          && Self.needsNoObject(functions[index].name)
        let count = functions[index].regions.count
        let line = functions[index].regions.firstLine
        guard count >= Self.leastComplexity || isEasy, line > 0 else { continue }
        let place = Place(file: file, function: index, line: line, uncoveredRegions: uncovered)
        if isEasy {
          easy.append(place.weighing(Self.lines(of: functions[index])))
        } else {
          // Each region begins at most one path, so this is an upper bound for the weight.
          complex.append(place.weighing((count + 1) * uncovered))
        }
      }
    }
    easyCount = easy.count
    self.easy = easy.sorted().prefix(most).map { $0.entry(in: coverage) }
    let heaviest = Self.heaviest(most, of: complex, in: coverage, source: source)
    self.complex = heaviest.places.map { $0.entry(in: coverage) }
    complexCount = heaviest.areAll ? heaviest.places.count : nil
  }

  /// Returns the places with the highest complexity and the most uncovered regions, given upper bounds for their weights.
  ///
  /// Visits the heaviest places first, until no other can precede those found.
  private static func heaviest(
    _ most: Int, of places: [Place], in coverage: Coverage, source: (String) -> HighlightedSource?
  ) -> (places: [Place], areAll: Bool) {
    var found: [Place] = []
    var counting: [Int: FunctionComplexity?] = [:]
    for place in places.sorted() {
      if found.count >= most, let last = found.last, last.weight > place.weight { return (found, false) }
      let file = coverage.files[place.file]
      let known = counting[place.file] ?? source(file.path).map { FunctionComplexity($0.code) }
      counting[place.file] = .some(known)
      guard let complexity = known?.count(in: file.functions[place.function]), complexity >= leastComplexity else {
        continue
      }
      let exact = place.weighing(complexity * place.uncoveredRegions, complexity: complexity)
      found.insert(exact, at: found.firstIndex { exact < $0 } ?? found.endIndex)
      if found.count > most { found.removeLast() }
    }
    return (found, found.count < most)
  }

  /// A function by its indices, so that thousands can be sorted without copying them; the heaviest comes first.
  private struct Place: Comparable {
    var file: Int
    var function: Int
    var line: Int
    var uncoveredRegions: Int
    var complexity = 0
    var weight = 0

    func weighing(_ weight: Int, complexity: Int = 0) -> Place {
      var place = self
      (place.weight, place.complexity) = (weight, complexity)
      return place
    }

    func entry(in coverage: Coverage) -> Entry {
      let file = coverage.files[file]
      return Entry(
        file: file, function: file.functions[function], complexity: complexity, uncoveredRegions: uncoveredRegions)
    }

    static func < (one: Place, other: Place) -> Bool {
      // Files are sorted by path.
      (other.weight, one.file, one.line, one.function) < (one.weight, other.file, other.line, other.function)
    }
  }

  /// Returns the number of lines from the first to the last of a function.
  static func lines(of function: FunctionCoverage) -> Int {
    function.lastLine - function.line + 1
  }

  /// Returns whether a name is that of a free or static function that a test can call, as opposed to an instance
  /// member, an initialiser or a local function.
  static func needsNoObject(_ name: String) -> Bool {
    guard name.utf8.contains(UInt8(ascii: "(")), name.firstRange(ofASCII: ") in ") == nil,
      name.firstRange(ofASCII: " #") == nil
    else { return false }
    if name.hasPrefix("static ") { return true }
    return FunctionShortName(name).text == name && !["init(", "init<", "init?"].contains { name.hasPrefix($0) }
      && !mayBeMemberInCxx(name)
  }

  /// Returns whether a C++ function may be a member of a class: its name does not tell a class from a namespace, unless
  /// the namespace is anonymous. Only members have anything after the parameters, such as ` const`.
  private static func mayBeMemberInCxx(_ name: String) -> Bool {
    let free = "(anonymous namespace)::"
    let name = name.firstRange(ofASCII: free) == nil ? name : name.split(separator: free).joined()
    guard name.firstRange(ofASCII: "(anonymous namespace)") == nil else { return true }
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

/// Counts the cyclomatic complexity of a function, as far as its regions and its text show it.
///
/// One, plus one for each `if`, `guard`, loop, `catch` and `?:`, for each case of a `switch` but the first, and for
/// each right side of `&&`, `||` and `??`; those in closures count, but not the closures themselves. The result is a
/// lower bound, since the compiler records nothing for conditions separated by commas, for `where`, or for errors that
/// leave the function (https://doi.org/10.1109/TSE.1976.233837).
struct FunctionComplexity {
  private let code: SourceCode

  init(_ code: SourceCode) {
    self.code = code
  }

  func count(in function: FunctionCoverage) -> Int {
    let entries = Set(function.entries)
    var turns: Set<SourcePosition> = []
    for (index, region) in function.regions.enumerated() where isTurn(region, isEntry: entries.contains(index)) {
      // To the right of `??`, the autoclosure and a closure at its beginning start at the same place.
      turns.insert(region.start)
    }
    return turns.count + 1
  }

  /// Returns whether a region begins a path of its own.
  private func isTurn(_ region: CoverageRegion, isEntry: Bool) -> Bool {
    let line = code.range(ofLine: region.start.line)
    let start = line.lowerBound + min(region.start.column - 1, line.count)
    let first = code.firstToken(endingAfter: start)
    guard first < code.tokens.count, code.tokens[first].start == start else { return false }
    let before = tokenBefore(first)
    if ["&&", "||", "??"].contains(where: { code.isToken(before, $0) }) { return true }
    if isEntry { return false }
    if let before, code.isChoice(before) { return true }
    // The first case of a switch follows its brace.
    if code.isCase(first) || code.isToken(first, "@unknown") { return !code.isToken(before, "{") }
    guard code.isToken(first, "{") else { return false }
    switch OpenedBlock(first, in: code).reason {
    case .condition, .elseCondition, .loopBody, .guardFailed, .caught: return true
    default: return false
    }
  }

  /// Returns the token of code before another one, skipping `#if` and similar lines.
  private func tokenBefore(_ index: Int) -> Int? {
    var before = code.previous(index)
    while let found = before, code.tokens[found].isOfCondition { before = code.previous(found) }
    return before
  }
}
