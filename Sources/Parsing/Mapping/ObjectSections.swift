/// The sections of a program or library.
///
/// The format is the Executable and Linkable Format with 64 bits, the lowest byte first
/// (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html).
struct ObjectSections {
  private let ranges: [String: [Range<Int>]]

  /// - Parameter file: of which as little is kept as is asked for.
  init(_ file: [UInt8], input: String) throws(ParsingError) {
    var header = BinaryReader(file[...], input: input)
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { throw header.error("it is no program of 64 bits") }
    _ = try header.take(40)
    let table = try header.word()
    _ = try header.take(10)
    let (size, count, names) = (try header.number(2), Int(try header.number(2)), Int(try header.number(2)))
    guard size == 64, table <= UInt64(file.count) else { throw header.error("its sections cannot be found") }
    var reader = BinaryReader(file[Int(table)...], input: input)
    var found: [(name: Int, range: Range<Int>)] = []
    for _ in 0..<count {
      let (name, kind) = (Int(try reader.number(4)), try reader.number(4))
      _ = try reader.take(16)
      let (offset, length) = (try reader.word(), try reader.word())
      _ = try reader.take(24)
      // One without bytes in the file says where it would begin.
      let isThere = kind != 8 && offset <= UInt64(file.count) && length <= UInt64(file.count) - offset
      found.append((name, isThere ? Int(offset)..<Int(offset + length) : 0..<0))
    }
    guard names < found.count else { throw reader.error("the names of its sections cannot be found") }
    let texts = file[found[names].range]
    var ranges: [String: [Range<Int>]] = [:]
    for section in found where section.name < texts.count {
      let text = texts.dropFirst(section.name).prefix { $0 != 0 }
      if !section.range.isEmpty { ranges[String(decoding: text, as: UTF8.self), default: []].append(section.range) }
    }
    self.ranges = ranges
  }

  /// Where the bytes of the sections of a name lie in the file: in a program one, in an object file perhaps several.
  subscript(_ name: String) -> [Range<Int>] { ranges[name] ?? [] }
}
