package import Model

/// Tells the sources that count from the others, by what the package manager says, not by the names of folders.
package struct SourceSelection: Sendable {
  /// What a file of an export is to the package.
  package enum Role: Hashable, Sendable {
    /// A source of one of the package's own targets that are not tests, or a header among them.
    case counted(path: String, target: String)
    /// A source of one of the package's own test targets.
    case test(path: String, target: String)
    /// Written by the build: test runners, plugin outputs. Its path begins with `.build`, wherever the build folder is.
    case generated(path: String)
    /// A source of another package: named like its folder of checked-out dependencies, with a path that begins with
    /// `.build`; one from elsewhere has no name and an absolute path.
    case dependency(package: String?, path: String)
    /// A source of another package of the same repository, by that one's folder, relative to the repository.
    case sibling(package: String, path: String)
    /// Inside the repository, but of none of the package's targets nor in another package.
    case unlisted(path: String)
  }

  /// The repository around the package; nil where it is not known, so that nothing is taken for one of its other packages.
  package var surroundings: RepositorySurroundings?
  private let roots: [String]
  private let scratchFolders: [String]
  private let targets: [String: PackageModel.Target]
  /// Which target a header belongs to, by the folders that are known to be a target's.
  private let folders: [String: PackageModel.Target]

  /// - Parameters:
  ///   - roots: the package's folder, absolute; several when it can be reached by several paths, since the compiler
  ///     writes down the one that it was given.
  ///   - scratchFolders: the build folders, absolute; `.build` in each root counts without being named.
  package init(_ package: PackageModel, roots: [String], scratchFolders: [String] = []) {
    self.roots = roots.map(Self.folder)
    self.scratchFolders = (roots.map { Self.folder($0) + ".build" } + scratchFolders).map(Self.folder)
    var targets: [String: PackageModel.Target] = [:]
    var folders: [String: PackageModel.Target] = [:]
    // A snippet is an example for readers of the documentation.
    for target in package.targets where target.type != "snippet" {
      let paths = target.sourcePaths.map(Self.normalized)
      for path in paths { targets[path] = target }
      // Those of the sources as well: targets may share a folder and each have some folders in it.
      for folder in Set(paths.map(Self.parent) + [Self.normalized(target.path)]) {
        if folders[folder]?.isTest ?? true { folders[folder] = target }
      }
    }
    self.targets = targets
    self.folders = folders
  }

  /// The role of a file, by its name in an export; a relative one is relative to the package.
  package func role(of name: String) -> Role {
    let name = name.utf8.first == UInt8(ascii: "/") ? name : (roots.first ?? "/") + Self.normalized(name)
    for folder in scratchFolders where name.utf8.starts(with: folder.utf8) {
      let rest = Self.normalized(String(decoding: name.utf8.dropFirst(folder.utf8.count), as: UTF8.self))
      let parts = rest.split(separator: "/", maxSplits: 2)
      let path = ".build/\(rest)"
      guard parts.count == 3, parts[0] == "checkouts" || parts[0] == "repositories" else {
        return .generated(path: path)
      }
      return .dependency(package: String(parts[1]), path: path)
    }
    guard let root = roots.first(where: { name.utf8.starts(with: $0.utf8) }) else {
      return surroundings.flatMap { around in
        around.path(of: name).map { around.role(of: $0) }
      } ?? .dependency(package: nil, path: name)
    }
    let path = Self.normalized(String(decoding: name.utf8.dropFirst(root.utf8.count), as: UTF8.self))
    guard let target = targets[path] ?? holder(ofHeader: path) else {
      return surroundings.map { $0.role(of: $0.place.inRepository(path)) } ?? .unlisted(path: path)
    }
    return target.isTest ? .test(path: path, target: target.name) : .counted(path: path, target: target.name)
  }

  /// The target in whose folders a header lies; nil for what is no header, or lies elsewhere.
  private func holder(ofHeader path: String) -> PackageModel.Target? {
    guard SourceSuffix.isHeader(path) else { return nil }
    var folder = path
    while !folder.isEmpty {
      folder = Self.parent(of: folder)
      if let target = folders[folder] { return target }
    }
    return nil
  }

  /// The folder of a relative path; empty for the package's.
  static func parent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  static func folder(_ path: String) -> String {
    path.hasSuffix("/") ? path : path + "/"
  }

  /// A relative path without `.` and empty parts.
  static func normalized(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
