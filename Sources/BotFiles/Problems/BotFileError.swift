/// Everything that is wrong with one file, in the order in which it stands there.
package struct BotFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not empty.
  package var problems: [FileProblem]

  /// The problems, each as a compiler would say it.
  package var description: String { problems.map(\.description).joined(separator: "\n") }

  init(_ problems: [FileProblem]) {
    self.problems = problems
  }

  /// A file that cannot be read at all.
  init(_ file: String, _ message: String) {
    self.init([FileProblem(file: file, place: nil, message: message)])
  }
}
