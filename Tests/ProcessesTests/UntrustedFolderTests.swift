import Glibc
import Testing

@testable import Processes

@Suite("A folder that is not trusted", .serialized)
struct UntrustedFolderTests {
  private let scratch: Scratch
  private static let ways = [false, true]

  init() throws {
    scratch = try Scratch()
    let script = """
      cd "$1" && mkdir -p in/deep out && echo inner >in/deep/file && echo secret >out/file && ln -s ../out in/link &&
      ln -s ../out/file in/file-link && ln -s deep/file in/inner-link && mkfifo in/pipe && : >in/empty &&
      truncate -s 5G in/huge && ln -s /proc/self/environ in/magic && ln -s in linked && printf x >"in/$(printf '\\377')"
      """
    #expect(try shell(script, [scratch.path]).output().result.succeeded)
  }

  private func folder(_ isStepwise: Bool) -> UntrustedFolder {
    UntrustedFolder(scratch.file("in"), isStepwise: isStepwise)
  }

  @Test("gives the bytes of regular files", arguments: ways)
  func regular(isStepwise: Bool) {
    let folder = folder(isStepwise)
    #expect(folder.read("deep/file") == .bytes(Array("inner\n".utf8)))
    #expect(folder.read("deep//file") == .bytes(Array("inner\n".utf8)))
    #expect(folder.read("empty") == .bytes([]))
    #expect(folder.refusal(of: "deep/file") == nil)
    let linked = UntrustedFolder(scratch.file("linked"), isStepwise: isStepwise)
    #expect(linked.read("empty") == .bytes([]))
  }

  @Test("follows no link, wherever it leads", arguments: ways)
  func links(isStepwise: Bool) {
    let folder = folder(isStepwise)
    for name in ["file-link", "inner-link", "magic"] {
      #expect(folder.read(name) == .refused("it is a link, or behind one"))
      #expect(folder.refusal(of: name) == "it is a link, or behind one")
    }
    #expect(folder.names(of: "link").isEmpty)
    switch folder.read("link/file") {
    case .bytes: Issue.record("The link was followed.")
    case .absent, .refused: break
    }
  }

  @Test("does not lead out of itself", arguments: ways)
  func wayOut(isStepwise: Bool) {
    let folder = folder(isStepwise)
    #expect(folder.read("../out/file") == .refused("it leads out of its folder"))
    #expect(folder.read(scratch.file("out/file")) == .refused("it leads out of its folder"))
  }

  @Test("gives neither pipes nor folders nor endless files", arguments: ways)
  func kinds(isStepwise: Bool) {
    let folder = folder(isStepwise)
    #expect(folder.read("pipe") == .refused("it is not a regular file"))
    #expect(folder.read("deep") == .refused("it is not a regular file"))
    #expect(folder.read("huge") == .refused("it is longer than 1073741824 bytes"))
    #expect(folder.read("deep/file", limit: 5) == .refused("it is longer than 5 bytes"))
    #expect(UntrustedFolder("/proc/self", isStepwise: isStepwise).read("cmdline", limit: 1) != .bytes([]))
  }

  @Test("lacks what is not there", arguments: ways)
  func absent(isStepwise: Bool) {
    let folder = folder(isStepwise)
    #expect(folder.read("nothing") == .absent)
    #expect(folder.read("nothing/file") == .absent)
    #expect(folder.read("empty/file") == .absent)
    #expect(UntrustedFolder("/nowhere").read("file") == .absent)
    #expect(UntrustedFolder("/nowhere").names().isEmpty)
  }

  @Test("lists names that are text", arguments: ways)
  func names(isStepwise: Bool) {
    let folder = folder(isStepwise)
    #expect(
      folder.names() == ["deep", "empty", "file-link", "huge", "inner-link", "link", "magic", "pipe"])
    #expect(folder.names(of: "deep") == ["file"])
  }
}
