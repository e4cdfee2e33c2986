/// All problems with a file, in the order of their positions.
package struct BotFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems; never empty.
  package var problems: [FileProblem]

  /// The problems, each formatted as by a compiler.
  package var description: String { problems.map(\.description).joined(separator: "\n") }

  init(_ problems: [FileProblem]) {
    self.problems = problems
  }

  /// Creates an error for a file that cannot be read at all.
  init(_ file: String, _ message: String) {
    self.init([FileProblem(file: file, place: nil, message: message)])
  }
}
