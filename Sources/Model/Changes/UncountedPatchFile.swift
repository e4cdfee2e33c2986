/// A file of the repository with touched lines that hold code, or may, and do not count: it is none of the package's own
/// sources, or one without counters.
package struct UncountedPatchFile: Hashable, Sendable, Codable {
  /// Relative to the package; it begins with `../` where the file lies outside of it.
  package var path: String
  /// The folder of the package that it belongs to, relative to the repository; nil for one that is in none of the targets,
  /// and for one without counters.
  package var package: String?
  /// Why a source of the package's own has no counters; nil for any other.
  package var unmeasured: UnmeasuredSources.Kind?
  /// Nil where nobody can say which lines were touched, or which of them hold code.
  package var lines: LineTally?
  /// The touched lines that did not run in this package's tests, ascending.
  package var neverRan: [Int]

  package init(
    path: String, package: String?, unmeasured: UnmeasuredSources.Kind? = nil, lines: LineTally?, neverRan: [Int] = []
  ) {
    self.path = path
    self.unmeasured = unmeasured
    self.package = package
    self.lines = lines
    self.neverRan = neverRan
  }
}
