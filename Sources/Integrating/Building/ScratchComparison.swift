import Glibc
import Model
import Parsing

/// Holds what two builds of one commit made against each other.
struct ScratchComparison {
  /// The folders of a scratch folder that hold what was fetched and not what was built, or what serves no build.
  private static let others: Set<String> = ["checkouts", "repositories", "artifacts", "registry", "describing"]

  /// What was built from nothing.
  let fresh: Folder
  /// What went on from earlier builds.
  let grown: Folder

  /// The files of the build from nothing that the other one lacks, or has otherwise, sorted.
  ///
  /// What only the other one has is of sources that are gone: where it was linked, the executable differs.
  func differences() -> [String] {
    fresh.names().filter { !Self.others.contains($0) }.flatMap { name -> [String] in
      let folder = fresh.folder(name)
      // A file at the top is SwiftPM's own, as a link to a folder further in is.
      guard fresh.link(name) == nil, !folder.names().isEmpty else { return [] }
      return folder.filesBeneath().map { "\(name)/\($0)" }.filter { isCompared($0) && !isAlike($0) }
    }.sorted()
  }

  private func isCompared(_ path: String) -> Bool {
    path.hasSuffix(".o") || path.hasSuffix(".so") || isResource(path)
      || access(fresh.file(path), X_OK) == 0
  }

  /// Whether it is copied beside the executables that read it.
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

  /// When a file of the grown folder was changed last, in seconds since 1970; nil where it is not there.
  func change(of path: String) -> Double? {
    var status = stat()
    guard lstat(grown.file(path), &status) == 0 else { return nil }
    return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) * 1e-9
  }
}
