import Testing

@testable import Parsing

@Suite("What of a file is code")
struct MachineCodeTests {
  /// A section of a made-up file.
  private struct Made {
    var name: String
    var bytes: [UInt8]
    var isLoaded = true
    var kind = 1
    var info = 0
  }

  private func number(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A file with some sections, and with one segment of all its bytes where it is an image.
  private func file(_ sections: [Made], isImage: Bool = false) -> [UInt8] {
    var names: [UInt8] = [0]
    var body: [UInt8] = []
    var table = [UInt8](repeating: 0, count: 64)
    let start = isImage ? 64 + 56 : 64
    for section in sections + [Made(name: ".shstrtab", bytes: [], isLoaded: false)] {
      let name = names.count
      names += Array(section.name.utf8) + [0]
      let bytes = section.name == ".shstrtab" ? names : section.bytes
      table += number(name, 4) + number(section.kind, 4) + number(section.isLoaded ? 2 : 0, 8) + number(0, 8)
      table += number(start + body.count, 8) + number(bytes.count, 8) + number(0, 4) + number(section.info, 4)
      table += number(0, 16)
      body += bytes
    }
    var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    header += number(isImage ? 3 : 1, 2) + number(62, 2) + number(1, 4) + number(0, 8)
    header += number(isImage ? 64 : 0, 8) + number(start + body.count, 8) + number(0, 4) + number(64, 2)
    header += number(56, 2) + number(isImage ? 1 : 0, 2) + number(64, 2) + number(sections.count + 2, 2)
    header += number(sections.count + 1, 2)
    let loaded = start + sections.filter(\.isLoaded).reduce(0) { $0 + $1.bytes.count }
    let segment = number(1, 4) + number(5, 4) + number(0, 24) + number(loaded, 8) + number(loaded, 8) + number(0, 8)
    return header + (isImage ? segment : []) + body + table
  }

  private let text = Made(name: ".text", bytes: [1, 2, 3, 4])
  private let identity = Made(name: ".note.gnu.build-id", bytes: [9, 9])
  private let debug = Made(name: ".debug_str", bytes: [7], isLoaded: false)

  private func digests(_ one: [Made], _ other: [Made], isImage: Bool) -> (String?, String?) {
    (MachineCode.digest(of: file(one, isImage: isImage)), MachineCode.digest(of: file(other, isImage: isImage)))
  }

  @Test("Debug information, the build id and the hash of a module are no code", arguments: [false, true])
  func incidental(isImage: Bool) {
    let (one, other) = digests(
      [text, identity, debug],
      [
        text, Made(name: ".note.gnu.build-id", bytes: [8, 8]),
        Made(name: ".debug_str", bytes: [7, 7, 7], isLoaded: false),
      ], isImage: isImage)
    #expect(one != nil)
    #expect(one == other)
  }

  @Test("A changed byte of what is loaded makes another code", arguments: [false, true])
  func changed(isImage: Bool) {
    let (one, other) = digests(
      [text, identity], [Made(name: ".text", bytes: [1, 2, 3, 5]), identity], isImage: isImage)
    #expect(one != nil)
    #expect(one != other)
  }

  @Test("Code that is called a build id is code nevertheless")
  func renamed() {
    let patched = Made(name: ".note.gnu.build-id", bytes: [1, 2, 3, 5])
    let (one, other) = digests([text, identity], [patched, Made(name: ".text", bytes: [9, 9])], isImage: true)
    #expect(one != other)
  }

  @Test("A changed relocation of code makes another code, one of debug information does not")
  func relocations() {
    func relocation(_ byte: UInt8, of index: Int) -> Made {
      Made(name: ".rela", bytes: [byte], isLoaded: false, kind: 4, info: index)
    }
    let (one, other) = digests([text, relocation(1, of: 1)], [text, relocation(2, of: 1)], isImage: false)
    #expect(one != other)
    let (third, fourth) = digests(
      [text, debug, relocation(1, of: 2)], [text, debug, relocation(2, of: 2)], isImage: false)
    #expect(third == fourth)
  }

  @Test("Whatever a file says of itself, reading it ends")
  func damaged() {
    #expect(MachineCode.digest(of: []) == nil)
    #expect(MachineCode.digest(of: Array("#!/bin/sh\n".utf8)) == nil)
    let whole = file([text, identity, debug], isImage: true)
    for count in whole.indices { _ = MachineCode.digest(of: Array(whole[..<count])) }
    for index in whole.indices {
      for byte in [0, 0x7F, 0xFF] as [UInt8] {
        var damaged = whole
        damaged[index] = byte
        _ = MachineCode.digest(of: damaged)
      }
    }
  }
}
