import Model

/// The sections of a program, a library or an object file.
///
/// The format is the Executable and Linkable Format with 64 bits, the lowest byte first
/// (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html).
struct ObjectSections {
  struct Section {
    fileprivate(set) var name = ""
    let kind, flags, size: UInt64
    let info: Int
    /// Where its bytes lie in the file; empty if it has none there, nil if they would lie beyond its end.
    let range: Range<Int>?

    /// Reads what an entry of the table says after the name.
    fileprivate init(_ reader: inout BinaryReader, in file: [UInt8]) throws(ParsingError) {
      (kind, flags) = (try reader.number(4), try reader.word())
      _ = try reader.take(8)
      let offset = try reader.word()
      size = try reader.word()
      _ = try reader.take(4)
      info = Int(try reader.number(4))
      _ = try reader.take(16)
      // One without bytes in the file says where it would begin.
      range = kind == 8 ? 0..<0 : file.range(at: offset, size)
    }
  }

  /// In the order of their table.
  let all: [Section]

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
    var (found, starts): ([Section], [Int]) = ([], [])
    for _ in 0..<count {
      starts.append(Int(try reader.number(4)))
      found.append(try Section(&reader, in: file))
    }
    guard names < found.count else { throw reader.error("the names of its sections cannot be found") }
    let texts = file[found[names].range ?? 0..<0]
    for (index, start) in starts.enumerated() {
      found[index].name = String(decoding: texts.dropFirst(start).prefix { $0 != 0 }, as: UTF8.self)
    }
    all = found
  }

  /// Where the bytes of the sections of a name lie in the file: in a program one, in an object file perhaps several.
  subscript(_ name: String) -> [Range<Int>] {
    all.filter { $0.name == name }.compactMap(\.range).filter { !$0.isEmpty }
  }
}

extension [UInt8] {
  /// Returns nil if the range extends beyond the array.
  func range(at offset: UInt64, _ length: UInt64) -> Range<Int>? {
    guard let start = Int(exactly: offset), let length = Int(exactly: length), start <= count, length <= count - start
    else { return nil }
    return start..<start + length
  }
}

/// Where the functions of a program or library begin, by the names that its linker left.
///
/// The format is that of the section `.symtab` (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html).
package struct ObjectSymbols: Sendable {
  package struct Place: Hashable, Sendable {
    /// Counted from where the program is loaded.
    package var address: UInt64
    package var size: UInt64
  }

  private var places: [String: Place] = [:]
  /// The names of the containers, and of the functions within them, such as closures.
  package private(set) var parts: [String] = []

  /// - Parameters:
  ///   - file: without the names of the linker it has none.
  ///   - wanted: the names that are asked for.
  ///   - containers: the names of functions of which the parts are asked for.
  package init(_ file: [UInt8], wanted: Set<String>, containers: [String] = []) throws(ParsingError) {
    // The name of what is in a function begins with that function's. Those left here begin with none of the others.
    let containers = containers.sorted().reduce(into: [String]()) { outer, name in
      if outer.last.map(name.hasPrefix) != true { outer.append(name) }
    }
    try Self.each(of: file) { name, kind, place in
      guard kind == .function else { return }
      let text = String(decoding: name, as: UTF8.self)
      if wanted.contains(text) { places[text] = place }
      let next = containers.partitioningIndex { $0 > text }
      if next > 0, text.hasPrefix(containers[next - 1]) { parts.append(text) }
    }
  }

  /// What a name is for.
  enum Kind: UInt64 {
    case data = 1
    case function = 2
  }

  /// Calls a function with the name, the kind and the place of all data and functions that are defined in a file.
  static func each(
    of file: [UInt8], _ body: (ArraySlice<UInt8>, Kind, Place) -> Void
  ) throws(ParsingError) {
    let input = "the symbols of a test program"
    let sections = try ObjectSections(file, input: input)
    guard let symbols = sections[".symtab"].first, let names = sections[".strtab"].first else { return }
    let texts = file[names]
    var reader = BinaryReader(file[symbols], input: input)
    while !reader.isAtEnd {
      let (name, kind) = (Int(try reader.number(4)), try reader.number(4))
      let (address, size) = (try reader.word(), try reader.word())
      // The lower half of the first byte says what it is; the upper two bytes that it is defined here.
      guard let found = Kind(rawValue: kind & 15), kind >> 16 != 0, name < texts.count else { continue }
      body(texts.dropFirst(name).prefix { $0 != 0 }, found, Place(address: address, size: size))
    }
  }

  package subscript(_ name: String) -> Place? { places[name] }
}
