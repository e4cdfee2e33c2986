import FoundationEssentials
import Glibc
import Testing

@testable import Integrating

@Suite("Folders of Martlet's own")
struct FolderTests {
  private let scratch: Scratch
  private var folder: Folder { scratch.folder }

  init() throws {
    scratch = try Scratch()
  }

  @Test(
    "is known to be shut by what lies in it: a folder without rights, or a file that cannot be read",
    arguments: [
      ("", 0o000), ("a", 0o500), ("a/b", 0o600), ("a/b/file", 0o200), ("top", 0o400),
    ] as [(String, mode_t)])
  func shut(_ name: String, _ mode: mode_t) throws {
    let folder = try folder.folder("shut").create()
    try folder.folder("a").create().folder("b").create().create("file", [1])
    try folder.create("top", [1])
    // As git's objects are.
    chmod(folder.file("a/b/file"), 0o444)
    #expect(!folder.isShut)
    chmod(name.isEmpty ? folder.path : folder.file(name), mode)
    #expect(folder.isShut)
    chmod(folder.path, 0o700)
    for inner in ["a", "a/b"] { chmod(folder.file(inner), 0o700) }
  }

  @Test("A folder that code under test closed is open to its owner again, and one that it filled is gone")
  func reopened() throws {
    let folder = folder.folder("closed")
    for mode in [0, 0o555, 0o4777] as [mode_t] {
      try folder.create()
      try folder.folder("inner").create()
      #expect(chmod(folder.path, mode) == 0)
      try folder.reopen()
      var status = stat()
      #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o7777 == 0o700)
      #expect(chmod(folder.path, mode) == 0)
      try folder.takeAway()
      #expect(scratch.folder.names().isEmpty)
    }
  }

  @Test("What is written is read; nothing else is left beside it")
  func writing() throws {
    let bytes = [UInt8](0...255)
    try folder.write(bytes, to: "a")
    try folder.write([], to: "b")
    #expect(folder.read("a") == bytes)
    #expect(folder.read("b") == [])
    #expect(folder.names() == ["a", "b"])
    try folder.write("new", to: "a")
    #expect(scratch.text("a") == "new")
    try folder.append(Array("er".utf8), to: "a")
    #expect(scratch.text("a") == "newer")
  }

  @Test("A file that is replaced keeps its old bytes when the new ones cannot be written")
  func failedWrite() throws {
    try folder.folder("a").create()
    try folder.folder("a").write("x", to: "inside")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot write \(folder.file("a")): Is a directory. Make it writable, or choose another home with --home or MARTLET_HOME."
      )
    ) {
      try folder.write("new", to: "a")
    }
    #expect(folder.names() == ["a"])
    #expect(
      throws: IntegratingError(
        .service,
        "cannot write \(folder.file("gone/b.\(getpid()).new")): No such file or directory. Make it writable, or choose another home with --home or MARTLET_HOME."
      )
    ) {
      try folder.folder("gone").write("new", to: "b")
    }
  }

  @Test("Links are neither read nor written through")
  func links() throws {
    try folder.write("secret", to: "target")
    try scratch.link("link", to: folder.file("target"))
    #expect(folder.read("link") == nil)
    #expect(folder.holds("link"))
    #expect {
      try folder.create("link", [1])
    } throws: { "\($0)".contains("Too many levels of symbolic links") }
    #expect(throws: IntegratingError.self) { try folder.append([1], to: "link") }
    #expect(scratch.text("target") == "secret")
    try folder.write("own", to: "link")
    #expect(scratch.text("link") == "own")
    #expect(scratch.text("target") == "secret")
  }

  @Test("Nothing is read outside the folder, neither upwards nor through a link on the way")
  func beneath() throws {
    let inner = try folder.folder("inner/deep").create()
    try inner.write("mine", to: "file")
    try folder.write("secret", to: "file")
    try scratch.link("inner/link", to: folder.path)
    let top = folder.folder("inner")
    #expect(top.read("deep/file") == Array("mine".utf8))
    for name in ["../file", "deep/../../file", "link/file", "/deep/file", "deep//file", "./deep/file", "", "deep"] {
      #expect(top.read(name) == nil, "\(name)")
    }
    #expect(top.read(folder.file("file")) == nil)
  }

  @Test("No link on the way is followed beneath the folder that was named; the folder itself may be behind one")
  func linksOnTheWay() throws {
    try folder.folder("own").create()
    try folder.folder("other").create()
    try folder.folder("other").write("secret", to: "file")
    try scratch.link("own/link", to: "../other")
    try scratch.link("named", to: "other")
    let linked = Folder(folder.file("own")).folder("link")
    #expect(linked.read("file") == nil)
    #expect(linked.refusal(of: "file") != nil)
    #expect(linked.names().isEmpty)
    #expect(folder.folder("own").read("link/file") == nil)
    #expect(Folder(folder.file("own")).read("../other/file") == nil)
    #expect(Folder(folder.file("named")).names() == ["file"])
    #expect(Folder(folder.file("named")).read("file") == Array("secret".utf8))
    #expect(Folder(folder.file("named")).refusal(of: "file") == nil)
    #expect(folder.folder("own").linkTarget(of: "link") == "../other")
    #expect(folder.linkTarget(of: "own") == nil)
  }

  @Test("Only regular files are read, without waiting", arguments: ["fifo", "folder", "nothing"])
  func otherKinds(name: String) throws {
    mkfifo(folder.file("fifo"), 0o644)
    try folder.folder("folder").create()
    #expect(folder.read(name) == nil)
  }

  @Test("A file is copied whole, piece by piece; a link, a folder and what is not there are not copied")
  func copying() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try folder.write(bytes, to: "file")
    try folder.write([], to: "empty")
    try scratch.link("link", to: folder.file("file"))
    let place = try folder.folder("place").create()
    #expect(try place.copy("file", from: folder) && place.copy("empty", from: folder))
    for name in ["link", "place", "nothing", "../file"] { #expect(try !place.copy(name, from: folder), "\(name)") }
    #expect(place.read("file") == bytes && place.read("empty") == [])
    #expect(place.names() == ["empty", "file"])
  }

  @Test("Removing takes everything beneath, follows no link, and is content when nothing is there")
  func removing() throws {
    try folder.folder("a/b/c").create()
    try folder.write("keep", to: "outside")
    try scratch.link("a/link", to: folder.file("outside"))
    try folder.folder("a").remove()
    try folder.folder("a").remove()
    #expect(folder.names() == ["outside"])
  }

  @Test("Removing takes a link that leads nowhere")
  func removingDanglingLink() throws {
    try scratch.link("link", to: folder.file("nowhere"))
    try folder.folder("link").remove()
    #expect(!folder.holds("link"))
  }

  @Test("Renaming puts a folder in place; a place that is taken is an error and keeps what it has")
  func renaming() throws {
    try folder.folder("new").create()
    try folder.folder("old").create()
    try folder.folder("old").write("x", to: "inside")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot put the report in place at \(folder.file("old")): Directory not empty. Make it writable, or choose another home with --home or MARTLET_HOME."
      )
    ) {
      try folder.folder("new").rename(to: folder.folder("old"))
    }
    #expect(scratch.text("old/inside") == "x")
    try folder.folder("new").rename(to: folder.folder("placed"))
    #expect(folder.names() == ["old", "placed"])
  }

  @Test("A full disk is told with the way out")
  func fullDisk() {
    #expect(
      IntegratingError.storage("write", "/a", errno: ENOSPC)
        == IntegratingError(
          .service,
          "cannot write /a: No space left on device. Free some space on that disk, or choose another home with --home or MARTLET_HOME."
        ))
  }

  @Test("A folder that cannot be made says why")
  func uncreatable() throws {
    try folder.write("x", to: "file")
    #expect {
      try folder.folder("file/below").create()
    } throws: { "\($0)".hasPrefix("cannot create the folder \(folder.file("file/below")): ") }
  }
}

@Suite("A file that another process writes")
struct GrowingFileTests {
  @Test("Is read on from where the last reading ended")
  func growing() throws {
    let scratch = try Scratch()
    let file = GrowingFile(scratch.file("events"))
    var read: [UInt8] = []
    file.readOn { read += $0 }
    #expect(read.isEmpty)
    try scratch.folder.append(Array("one\ntw".utf8), to: "events")
    file.readOn { read += $0 }
    #expect(read == Array("one\ntw".utf8))
    let many = [UInt8](repeating: 7, count: 200_000)
    try scratch.folder.append(many, to: "events")
    read = []
    file.readOn { read += $0 }
    #expect(read == many)
  }

  @Test("Is the file that was made at first, whatever stands in its place later")
  func replaced() throws {
    let scratch = try Scratch()
    let file = GrowingFile(scratch.file("events"))
    unlink(scratch.file("events"))
    try scratch.folder.write("secret", to: "secret")
    try scratch.link("events", to: scratch.file("secret"))
    var read: [UInt8] = []
    file.readOn { read += $0 }
    #expect(read.isEmpty)
  }

  @Test("A link in its place is not followed, and an old file is emptied")
  func beginning() throws {
    let scratch = try Scratch()
    try scratch.folder.write("secret", to: "secret")
    try scratch.link("events", to: scratch.file("secret"))
    var read: [UInt8] = []
    GrowingFile(scratch.file("events")).readOn { read += $0 }
    #expect(read.isEmpty)
    #expect(scratch.text("secret") == "secret")
    try scratch.folder.write("old", to: "old")
    GrowingFile(scratch.file("old")).readOn { read += $0 }
    #expect(read.isEmpty)
  }
}
