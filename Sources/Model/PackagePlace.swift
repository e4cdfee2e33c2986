/// The location of a package within its repository, which converts paths relative to the package into paths relative to
/// the repository, and back.
///
/// The path of a file in the repository but outside the package begins with `../`.
package struct PackagePlace: Hashable, Sendable {
  /// The components of the package's folder; empty for the root of the repository.
  private let parts: [Substring]

  /// - Parameter folder: relative to the repository; `.` or empty for the root of the repository.
  package init(_ folder: String) {
    parts = folder.split(separator: "/").filter { $0 != "." }
  }

  /// Returns a path relative to the package as a path relative to the repository. Absolute paths and paths that lead
  /// out of the repository are returned unchanged.
  package func inRepository(_ path: String) -> String {
    guard !parts.isEmpty, !path.hasPrefix("/") else { return path }
    var (rest, up) = (path[...], 0)
    while rest.hasPrefix("../") {
      rest = rest.dropFirst(3)
      up += 1
    }
    guard up <= parts.count else { return path }
    return (parts.dropLast(up).map(String.init) + [String(rest)]).joined(separator: "/")
  }

  /// Returns a path relative to the repository as a path relative to the package.
  package func fromPackage(_ path: String) -> String {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    let common = zip(parts, steps.dropLast()).prefix { $0 == $1 }.count
    return (parts.dropFirst(common).map { _ in ".." } + steps.dropFirst(common)).joined(separator: "/")
  }
}

extension String {
  /// The absolute path without `.` and `..`, whatever is there.
  package var normalPath: String {
    var parts: [Substring] = []
    for part in split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
