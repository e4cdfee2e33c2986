/// What a build left in the scratch folder, as far as tests and coverage need it.
struct BuildProducts: Codable, Sendable {
  /// A program that runs tests.
  struct TestExecutable: Codable, Sendable {
    var name: String
    var path: String
    /// The files that hold the code of the tests and of what they test: the program itself, or libraries that it loads.
    var images: [String]
  }

  var testExecutables: [TestExecutable]
  /// The files with the code of the package's modules that no test executable contains whole.
  var looseObjects: [String]
  /// The object files of the package's modules that were built, by module, as the index names them.
  var objects: [String: [String]]
  /// The sources of the package's modules that were not built, relative to the package: only other platforms need them.
  var unbuiltSources: [String]
  /// The index that the compiler wrote.
  var index: String

  /// The files that hold the code of all tests.
  var images: [String] { testExecutables.flatMap(\.images) }
}
