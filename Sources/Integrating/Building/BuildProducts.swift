/// The parts of a build's output that tests and coverage need.
struct BuildProducts: Codable, Sendable {
  struct TestExecutable: Codable, Sendable {
    var name: String
    var path: String
    /// The files with the code of the tests and of what they test: the program itself, or libraries that it loads.
    var images: [String]
  }

  var testExecutables: [TestExecutable]
  /// The files with code of the package's modules that no test executable contains in full.
  var looseObjects: [String]
  /// The object files of the package's built modules, by module, as the index names them.
  var objects: [String: [String]]
  /// The sources of the package's unbuilt modules, relative to the package; only other platforms need them.
  var unbuiltSources: [String]
  /// The path of the index that the compiler wrote.
  var index: String

  /// The files that contain the code of all tests.
  var images: [String] { testExecutables.flatMap(\.images) }
}
