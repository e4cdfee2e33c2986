package import Model

/// A search for a package in a commit.
package struct PackageSearch: Hashable, Sendable {
  /// The folder of the package, with links followed, relative to the repository; nil if there is no Package.swift.
  package let folder: String?
  /// Some of the folders with a package, if there is none in the requested one.
  package let others: [String]
  /// What is missing where there is no package, as a noun phrase; nil where there is one.
  package let lack: String?

  /// The maximum number of other folders that are named.
  private static let mostOthers = 3

  /// - Parameter asked: a folder of the repository, in normal form; `.` for its root.
  package init(_ asked: String, at commit: CommitID, in repository: borrowing Repository) throws(GitError) {
    let (manifest, end) = (PackagePlace(asked).inRepository("Package.swift"), "/Package.swift")
    // A manifest may be a link itself: its package is where it stands.
    if try repository.hasFile(at: manifest, in: commit) {
      (folder, others, lack) = (asked, [], nil)
      return
    }
    if case .file(let found) = try repository.places(of: [manifest], in: commit)[manifest], found.hasSuffix(end) {
      (folder, others, lack) = (String(found.dropLast(end.count)), [], nil)
      return
    }
    folder = nil
    let paths = try repository.entries(of: commit).map(\.path)
    others = paths.filter { $0.hasSuffix(end) }.prefix(Self.mostOthers).map { String($0.dropLast(end.count)) }
    let isThere = paths.contains { $0 == asked || $0.hasPrefix("\(asked)/") }
    lack =
      asked == "."
      ? "Package.swift in the repository's root"
      : isThere ? "Package.swift in the folder '\(asked)'" : "folder '\(asked)'"
  }

  /// Returns a clause saying that there is no package; nil if there is one.
  package func absence(at commit: CommitID) -> String? {
    lack.map { "there is no \($0) at \(commit.short)" }
  }
}
