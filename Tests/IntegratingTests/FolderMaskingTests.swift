import Glibc
import Processes
import Testing

@testable import Integrating

@Suite("Raw results without their secrets")
struct FolderMaskingTests {
  private let scratch: Scratch
  private var folder: Folder { scratch.folder }
  private let mask = SecretMask(["hunter2-hunter2"])

  init() throws {
    scratch = try Scratch()
  }

  @Test("A secret goes from every file beneath, also where pieces of the file meet; the rest stays as it is")
  func masking() throws {
    let filling = String(repeating: "x", count: (1 << 16) - 5)
    try folder.folder("crashes/1-1").create()
    try folder.write("\(filling)hunter2-hunter2\(filling)", to: "events.jsonl")
    try folder.write("{\"words\":\"aHVudGVyMi1odW50ZXIy\"}", to: "crashes/1-1/crash.json")
    try folder.write([0, 255, 10], to: "binary")
    try folder.maskFiles(with: mask)
    #expect(scratch.text("events.jsonl") == "\(filling)••••••\(filling)")
    #expect(scratch.text("crashes/1-1/crash.json")?.contains("aHVudGVyMi1odW50ZXIy") == false)
    #expect(folder.read("binary") == [0, 255, 10])
    #expect(folder.filesBeneath() == ["binary", "crashes/1-1/crash.json", "events.jsonl"])
  }

  @Test("A link is not followed, and a file that cannot be masked goes")
  func hostile() throws {
    let other = try Scratch()
    try other.folder.write("hunter2-hunter2", to: "mine")
    try scratch.link("link", to: other.file("mine"))
    try folder.write("hunter2-hunter2", to: "a")
    try folder.folder("a.masked").create()
    try folder.maskFiles(with: mask)
    #expect(other.text("mine") == "hunter2-hunter2")
    #expect(!folder.holds("a"))
  }

  @Test("Without secrets nothing is touched")
  func nothing() throws {
    try folder.write("a", to: "a")
    var before = stat()
    var after = stat()
    lstat(folder.file("a"), &before)
    try folder.maskFiles(with: SecretMask([]))
    lstat(folder.file("a"), &after)
    #expect(before.st_ino == after.st_ino)
  }
}
