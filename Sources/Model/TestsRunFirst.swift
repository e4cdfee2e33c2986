/// The tests that ran before the others because they reach what changed, or why none did.
package struct TestsRunFirst: Hashable, Sendable, Codable {
  /// What may affect any test, so that there is no order to choose.
  package enum Obstacle: Hashable, Sendable {
    case toolchain, dependencies
    /// A file of which nobody knows what it affects, such as the manifest; relative to the package.
    case file(String)
  }

  /// The integration whose tests were mapped last.
  package var since: Int
  /// Nil if any test may be affected.
  package var tests: Int?
  /// The word for a change that may affect any test, such as `toolchain`, or the path of a changed file.
  private var anyBecause: String?
  private var file: String?

  package init(since: Int, tests: Int) {
    (self.since, self.tests) = (since, tests)
  }

  package init(since: Int, because obstacle: Obstacle) {
    self.since = since
    switch obstacle {
    case .toolchain: anyBecause = "toolchain"
    case .dependencies: anyBecause = "dependencies"
    case .file(let path): (anyBecause, file) = ("file", path)
    }
  }

  /// Why any test may be affected; nil if the affected ones are known.
  package var obstacle: Obstacle? {
    switch anyBecause {
    case "toolchain": .toolchain
    case "dependencies": .dependencies
    case "file": file.map { .file($0) }
    default: nil
    }
  }
}
