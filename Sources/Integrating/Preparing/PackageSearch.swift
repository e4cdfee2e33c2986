package import Git
package import Model

/// A search for a package in a commit.
package struct PackageSearch: Hashable, Sendable {
  /// The folder of the package, with links followed, relative to the repository; nil if there is no Package.swift.
  package let folder: String?
  /// Some of the folders with a package, if there is none in the requested one.
  package let others: [String]
  /// What is missing where there is no package.
  private let lack: String

  /// The maximum number of other folders that are named.
  private static let mostOthers = 3

  /// - Parameter asked: a folder of the repository, in normal form; `.` for its root.
  package init(_ asked: String, at commit: CommitID, in repository: borrowing Repository) throws(GitError) {
    let manifest = PackagePlace(asked).inRepository("Package.swift")
    let paths = try repository.entries(of: commit).map(\.path)
    let inside = "\(asked)/"
    let isThere = paths.contains { $0 == asked || $0.hasPrefix(inside) }
    lack =
      asked == "."
      ? "Package.swift in the repository's root"
      : isThere ? "Package.swift in the folder '\(asked)'" : "folder '\(asked)'"
    let end = "/Package.swift"
    if paths.contains(manifest) {
      folder = asked
    } else if case .file(let found) = try repository.places(of: [manifest], in: commit)[manifest], found.hasSuffix(end)
    {
      folder = String(found.dropLast(end.count))
    } else {
      folder = nil
    }
    let elsewhere = folder == nil ? paths.filter { $0.hasSuffix(end) } : []
    others = elsewhere.prefix(Self.mostOthers).map { String($0.dropLast(end.count)) }
  }

  /// Returns a clause saying that there is no package; nil if there is one.
  package func absence(at commit: CommitID) -> String? {
    folder == nil ? "there is no \(lack) at \(commit.short)" : nil
  }
}

extension PackageSearch {
  /// Returns the nearest package around a folder, relative to its repository, or else the only one of the repository;
  /// `.` if the root has one, or none or several lie elsewhere.
  ///
  /// - Throws: if the folder is not in a repository.
  package static func folder(around path: String) throws(IntegratingError) -> String {
    let repository = try answering { try Repository(at: path) }
    if let tree = repository.workTree {
      let (root, place) = (tree.withoutLinks, path.withoutLinks)
      var parts = place.hasPrefix("\(root)/") ? place.dropFirst(root.count + 1).split(separator: "/") : []
      while !parts.isEmpty {
        let folder = parts.joined(separator: "/")
        if Folder(root).folder(folder).holds("Package.swift") { return folder }
        parts.removeLast()
      }
      if Folder(root).holds("Package.swift") { return "." }
    }
    return only(in: repository) ?? "."
  }

  /// Returns the folder of the only package of HEAD, unless it is the root.
  private static func only(in repository: borrowing Repository) -> String? {
    // What is wrong with HEAD is told when it is integrated.
    guard let commit = try? repository.head().commit, let search = try? PackageSearch(".", at: commit, in: repository)
    else { return nil }
    return search.others.count == 1 ? search.others[0] : nil
  }
}
