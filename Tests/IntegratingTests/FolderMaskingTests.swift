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

  @Test("Names as long as they can be, and neighbours of any name, keep no file from being masked")
  func names() throws {
    let long = String(repeating: "n", count: 255)
    for name in ["a", long] { try folder.create(name, Array("it is hunter2-hunter2".utf8)) }
    try folder.folder("a.masked").create()
    try folder.folder("a.masked").write("hunter2-hunter2", to: "a")
    try folder.maskFiles(with: mask)
    #expect(scratch.text("a") == "it is ••••••")
    #expect(scratch.text(long) == "it is ••••••")
    #expect(scratch.text("a.masked/a") == "••••••")
    #expect(!Folder("\(folder.path).masked").exists)
  }

  @Test("Links and pipes go and are not followed, and a file without secrets is left alone")
  func hostile() throws {
    let other = try Scratch()
    try other.folder.write("hunter2-hunter2", to: "mine")
    try scratch.link("link", to: other.file("mine"))
    try scratch.link("nowhere", to: "hunter2-hunter2")
    #expect(mkfifo(folder.file("pipe"), 0o644) == 0)
    try folder.write("nothing", to: "plain")
    chmod(folder.file("plain"), 0o750)
    var before = stat()
    var after = stat()
    lstat(folder.file("plain"), &before)
    try folder.maskFiles(with: mask)
    lstat(folder.file("plain"), &after)
    #expect(other.text("mine") == "hunter2-hunter2")
    #expect(folder.names() == ["plain"])
    #expect(before.st_ino == after.st_ino)
    #expect(after.st_mode & 0o777 == 0o750)
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
