import Glibc
import Parsing
import Processes

/// Asks the index that the compiler wrote beside its object files which tests it saw.
///
/// The index is made by untrusted code, so it is read by a contained program.
struct DeclaredTestsReader: Sendable {
  /// The time limit, longer than the index of any package takes.
  private static let longest = Duration.seconds(60)

  /// The program of `DeclaredTests.c`, contained, with the index's library and folder as its arguments.
  let command: Command
  let paths: PackagePaths
  /// The folder for the names of the object files while they are read.
  let folder: Folder
  let cancellation: Cancellation

  /// Returns the library that reads indexes, which is part of a toolchain.
  static func library(of toolchain: Toolchain) -> String { "\(toolchain.programs)/../lib/libIndexStore.so" }

  /// Reads the declarations in some object files; all of them are unknown if there is no index or no program.
  func read(_ objects: [String]) -> DeclaredTests {
    let unread = DeclaredTests(unknownObjects: objects)
    guard !objects.isEmpty else { return DeclaredTests() }
    let name = "object-files"
    do {
      try folder.create().write(Array(objects.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")], to: name)
      defer { unlink(folder.file(name)) }
      var command = command
      command.standardInput = folder.file(name)
      let answer = try command.collect(
        limits: Limits(wallClock: Self.longest), cancellation: cancellation, limit: 256 << 20)
      guard answer.result.succeeded else { return unread }
      return DeclaredTests(answer.standardOutput) { paths.relative($0) ?? $0 }
    } catch {
      // Without the index, the sources themselves have to suffice.
      return unread
    }
  }
}
