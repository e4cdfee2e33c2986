/// The names of the functions in a program that count, by their hashes.
///
/// The format is that of `__llvm_prf_names`
/// (https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/InstrProf.cpp, `readAndDecodeStrings`).
struct FunctionNames {
  private(set) var names: [UInt64: String] = [:]

  private static let input = "the names of functions in a test program"

  /// - Parameter bytes: those of the section.
  init(_ bytes: ArraySlice<UInt8>) throws(ParsingError) {
    var reader = BinaryReader(bytes, input: Self.input)
    while !reader.isAtEnd {
      let (length, compressed) = (try reader.shortCount(atMost: 1 << 30), try reader.shortCount())
      if compressed > 0 {
        guard let text = Inflation.inflate(try reader.take(compressed), to: length) else {
          throw reader.error("they are not compressed as they should be")
        }
        add(text[...])
      } else {
        add(try reader.take(length))
      }
      // The linker puts zeros between what comes of two object files.
      reader.skipZeros()
    }
  }

  private mutating func add(_ text: ArraySlice<UInt8>) {
    for name in text.split(separator: 1) { names[MD5.name(of: name)] = String(decoding: name, as: UTF8.self) }
  }
}
