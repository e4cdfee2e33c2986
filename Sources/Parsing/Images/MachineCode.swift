import Model

/// The parts of an object file, library or executable that determine its behaviour at run time.
///
/// Two builds of the same sources at the same paths differ in other parts: debug information names types in the order
/// in which the compiler met them, and the build id and Swift's hash of the module depend on it (measured with 6.3.1).
package struct MachineCode {
  /// Sections that depend on parts that are not compared.
  private static let incidental: Set<String> = [".note.gnu.build-id", ".swift_modhash"]
  /// The header fields with the place of the section table, which no loader reads.
  private static let tablePlaces = [0x28..<0x30, 0x3C..<0x40]
  private static let input = "the code of a built file"

  private let file: [UInt8]
  private let sections: [ObjectSections.Section]
  private let segments: [Segment]

  /// Returns a digest of the loaded parts of a 64-bit ELF file, or of the linked parts of an object file; nil for
  /// anything else.
  ///
  /// https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
  package static func digest(of file: [UInt8]) -> String? {
    // What cannot be read is compared as a whole.
    guard let code = try? MachineCode(file) else { return nil }
    guard let compared = code.segments.isEmpty ? code.linked : code.loaded else { return nil }
    return SHA256.hash(compared).hexadecimal
  }

  private init(_ file: [UInt8]) throws(ParsingError) {
    self.file = file
    sections = try ObjectSections(file, input: Self.input).all
    var header = BinaryReader(file[...], input: Self.input)
    _ = try header.take(32)
    let table = try header.word()
    _ = try header.take(16)
    let count = try header.number(2)
    guard table <= UInt64(file.count) else { throw header.error("its segments cannot be found") }
    var reader = BinaryReader(file[Int(table)...], input: Self.input)
    var segments: [Segment] = []
    for _ in 0..<count { segments.append(try Segment(reader.take(56))) }
    self.segments = segments
  }

  /// The loader's input: the bytes of the segments, except those of the incidental sections, of which only the places
  /// count.
  private var loaded: [UInt8]? {
    var skipped = Self.tablePlaces
    var compared: [UInt8] = []
    for section in sections where section.isLoaded && Self.incidental.contains(section.name) {
      guard let range = section.range else { return nil }
      skipped.append(range)
      compared += Array("\(section.name) \(range)\n".utf8)
    }
    skipped.sort { $0.lowerBound < $1.lowerBound }
    for segment in segments {
      compared += segment.line
      guard segment.isLoaded else { continue }
      guard var rest = file.range(at: segment.offset, segment.count) else { return nil }
      for gap in skipped where gap.overlaps(rest) {
        compared += file[rest.lowerBound..<max(rest.lowerBound, gap.lowerBound)]
        rest = min(rest.upperBound, gap.upperBound)..<rest.upperBound
      }
      compared += file[rest]
    }
    return compared
  }

  /// The linker's input: the sections to be loaded, and their relocations.
  private var linked: [UInt8]? {
    var compared: [UInt8] = []
    for section in sections where !Self.incidental.contains(section.name) {
      let isOfLoaded = section.relocates.map { sections.indices.contains($0) && sections[$0].isLoaded } ?? false
      guard section.isLoaded || isOfLoaded else { continue }
      compared += Array("\(section.name) \(section.kind) \(section.flags) \(section.size)\n".utf8)
      guard let range = section.range else { return nil }
      compared += file[range]
    }
    return compared
  }
}

extension MachineCode {
  /// An entry of the segment table.
  private struct Segment {
    let line: ArraySlice<UInt8>
    let kind, offset, count: UInt64

    init(_ line: ArraySlice<UInt8>) throws(ParsingError) {
      self.line = line
      var reader = BinaryReader(line, input: MachineCode.input)
      kind = try reader.number(4)
      _ = try reader.take(4)
      offset = try reader.word()
      _ = try reader.take(16)
      count = try reader.word()
    }

    var isLoaded: Bool { kind == 1 }
  }
}

extension ObjectSections.Section {
  fileprivate var isLoaded: Bool { flags & 2 != 0 }
  /// The index of the section that this one holds relocations for.
  fileprivate var relocates: Int? { [4, 9].contains(kind) ? info : nil }
}
