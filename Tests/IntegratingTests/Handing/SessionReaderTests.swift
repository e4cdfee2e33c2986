import Testing

@testable import Integrating

@Suite("What comes over a session")
struct SessionReaderTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func recording() throws -> [UInt8] {
    var bytes = try ["one"].jsonLine
    try FileStream.write("a", Array("{}\n".utf8)) { bytes += $0 }
    try FileStream.writeEnd { bytes += $0 }
    return bytes + (try ["two", "three"].jsonLine)
  }

  @Test("Lines and files are told apart, however they come in pieces", arguments: [1, 2, 7, 100_000])
  func pieces(size: Int) throws {
    let reader = SessionReader(of: try recording(), pieces: size)
    #expect(try reader.value([String].self) == ["one"])
    try reader.files(into: scratch.folder)
    #expect(scratch.text("a") == "{}\n")
    #expect(try reader.value([String].self) == ["two", "three"])
    #expect(try reader.value([String].self) == nil)
  }

  @Test("An end within a line or a stream is an error, wherever it comes, and between them it is none")
  func cut() throws {
    let bytes = try recording()
    let words = "what another machine says was cut off on its way."
    for count in 0..<bytes.count {
      let reader = SessionReader(of: Array(bytes.prefix(count)), pieces: 3)
      let folder = try scratch.folder.folder("\(count)").create()
      var (read, told) = (0, "")
      do {
        while try reader.value([String].self) != nil {
          read += 1
          if read == 1 { try reader.files(into: folder) }
        }
      } catch {
        told = "\(error)"
      }
      let isBetween = count == 0 || count == bytes.count - 16
      #expect(told == (isBetween ? "" : words), "\(count)")
      #expect(read < 2)
    }
  }

  @Test("What is no such line is quoted, with what to do")
  func damaged() {
    let reader = SessionReader(of: Array("Welcome to \u{1B}[1mDebian!\n".utf8), pieces: 100)
    let error = #expect(throws: IntegratingError.self) { try reader.value([String].self) }
    #expect(
      error?.description
        == "cannot read what another machine says, which begins with 'Welcome to ⟨U+001B⟩[1mDebian!'. Check that its login prints nothing itself."
    )
  }
}

extension SessionReader {
  /// Creates a reader to which bytes come in pieces of a size.
  convenience init(of bytes: [UInt8], pieces size: Int = .max) {
    var rest = bytes[...]
    self.init {
      defer { rest = rest.dropFirst(size) }
      return rest.isEmpty ? nil : Array(rest.prefix(size))
    }
  }
}
