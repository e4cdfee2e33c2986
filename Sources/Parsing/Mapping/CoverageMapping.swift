import Model

/// Which counter counts which part of the source, as the compiler wrote it into a program or library.
///
/// The format is that of LLVM's coverage mapping from version 4 on (https://llvm.org/docs/CoverageMappingFormat.html); what it
/// leaves open is in its reader
/// (https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMappingReader.cpp).
struct CoverageMapping: Sendable {
  /// A function is compiled several times where several modules hold it; its copies have the same identity.
  struct Identity: Hashable {
    /// The hash of its name.
    var name: UInt64
    /// The hash of its structure.
    var structure: UInt64
  }

  /// The code of a function, and how its counts are found.
  struct Function: Sendable {
    /// As the compiler was given them.
    var files: [String]
    var regions: [Region] = []
    var expressions: [Expression] = []

    /// Whether it stands for a function of which nothing was compiled, such as one in a header that nobody calls.
    var isPlaceholder: Bool {
      files.count == 1 && expressions.isEmpty && regions.count == 1 && regions[0].kind == .code
        && regions[0].counter == .zero
    }
  }

  struct Region: Sendable {
    /// The place of its file among those of the function.
    var file: Int
    var start: SourcePosition
    var end: SourcePosition
    var kind: CoverageExport.Kind
    /// The file that a macro or an inclusion brings along here, among those of the function.
    var expanded: Int?
    var counter: Counter
    /// How often a condition was false.
    var falseCounter = Counter.zero
  }

  enum Counter: Hashable {
    case zero
    /// One that the program counts.
    case counted(Int)
    case sum(Int)
    case difference(Int)
  }

  struct Expression: Sendable {
    var left: Counter
    var right: Counter
  }

  private(set) var functions: [Identity: Function] = [:]
  /// In the order in which the program has them; of one name the first that is more than a placeholder.
  private(set) var identities: [Identity] = []
  /// Those of its functions that count, by the hash of the name.
  private(set) var names: [UInt64: String] = [:]

  private static let input = "the coverage mapping of a test program"

  /// - Parameter file: a program or library; without counters it has no functions.
  init(_ file: [UInt8]) throws(ParsingError) {
    let sections = try ObjectSections(file, input: Self.input)
    let (lists, records) = (sections["__llvm_covmap"], sections["__llvm_covfun"])
    var names: [UInt64: [String]] = [:]
    for list in lists { names.merge(try Self.fileLists(file[list])) { first, _ in first } }
    for section in sections["__llvm_prf_names"] { self.names.merge(try FunctionNames(file[section]).names) { $1 } }
    var places: [UInt64: Int] = [:]
    for section in records {
      var reader = BinaryReader(file[section], input: Self.input)
      while !reader.isAtEnd {
        let name = try reader.word()
        let length = Int(try reader.number(4))
        let (structure, list) = (try reader.word(), try reader.word())
        let bytes = try reader.take(length)
        reader.align(to: 8)
        let identity = Identity(name: name, structure: structure)
        guard let files = names[list] else { continue }
        if let known = places[name] {
          guard let old = functions[identities[known]], old.isPlaceholder else { continue }
          let function = try Self.function(bytes, files: files)
          guard !function.isPlaceholder else { continue }
          functions[identities[known]] = nil
          (identities[known], functions[identity]) = (identity, function)
        } else {
          places[name] = identities.count
          identities.append(identity)
          functions[identity] = try Self.function(bytes, files: files)
        }
      }
    }
  }

  /// Leaves the runs out that ended where a process ended itself, of what follows there; returns whether there were any.
  ///
  /// - Parameters:
  ///   - ends: where processes may end, by the name of the source.
  ///   - totals: what was counted.
  mutating func leaveOutRuns(endedAt ends: [String: [EndOfRuns]], _ totals: CounterTotals) -> Bool {
    var isChanged = false
    for (identity, function) in functions where function.files.contains(where: { ends[$0] != nil }) {
      guard let counts = totals.counts(of: identity),
        let rest = function.withoutEndedRuns(at: ends, count: { $0 < counts.count ? counts[$0] : 0 })
      else { continue }
      functions[identity] = rest
      isChanged = true
    }
    return isChanged
  }

  /// The lists of file names, by their hashes.
  private static func fileLists(_ bytes: ArraySlice<UInt8>) throws(ParsingError) -> [UInt64: [String]] {
    var lists: [UInt64: [String]] = [:]
    var reader = BinaryReader(bytes, input: input)
    while !reader.isAtEnd {
      _ = try reader.number(4)
      let length = Int(try reader.number(4))
      _ = try reader.number(4)
      let version = try reader.number(4)
      guard (3...6).contains(version) else {
        throw ParsingError(
          input, reason: "its format is version \(version + 1), and Martlet knows versions 4 to 7",
          advice: "Use a newer Martlet, or leave 'map' out of the bot's coverage.")
      }
      let list = try reader.take(length)
      reader.align(to: 8)
      lists[MD5.name(of: list)] = try fileNames(list, areRelative: version >= 5)
    }
    return lists
  }

  /// - Parameter areRelative: whether the first one is the folder in which the compiler ran.
  private static func fileNames(_ bytes: ArraySlice<UInt8>, areRelative: Bool) throws(ParsingError) -> [String] {
    var reader = BinaryReader(bytes, input: input)
    let (count, length, compressed) = (
      try reader.shortCount(), try reader.shortCount(atMost: 1 << 26), try reader.shortCount()
    )
    if compressed > 0 {
      guard let text = Inflation.inflate(try reader.take(compressed), to: length) else {
        throw reader.error("its file names are not compressed as they should be")
      }
      reader = BinaryReader(text[...], input: input)
    }
    var names: [String] = []
    for _ in 0..<count {
      let name = String(decoding: try reader.take(try reader.shortCount()), as: UTF8.self)
      let isWhole = name.utf8.first == UInt8(ascii: "/") || !areRelative || names.isEmpty
      names.append(isWhole ? name : "\(names[0])/\(name)")
    }
    return names
  }
}

extension CoverageMapping {
  /// How far the kinds of regions are told by numbers that stand in the place of their counters.
  private enum Kind {
    static let skipped = 2, branch = 4, decision = 5, decisionBranch = 6
  }

  private static func function(_ bytes: ArraySlice<UInt8>, files: [String]) throws(ParsingError) -> Function {
    var reader = BinaryReader(bytes, input: input)
    var own: [String] = []
    for _ in 0..<(try reader.shortCount()) {
      let index = try reader.shortCount()
      guard index < files.count else { throw reader.error("a function is in file \(index) of \(files.count)") }
      own.append(files[index])
    }
    var function = Function(files: own)
    for _ in 0..<(try reader.shortCount()) {
      function.expressions.append(
        Expression(left: counter(try reader.shortCount()), right: counter(try reader.shortCount())))
    }
    for file in own.indices {
      var line = 0
      for _ in 0..<(try reader.shortCount()) {
        if let region = try region(&reader, in: file, &line) { function.regions.append(region) }
      }
    }
    return function
  }

  /// The next region; nil for one of a kind that says nothing about the code.
  ///
  /// - Parameter line: where the one before began.
  private static func region(_ reader: inout BinaryReader, in file: Int, _ line: inout Int) throws(ParsingError)
    -> Region?
  {
    let head = try reader.shortCount()
    let number = head & 7 == 0 ? head >> 3 : 0
    let expanded = head & 7 == 4 ? head >> 3 : nil
    var counters = (Counter.zero, Counter.zero)
    if number == Kind.branch || number == Kind.decisionBranch {
      counters = (counter(try reader.shortCount()), counter(try reader.shortCount()))
    }
    let more = number == Kind.decision ? 2 : number == Kind.decisionBranch ? 3 : 0
    for _ in 0..<more { _ = try reader.shortNumber() }
    line += try reader.shortCount()
    let (column, height, last) = (try reader.shortCount(), try reader.shortCount(), try reader.shortNumber())
    guard line + height <= CoverageExport.lineLimit else { throw reader.error("a region is in line \(line)") }
    let end = Int(last & 0x7FFF_FFFF)
    // Without columns it is of whole lines.
    let isOfLines = column == 0 && end == 0
    var region = Region(
      file: file, start: SourcePosition(line: line, column: isOfLines ? 1 : column),
      end: SourcePosition(line: line + height, column: isOfLines ? Int(Int32.max) : end),
      kind: last >> 31 == 1 ? .gap : .code, expanded: expanded, counter: counter(head))
    guard region.start <= region.end else { throw reader.error("a region ends before it starts") }
    switch number {
    case Kind.branch, Kind.decisionBranch:
      (region.kind, region.counter, region.falseCounter) = (.branch, counters.0, counters.1)
    case Kind.skipped: region.kind = .skipped
    case 0: if expanded != nil { (region.kind, region.counter) = (.expansion, .zero) }
    default: return nil
    }
    return region
  }

  private static func counter(_ number: Int) -> Counter {
    switch number & 3 {
    case 0: .zero
    case 1: .counted(number >> 2)
    case 2: .difference(number >> 2)
    default: .sum(number >> 2)
    }
  }
}

extension CoverageMapping.Function {
  /// More expressions than that do not stand in each other.
  private static let mostDepth = 10_000

  /// How often each region ran.
  ///
  /// - Parameter count: that of a counter, by its number.
  func counts(_ count: (Int) -> UInt64) -> [(ran: UInt64, wasFalse: UInt64)] {
    var known: [CoverageMapping.Counter: UInt64] = [:]
    func value(_ counter: CoverageMapping.Counter, _ depth: Int) -> UInt64 {
      let index: Int
      let isSum: Bool
      switch counter {
      case .zero: return 0
      case .counted(let index): return count(index)
      case .sum(let number): (index, isSum) = (number, true)
      case .difference(let number): (index, isSum) = (number, false)
      }
      if let value = known[counter] { return value }
      guard depth < Self.mostDepth, index < expressions.count else { return 0 }
      let left = value(expressions[index].left, depth + 1)
      let right = value(expressions[index].right, depth + 1)
      let found = isSum ? left &+ right : left &- right
      known[counter] = found
      return found
    }
    return regions.map { (value($0.counter, 0), $0.kind == .branch ? value($0.falseCounter, 0) : 0) }
  }
}
