package import Git

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
