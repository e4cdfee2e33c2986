/// A file of the repository with touched lines that hold code and do not count, being none of the package's own sources.
package struct UncountedPatchFile: Hashable, Sendable, Codable {
  /// Relative to the package; it begins with `../` where the file lies outside of it.
  package var path: String
  /// The folder of the package that it belongs to, relative to the repository; nil for one that is in none of the targets.
  package var package: String?
  /// Nil where nobody can say which lines were touched.
  package var lines: LineTally?
  /// The touched lines that did not run in this package's tests, ascending.
  package var neverRan: [Int]

  package init(path: String, package: String?, lines: LineTally?, neverRan: [Int] = []) {
    self.path = path
    self.package = package
    self.lines = lines
    self.neverRan = neverRan
  }
}

extension [UncountedPatchFile] {
  /// How many packages are named before the rest is counted.
  private static var mostPackages: Int { 3 }

  /// Those of other packages, and those of none of the targets, each with the reason why changed lines of them do not
  /// count, as a clause of which the lines are the subject.
  package var byReason: [(files: [UncountedPatchFile], reason: String)] {
    let (others, strays) = (filter { $0.package != nil }, filter { $0.package == nil })
    let folders = Set(others.compactMap(\.package)).sorted()
    let bots = ShortList.text(folders.map { "`package: \($0)`" }, first: Self.mostPackages)
    let what =
      folders.count == 1
      ? "another package of this repository, which a bot with \(bots) would count"
      : "other packages of this repository, which bots with \(bots) would count"
    return [(others, "they are of \(what)"), (strays, "they are in none of the package's targets")]
      .filter { !$0.0.isEmpty }
  }

  /// The beginning of a clause about lines of them: not each is known to have changed where some cannot be followed.
  package var subject: String {
    contains { $0.lines == nil } ? "lines that changed, or may have, in" : "changed lines of"
  }

  /// That changed lines of them do not count, and why, as clauses that begin in lower case and end without a full stop.
  ///
  /// - Parameters:
  ///   - count: how many files a clause names before it counts the rest.
  ///   - name: what a file is called.
  package func clauses(first count: Int, _ name: (String) -> String = { $0 }) -> [String] {
    byReason.map { files, reason in
      "\(files.subject) \(ShortList.text(files.map { name($0.path) }, first: count)) do not count: \(reason)"
    }
  }
}
