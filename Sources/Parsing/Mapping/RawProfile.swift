/// Which words of a process's counters belong to which function.
///
/// The layout is that of LLVM's raw profiles of versions 8 to 10
/// (https://github.com/llvm/llvm-project/blob/main/compiler-rt/include/profile/InstrProfData.inc).
struct RawProfile {
  /// The counters of a function, as numbers of words from the beginning.
  struct Counters {
    var function: CoverageMapping.Identity
    var words: Range<Int>
  }

  /// In the order of the words.
  let functions: [Counters]

  private static let input = "the counters of a test process"

  init(_ bytes: [UInt8]) throws(ParsingError) {
    var reader = BinaryReader(bytes[...], input: Self.input)
    guard try reader.word() == 0xFF6C_7072_6F66_7281 else { throw reader.error("they are no raw profile of LLVM") }
    let variant = try reader.word()
    let version = variant & 0xFF_FFFF
    // In the highest bits: whether counters have one byte each, or count but once.
    guard (8...10).contains(version), variant >> 60 & 3 == 0 else {
      throw ParsingError(
        Self.input, reason: "their format is version \(version), and Martlet knows versions 8 to 10",
        advice: "Use a newer Martlet, or leave 'map' out of the bot's coverage.")
    }
    let ids = try reader.word()
    let (count, before, counters) = (try reader.word(), try reader.word(), try reader.word())
    let words = version == 8 ? 11 : version == 9 ? 14 : 16
    let size = version == 8 ? 48 : 64
    // Behind the padding and the names; from version 9 on two more numbers of bitmaps stand before it.
    _ = try reader.take(version == 8 ? 16 : 32)
    let distance = try reader.word()
    let most = UInt64(bytes.count)
    guard ids <= most, count <= most / UInt64(size), before <= most, counters <= most / 8 else {
      throw reader.error("they are longer than their file")
    }
    let data = words * 8 + Int(ids)
    let first = data + Int(count) * size + Int(before)
    guard first % 8 == 0, first + Int(counters) * 8 <= bytes.count else {
      throw reader.error("they are longer than their file")
    }
    var functions: [Counters] = []
    var records = BinaryReader(bytes[data..<first], input: Self.input)
    for index in 0..<UInt64(count) {
      let identity = CoverageMapping.Identity(name: try records.word(), structure: try records.word())
      // Pointers are distances from the record that they stand in.
      let place = try records.word() &- (distance &- index &* UInt64(size))
      _ = try records.take(version == 8 ? 16 : 24)
      let length = try records.number(4)
      _ = try records.take(version == 8 ? 4 : 12)
      guard place % 8 == 0, place / 8 <= counters, length <= counters - place / 8 else {
        throw records.error("the counters of a function are elsewhere")
      }
      let start = first / 8 + Int(place / 8)
      functions.append(Counters(function: identity, words: start..<start + Int(length)))
    }
    self.functions = functions.sorted { $0.words.lowerBound < $1.words.lowerBound }
  }

  /// What each function counted, by the number of the counter in its function; nothing of those that counted nothing.
  ///
  /// - Parameter bytes: those that this was read from.
  func counts(in bytes: [UInt8]) -> [CoverageMapping.Identity: [Int: UInt64]] {
    bytes.withUnsafeBytes { bytes in
      counts(
        functions.flatMap(\.words).compactMap { word in
          let count = bytes.word(word)
          return count > 0 ? (word: word, by: count) : nil
        })
    }
  }

  /// What each function counted.
  ///
  /// - Parameter changes: by how much words grew, ascending.
  /// - Returns: by the number of the counter in its function.
  func counts(_ changes: [(word: Int, by: UInt64)]) -> [CoverageMapping.Identity: [Int: UInt64]] {
    var found: [CoverageMapping.Identity: [Int: UInt64]] = [:]
    var index = 0
    for (word, growth) in changes {
      while index < functions.count, functions[index].words.upperBound <= word { index += 1 }
      guard index < functions.count else { break }
      guard functions[index].words.contains(word) else { continue }
      let counters = functions[index]
      found[counters.function, default: [:]][word - counters.words.lowerBound, default: 0] &+= growth
    }
    return found
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the word with a number from the beginning, as LLVM's runtime writes it.
  func word(_ number: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: number * 8, as: UInt64.self))
  }
}
