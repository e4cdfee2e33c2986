import Model

/// Words for the map from tests to lines.
enum TestMapWords {
  /// Returns what one test ran.
  static func summary(functions: Int, files: Int) -> String {
    guard functions > 0 else { return "none of the package's own functions" }
    return "\(CountText.counted(functions, "function")) in \(CountText.counted(files, "file"))"
  }

  /// Of lines that make a value for all tests.
  static let once = "runs once in a process, in whichever test comes first"

  static let noChange = "It ran none of the changed lines."

  /// Returns what is known about which tests ran which lines, for the coverage page; nil if it was not requested.
  static func known(_ map: Answer<TestMap>?) -> String? {
    switch map {
    case nil: nil
    case .unknown(let reason): "Which tests ran which lines is not known. \(reason)"
    case .known(let map):
      ([CountText.counted(map.tests.count, "test") + " on record."] + map.gaps).joined(separator: " ")
    }
  }
}
