import Foundation
import Glibc
import Testing

@testable import Git

@Suite("Removing what foreign code made")
struct RemovalTests {
  /// A folder with as many folders in each other, none of which its owner may enter.
  private func makeDeep(_ path: String, depth: Int) {
    #expect(mkdir(path, 0o755) == 0)
    var folder = open(path, O_RDONLY | O_DIRECTORY)
    for _ in 0..<depth {
      #expect(mkdirat(folder, "deeper", 0o755) == 0)
      let next = openat(folder, "deeper", O_RDONLY | O_DIRECTORY)
      #expect(fchmod(folder, 0) == 0)
      close(folder)
      folder = next
    }
    close(folder)
  }

  @Test("A folder is removed however deep it is and whatever its permissions are, and nothing behind its links")
  func deep() throws {
    let scratch = try Scratch("removal")
    let path = "\(scratch.path)/left"
    makeDeep(path, depth: 3000)
    let outside = "\(scratch.path)/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(outside)/file"))
    #expect(chmod(path, 0o755) == 0)
    #expect(symlink(outside, "\(path)/link") == 0)
    #expect(chmod(path, 0) == 0)
    try Removal.remove(path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0 != "outside" }.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
  }

  @Test("A link is removed, and not what it leads to; nothing at all is fine")
  func links() throws {
    let scratch = try Scratch("removal")
    #expect(mkdir("\(scratch.path)/folder", 0o755) == 0)
    #expect(symlink("folder", "\(scratch.path)/link") == 0)
    try Removal.remove("\(scratch.path)/link")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["folder"])
    try Removal.remove("\(scratch.path)/link")
    try Removal.remove("\(scratch.path)/nowhere/link")
  }

  @Test("What is removed may lie behind a link to another place")
  func linkedParent() throws {
    let scratch = try Scratch("removal")
    #expect(mkdir("\(scratch.path)/place", 0o755) == 0 && mkdir("\(scratch.path)/place/left", 0o500) == 0)
    #expect(symlink("place", "\(scratch.path)/way") == 0)
    try Removal.remove("\(scratch.path)/way/left")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/place").isEmpty)
  }
}
