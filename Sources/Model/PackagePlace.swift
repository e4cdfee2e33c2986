/// Where a package lies in its repository: turns paths relative to the package into those of the repository, and back.
///
/// A file of the repository outside of the package has a path that begins with `../`.
package struct PackagePlace: Hashable, Sendable {
  /// The parts of the package's folder; none where it is the repository's own.
  private let parts: [Substring]

  /// - Parameter folder: relative to the repository; `.` or empty for the repository's own.
  package init(_ folder: String) {
    parts = folder.split(separator: "/").filter { $0 != "." }
  }

  /// A path relative to the package, as seen from the repository. One that is absolute stays, and so does one that leads
  /// out of the repository.
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

  /// A path of the repository, as seen from the package.
  package func fromPackage(_ path: String) -> String {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    let common = zip(parts, steps.dropLast()).prefix { $0 == $1 }.count
    return (parts.dropFirst(common).map { _ in ".." } + steps.dropFirst(common)).joined(separator: "/")
  }
}
