/// A file of the repository whose touched lines hold, or may hold, code that does not count, because the file is not
/// among the package's own sources or has no counters.
package struct UncountedPatchFile: Hashable, Sendable, Codable {
  /// Relative to the package; begins with `../` if the file is outside it.
  package var path: String
  /// The folder of the package that the file belongs to, relative to the repository; nil for a file in none of the
  /// targets, and for one without counters.
  package var package: String?
  /// Why one of the package's own sources has no counters; nil for any other file.
  package var unmeasured: UnmeasuredSources.Kind?
  /// Nil if it is unknown which lines were touched, or which of them hold code.
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
