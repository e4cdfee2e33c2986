import Foundation
import TestGround
import Testing

@testable import Keeping

@Suite("The trash")
struct TrashTests {
  private let scratch: RepositoryScratch
  private var trash: Trash

  init() throws {
    scratch = try RepositoryScratch("trash")
    trash = Trash("\(scratch.path)/trash")
  }

  private func folder(_ name: String, in parent: String? = nil) throws -> String {
    let path = "\(parent ?? scratch.path)/\(name)"
    try FileManager.default.createDirectory(atPath: "\(path)/deep", withIntermediateDirectories: true)
    return path
  }

  private func names(in folder: String) -> [String] { WatchHome.names(in: folder).filter { $0.first != "." }.sorted() }

  @Test("Folders of one name lie in it side by side")
  mutating func sideBySide() throws {
    for _ in 1...3 { #expect(try trash.take(try folder("one"), as: "a") != nil) }
    #expect(names(in: trash.folder) == ["a", "a.2", "a.3"])
    #expect(names(in: scratch.path) == ["trash"])
    #expect(trash.takeAside() == nil)
  }

  @Test("What is not there is not taken, and no failure")
  mutating func absent() throws {
    #expect(try trash.take("\(scratch.path)/nothing/here", as: "a") == nil)
  }

  @Test("What was taken can be put back")
  mutating func putBack() throws {
    let path = try folder("one")
    trash.putBack(try #require(try trash.take(path, as: "a")))
    #expect(names(in: path) == ["deep"])
  }

  @Test("Where there can be no trash, a folder stays where it is and the reason is told")
  mutating func blocked() throws {
    let path = try folder("one")
    try Data().write(to: URL(filePath: trash.folder))
    let error = #expect(throws: KeepingError.self) { _ = try trash.take(path, as: "a") }
    #expect(
      error?.description == "Cannot remove \(path): Not a directory. Check the disk and the permissions of the home.")
    #expect(names(in: path) == ["deep"])
  }

  @Test(
    "What lies on another disk goes from its place there, with what an earlier watcher left", .enabled(if: hasOther))
  mutating func otherDisk() throws {
    let other = "/dev/shm/martlet-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: other) }
    let left = try folder(".removed-7", in: other)
    let taken = try #require(try trash.take(try folder("8", in: other), as: "a"))
    #expect(try trash.take(try folder("9", in: other), as: "b") != nil)
    #expect(names(in: other) == [])
    trash.putBack(taken)
    #expect(names(in: other) == ["8"])
    #expect([trash.takeAside(), trash.takeAside(), trash.takeAside()] == [left, "\(other)/.removed-9", nil])
  }

  /// Whether this machine has two disks to write to.
  private static let hasOther: Bool = {
    let disks = [NSTemporaryDirectory(), "/dev/shm"].map { path in
      try? FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
    }
    return disks[1] != nil && disks[0] != disks[1]
  }()
}
