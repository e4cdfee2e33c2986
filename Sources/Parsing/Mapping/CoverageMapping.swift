import Model

/// Which counter counts which part of the source, as the compiler wrote it into a program or library.
///
/// The format is that of LLVM's coverage mapping from version 4 on (https://llvm.org/docs/CoverageMappingFormat.html); what it
/// leaves open is in its reader
/// (https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMappingReader.cpp).
struct CoverageMapping {
  /// A function is compiled several times where several modules hold it; its copies have the same identity.
  struct Identity: Hashable {
    /// The hash of its name.
    var name: UInt64
    /// The hash of its structure.
    var structure: UInt64
  }

  /// The code of a function, and how its counts are found.
  struct Function {
    var regions: [Region]
    var expressions: [Expression]
  }

  struct Region {
    /// As the compiler was given it.
    var file: String
    var start: SourcePosition
    var end: SourcePosition
    /// Whether it lies between two pieces of code and is none itself.
    var isGap: Bool
    var counter: Counter
  }

  enum Counter: Hashable {
    case zero
    /// One that the program counts.
    case counted(Int)
    case sum(Int)
    case difference(Int)
  }

  struct Expression {
    var left: Counter
    var right: Counter
  }

  private(set) var functions: [Identity: Function] = [:]

  private static let input = "the coverage mapping of a test program"

  /// - Parameter file: a program or library; without counters it has no functions.
  init(_ file: [UInt8]) throws(ParsingError) {
    let sections = try ObjectSections(file, input: Self.input)
    guard let lists = sections["__llvm_covmap"], let records = sections["__llvm_covfun"] else { return }
    let names = try Self.fileLists(file[lists])
    var reader = BinaryReader(file[records], input: Self.input)
    while !reader.isAtEnd {
      let name = try reader.word()
      let length = Int(try reader.number(4))
      let (structure, list) = (try reader.word(), try reader.word())
      let bytes = try reader.take(length)
      reader.align(to: 8)
      let identity = Identity(name: name, structure: structure)
      guard functions[identity] == nil, let files = names[list] else { continue }
      functions[identity] = try Self.function(bytes, files: files)
    }
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
    var function = Function(regions: [], expressions: [])
    for _ in 0..<(try reader.shortCount()) {
      function.expressions.append(
        Expression(left: counter(try reader.shortCount()), right: counter(try reader.shortCount())))
    }
    for file in own {
      var line = 0
      for _ in 0..<(try reader.shortCount()) {
        if let region = try region(&reader, in: file, &line) { function.regions.append(region) }
      }
    }
    return function
  }

  /// The next region; nil for one that is no code.
  ///
  /// - Parameter line: where the one before began.
  private static func region(_ reader: inout BinaryReader, in file: String, _ line: inout Int) throws(ParsingError)
    -> Region?
  {
    let head = try reader.shortCount()
    let kind = head & 7 == 0 ? head >> 3 : 0
    let isExpansion = head & 7 == 4
    let more = [Kind.branch: 2, Kind.decision: 2, Kind.decisionBranch: 5][kind] ?? 0
    for _ in 0..<more { _ = try reader.shortNumber() }
    line += try reader.shortCount()
    let (column, height, last) = (try reader.shortCount(), try reader.shortCount(), try reader.shortNumber())
    guard line + height <= CoverageExportReader.lineLimit else { throw reader.error("a region is in line \(line)") }
    guard kind == 0, !isExpansion else { return nil }
    let end = Int(last & 0x7FFF_FFFF)
    // Without columns it is of whole lines.
    let isOfLines = column == 0 && end == 0
    return Region(
      file: file, start: SourcePosition(line: line, column: isOfLines ? 1 : column),
      end: SourcePosition(line: line + height, column: isOfLines ? Int(Int32.max) : end), isGap: last >> 31 == 1,
      counter: counter(head))
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
  /// - Parameter counts: by the number of the counter; those that are missing counted nothing.
  func counts(_ counts: [Int: UInt64]) -> [UInt64] {
    var known: [CoverageMapping.Counter: Int64] = [:]
    func value(_ counter: CoverageMapping.Counter, _ depth: Int) -> Int64 {
      if let value = known[counter] { return value }
      guard depth < Self.mostDepth else { return 0 }
      func sides(_ index: Int) -> (Int64, Int64) {
        guard index < expressions.count else { return (0, 0) }
        return (value(expressions[index].left, depth + 1), value(expressions[index].right, depth + 1))
      }
      let found: Int64
      switch counter {
      case .zero: found = 0
      case .counted(let index): found = Int64(clamping: counts[index] ?? 0)
      case .sum(let index):
        let (left, right) = sides(index)
        found = left &+ right
      case .difference(let index):
        let (left, right) = sides(index)
        found = left &- right
      }
      known[counter] = found
      return found
    }
    return regions.map { UInt64(max(0, value($0.counter, 0))) }
  }
}
