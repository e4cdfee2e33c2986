import Model

/// The parts of an object file, library or executable that determine its behaviour at run time.
///
/// Two builds of the same sources at the same paths differ in other parts: debug information names types in the order
/// in which the compiler met them, and the build id and Swift's hash of the module depend on it (measured with 6.3.1).
package struct MachineCode {
  /// Sections that depend on parts that are not compared.
  private static let incidental: Set<String> = [".note.gnu.build-id", ".swift_modhash"]
  private static let headerLength = 64
  /// The header fields with the place of the section table, which no loader reads.
  private static let tablePlaces = [0x28..<0x30, 0x3C..<0x40]
  private static let beginning: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]

  private let file: [UInt8]
  private let sections: [Section]
  private let segments: [Segment]

  /// Returns a digest of the loaded parts of a 64-bit ELF file, or of the linked parts of an object file; nil for
  /// anything else.
  ///
  /// https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
  package static func digest(of file: [UInt8]) -> String? {
    guard let code = MachineCode(file) else { return nil }
    guard let compared = code.segments.isEmpty ? code.linked : code.loaded else { return nil }
    return SHA256.hash(compared).hexadecimal
  }

  private init?(_ file: [UInt8]) {
    guard file.count >= Self.headerLength, file.starts(with: Self.beginning),
      let table = file.table(at: 0x28, count: 0x3C, entry: Section.length),
      let program = file.table(at: 0x20, count: 0x38, entry: Segment.length)
    else { return nil }
    let names = Int(file.number(at: 0x3E, 2))
    guard names < table.count else { return nil }
    let text = file.number(at: table[names] + 24, 8)
    self.file = file
    sections = table.map { Section(in: file, at: $0, names: text) }
    segments = program.map { Segment(in: file, at: $0) }
  }

  /// The loader's input: the bytes of the segments, except those of the incidental sections, of which only the places
  /// count.
  private var loaded: [UInt8]? {
    var skipped = Self.tablePlaces
    var compared: [UInt8] = []
    for section in sections where section.isLoaded && Self.incidental.contains(section.name) {
      guard let range = section.range(in: file) else { return nil }
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
      compared += Array("\(section.name) \(section.kind) \(section.flags) \(section.count)\n".utf8)
      guard section.hasBytes else { continue }
      guard let range = section.range(in: file) else { return nil }
      compared += file[range]
    }
    return compared
  }
}

extension MachineCode {
  /// An entry of the section table.
  private struct Section {
    static let length = 64

    let name: String
    let kind, flags, offset, count, info: UInt64

    init(in file: [UInt8], at start: Int, names: UInt64) {
      name = file.text(at: names, file.number(at: start, 4))
      kind = file.number(at: start + 4, 4)
      flags = file.number(at: start + 8, 8)
      offset = file.number(at: start + 24, 8)
      count = file.number(at: start + 32, 8)
      info = file.number(at: start + 44, 4)
    }

    var isLoaded: Bool { flags & 2 != 0 }
    var hasBytes: Bool { kind != 8 }
    /// The index of the section that this one holds relocations for.
    var relocates: Int? { [4, 9].contains(kind) ? Int(info) : nil }
    /// Returns nil if it extends beyond the file.
    func range(in file: [UInt8]) -> Range<Int>? { hasBytes ? file.range(at: offset, count) : 0..<0 }
  }

  /// An entry of the segment table.
  private struct Segment {
    static let length = 56

    let line: ArraySlice<UInt8>
    let kind, offset, count: UInt64

    init(in file: [UInt8], at start: Int) {
      line = file[start..<start + Self.length]
      kind = file.number(at: start, 4)
      offset = file.number(at: start + 8, 8)
      count = file.number(at: start + 32, 8)
    }

    var isLoaded: Bool { kind == 1 }
  }
}

extension [UInt8] {
  /// Reads a little-endian number.
  fileprivate func number(at start: Int, _ length: Int) -> UInt64 {
    self[start..<start + length].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns nil if the range extends beyond the array.
  fileprivate func range(at offset: UInt64, _ length: UInt64) -> Range<Int>? {
    guard let start = Int(exactly: offset), let length = Int(exactly: length), start <= count, length <= count - start
    else { return nil }
    return start..<start + length
  }

  /// Returns the offsets of a table's entries, given the header fields with its place and count; nil if it extends
  /// beyond the file.
  fileprivate func table(at place: Int, count: Int, entry: Int) -> [Int]? {
    let number = self.number(at: count, 2)
    guard let range = range(at: self.number(at: place, 8), number * UInt64(entry)) else { return nil }
    return [Int](stride(from: range.lowerBound, to: range.upperBound, by: entry))
  }

  /// Returns the text up to the next zero byte; empty if its offset is outside the file.
  fileprivate func text(at table: UInt64, _ name: UInt64) -> String {
    let (sum, overflows) = table.addingReportingOverflow(name)
    guard !overflows, let start = Int(exactly: sum), start < count else { return "" }
    return String(decoding: self[start...].prefix(while: { $0 != 0 }), as: UTF8.self)
  }
}
