import Git
import Model

/// Converts the absolute paths that tools print into paths relative to the package.
struct PackagePaths: Sendable {
  /// The package's folder as it was given.
  let folder: String
  /// The folder as it was given and with links resolved, each with a slash at the end.
  private let prefixes: [String]
  /// The repository's folder, spelled likewise, if what lies there beside the package is told, too.
  private let repository: [String]
  private let place: PackagePlace

  /// - Parameters:
  ///   - repository: the repository's folder, if paths of its other packages are to be told from this one, such as
  ///     `../Kit/Kit.swift`.
  ///   - package: the package's folder in the repository.
  init(_ folder: String, repository: String? = nil, package: String = ".") {
    self.folder = folder
    prefixes = Self.spellings(of: folder)
    self.repository = repository.map(Self.spellings) ?? []
    place = PackagePlace(package)
  }

  private static func spellings(of folder: String) -> [String] {
    Set([folder, folder.withoutLinks]).map { $0 + "/" }.sorted()
  }

  /// The folder in all its spellings.
  var roots: [String] { prefixes.map { String($0.dropLast()) } }

  /// Returns the path relative to the package; nil if it is outside.
  func relative(_ path: String) -> String? {
    Self.rest(of: path, in: prefixes) ?? Self.rest(of: path, in: repository).map(place.fromPackage)
  }

  private static func rest(of path: String, in folders: [String]) -> String? {
    folders.first { path.utf8.starts(with: $0.utf8) }
      .map { String(decoding: path.utf8.dropFirst($0.utf8.count), as: UTF8.self) }
  }
}
