import Testing

@testable import Model

@Suite("Files written beside the sources")
struct WrittenFilesTests {
  @Test("are told by path, the first fifty by name and the others by number; where none were, nothing is")
  func bounds() throws {
    let files = (100..<160).reversed().map { WrittenFiles.File(path: "file\($0)", deed: .added) }
    let written = try #require(WrittenFiles(files, isCut: false))
    #expect(written.files == Array(files.reversed().prefix(50)))
    #expect(written.others == 10)
    #expect(written.count == 60)
    #expect(written.isCut == nil)
    #expect(WrittenFiles([], isCut: false) == nil)
  }
}
