import Model

/// What is said of the map from tests to lines.
enum TestMapWords {
  /// What one test ran.
  static func summary(functions: Int, files: Int) -> String {
    guard functions > 0 else { return "none of the package's own functions" }
    return "\(CountText.counted(functions, "function")) in \(CountText.counted(files, "file"))"
  }

  /// Of lines that make a value for all tests.
  static let once = "runs once in a process, in whichever test comes first"

  static let noChange = "It ran none of the changed lines."

  /// What is known of which tests, for the coverage page; nil where nobody asked.
  static func known(_ map: Answer<TestMap>?) -> String? {
    switch map {
    case nil: nil
    case .unknown(let reason): "Which tests ran which lines is not known. \(reason)"
    case .known(let map):
      ([CountText.counted(map.tests.count, "test") + " on record."] + map.gaps).joined(separator: " ")
    }
  }
}
