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

  /// - Parameters:
  ///   - file: without the names of the linker it has none.
  ///   - wanted: the names that are asked for.
  package init(_ file: [UInt8], wanted: Set<String>) throws(ParsingError) {
    let input = "the symbols of a test program"
    let sections = try ObjectSections(file, input: input)
    guard let symbols = sections[".symtab"].first, let names = sections[".strtab"].first else { return }
    let texts = file[names]
    var reader = BinaryReader(file[symbols], input: input)
    while !reader.isAtEnd {
      let (name, kind) = (Int(try reader.number(4)), try reader.number(4))
      let (address, size) = (try reader.word(), try reader.word())
      // The lower half of the first byte says that it is a function; the upper two that it is defined here.
      guard kind & 15 == 2, kind >> 16 != 0, name < texts.count else { continue }
      let text = String(decoding: texts.dropFirst(name).prefix { $0 != 0 }, as: UTF8.self)
      if wanted.contains(text) { places[text] = Place(address: address, size: size) }
    }
  }

  package subscript(_ name: String) -> Place? { places[name] }
}
