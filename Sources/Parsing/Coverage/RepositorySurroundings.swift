import Model

/// The repository around a package, which determines which of its other packages a source belongs to.
package struct RepositorySurroundings: Sendable {
  /// The location of the package in the repository.
  let place: PackagePlace
  private let roots: [String]
  private let package: String
  private let packages: Set<String>
  private let foreign: Set<String>

  /// - Parameters:
  ///   - package: the package's own folder, relative to the repository; `.` for the repository's root.
  ///   - roots: the repository's folder, absolute, in all its spellings.
  ///   - packages: the folders with a manifest, in the same form as `package`.
  ///   - foreign: the folders with a manifest that is not part of the repository, as in a submodule; no bot can
  ///     integrate them.
  package init(package: String, roots: [String], packages: Set<String>, foreign: Set<String> = []) {
    place = PackagePlace(package)
    self.package = package
    self.roots = roots.map(SourceSelection.folder)
    self.packages = packages.union([package])
    self.foreign = foreign
  }

  /// Returns the folders that may contain the manifest of a source, the innermost first, given the source's name in an
  /// export; empty for a source outside the repository.
  package static func folders(above name: String, roots: [String]) -> [String] {
    SourceSelection.path(of: name, in: roots.map(SourceSelection.folder)).map(folders) ?? []
  }

  /// Returns the path of a file in the repository, given its absolute name in an export; nil for a file elsewhere.
  func path(of name: String) -> String? { SourceSelection.path(of: name, in: roots) }

  /// Returns the role of a file outside the package's targets, given its path in the repository.
  func role(of path: String) -> SourceSelection.Role {
    let holder = Self.folders(above: path).first { packages.contains($0) || foreign.contains($0) }
    let own = place.fromPackage(path)
    guard let holder, holder != package, !foreign.contains(holder) else { return .unlisted(path: own) }
    return .sibling(package: holder, path: own)
  }

  private static func folders(above path: String) -> [String] {
    var (folders, folder): ([String], String) = ([], path)
    while !folder.isEmpty {
      folder = SourceSelection.parent(of: folder)
      folders.append(folder.isEmpty ? "." : folder)
    }
    return folders
  }
}
