import Glibc

/// Converts the absolute paths that tools print into paths relative to the package.
struct PackagePaths: Sendable {
  /// The package's folder as it was given.
  let folder: String
  /// The folder as it was given and with links resolved, each with a slash at the end.
  private let prefixes: [String]

  init(_ folder: String) {
    self.folder = folder
    prefixes = Set([folder, Self.resolved(folder)]).map { $0 + "/" }.sorted()
  }

  /// Returns a path without links; unchanged if there is no such file.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder in all its spellings.
  var roots: [String] { prefixes.map { String($0.dropLast()) } }

  /// Returns the path relative to the package; nil if it is outside.
  func relative(_ path: String) -> String? {
    for prefix in prefixes where path.utf8.starts(with: prefix.utf8) {
      return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
    return nil
  }
}
