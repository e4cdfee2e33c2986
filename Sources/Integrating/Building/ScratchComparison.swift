import Glibc
import Model
import Parsing

/// A comparison of what two builds of one commit made.
struct ScratchComparison {
  /// The folders of a scratch folder whose contents were fetched rather than built, or do not serve a build.
  private static let others: Set<String> = ["checkouts", "repositories", "artifacts", "registry", "describing"]

  /// The folder of the build from scratch.
  let fresh: Folder
  /// The folder of the build that continued from earlier ones.
  let grown: Folder

  /// Returns the files of the build from scratch that the other build lacks or made differently, sorted.
  ///
  /// Files that only the other build has belong to removed sources: if they were linked, the executable differs. Others
  /// that would matter go after each build (`OverlookedChanges`).
  func differences() -> [String] {
    fresh.names().filter { !Self.others.contains($0) }.flatMap { name -> [String] in
      let folder = fresh.folder(name)
      // Files at the top are SwiftPM's own, as are links to folders further in.
      guard fresh.linkTarget(of: name) == nil, !folder.names().isEmpty else { return [] }
      return folder.filesBeneath().map { "\(name)/\($0)" }.filter { isCompared($0) && !isAlike($0) }
    }.sorted()
  }

  private func isCompared(_ path: String) -> Bool {
    path.hasSuffix(".o") || path.hasSuffix(".so") || isResource(path)
      || access(fresh.file(path), X_OK) == 0
  }

  /// Whether a file is copied beside the executables that read it.
  private func isResource(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
  }

  private func isAlike(_ path: String) -> Bool {
    guard let bytes = fresh.read(path) else { return true }
    guard let code = MachineCode.digest(of: bytes) else {
      return !isResource(path) || grown.read(path) == bytes
    }
    return grown.read(path).flatMap(MachineCode.digest(of:)) == code
  }

  /// Returns when a file of the grown folder was last changed, in seconds since 1970; nil if it does not exist.
  func change(of path: String) -> Double? {
    stat(grown.file(path)).map { Double($0.st_ctim.tv_sec) + Double($0.st_ctim.tv_nsec) * 1e-9 }
  }
}
