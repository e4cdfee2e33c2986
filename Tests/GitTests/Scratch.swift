import CLibgit2
import Foundation
import TestGround

@testable import Git

/// A folder of one test, named after it and removed when the test lets go of it.
final class Scratch {
  let path: String

  /// The machine's git configuration is switched off for the whole test process, once.
  private static let isHermetic: Bool = {
    let empty = NSTemporaryDirectory() + "martlet-no-git-configuration"
    let levels = [
      GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
    ]
    return Library.started >= 0 && levels.allSatisfy { shim_set_search_path($0.rawValue, empty) >= 0 }
  }()

  init(_ name: String = #function) throws {
    guard Scratch.isHermetic else { throw CocoaError(.featureUnsupported) }
    let letters = name.filter { $0.isLetter || $0.isNumber }.prefix(60)
    // The temporary folder may be a link, and repositories report their real paths.
    let parent = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    // Tests of different suites may have one name.
    path = "\(parent)/martlet-git-\(letters)-\(getpid())-\(UInt32.random(in: .min ... .max))"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  /// A new repository with the branch `main`.
  func repository(_ name: String = "Greeter", _ arguments: String...) throws -> TestRepository {
    let repository = TestRepository(path: "\(path)/\(name)", home: path)
    try FileManager.default.createDirectory(atPath: repository.path, withIntermediateDirectories: true)
    try repository.git(["init", "--quiet", "--initial-branch=main"] + arguments)
    return repository
  }

  /// A repository that a git command has made.
  func existing(_ name: String) -> TestRepository {
    TestRepository(path: "\(path)/\(name)", home: path)
  }

  func workspace(_ name: String = "workspace") -> Workspace {
    Workspace(folder: "\(path)/\(name)/tree", state: "\(path)/\(name)/state")
  }
}

extension Workspace {
  func path(_ file: String) -> String { "\(folder)/\(file)" }

  func text(_ file: String) -> String? {
    FileManager.default.contents(atPath: path(file)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Every file and link of the tree, folders left out.
  func files() throws -> [String: FileState] {
    try FileState.all(in: folder).filter { $0.value.kind != S_IFDIR }
  }
}

/// All that a test compares of a file.
struct FileState: Equatable, CustomStringConvertible {
  var kind: mode_t
  var isExecutable: Bool
  var bytes: [UInt8]
  var seconds: Int
  var nanoseconds: Int
  var inode: UInt

  var description: String { "\(String(decoding: bytes, as: UTF8.self)) @\(seconds).\(nanoseconds) #\(inode)" }

  init(_ path: String) {
    var status = stat()
    _ = lstat(path, &status)
    kind = status.st_mode & S_IFMT
    isExecutable = status.st_mode & 0o100 != 0
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    inode = UInt(status.st_ino)
    if kind == S_IFLNK {
      bytes = Array(((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "").utf8)
    } else {
      bytes = kind == S_IFREG ? Array(FileManager.default.contents(atPath: path) ?? Data()) : []
    }
  }

  /// Everything below a folder, by relative path.
  static func all(in folder: String) throws -> [String: FileState] {
    var states: [String: FileState] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      states[path] = FileState("\(folder)/\(path)")
    }
    return states
  }
}
