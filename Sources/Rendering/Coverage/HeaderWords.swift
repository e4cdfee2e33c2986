import Model

/// Notes about C, C++ and Objective-C headers, where not every run is counted; see `FileCoverage.isHeader`.
enum HeaderWords {
  private static let why = "Swift compiles its own copies of what headers define, without counters"

  /// The note on the page of a header.
  static let note = "Calls from Swift are not all counted here: \(why)."

  /// The note below a list of lines that never ran.
  static let exportNote = "Calls from Swift into headers of C, C++ or Objective-C are not all counted: \(why)."

  /// Returns the note beside the figures of a package; nil if no counted header holds code.
  static func note(_ coverage: Coverage) -> String? {
    let count = coverage.files.count { $0.isHeader && $0.totals.lines.total > 0 }
    guard count > 0 else { return nil }
    let headers = CountText.counted(count, "header", "headers")
    return "in \(headers) of C, C++ or Objective-C calls from Swift are not all counted: \(why)"
  }
}

extension FileCoverage {
  /// The words after lines without a count, and after the number of such lines.
  var neverRanWords: String { isHeader ? "without a counted run" : "never ran" }

  /// Returns a sentence about why a line ran only partly; in a header, it applies only to the counted runs.
  func reason(_ sentence: String) -> String { isHeader ? "In the counted runs: \(sentence)" : sentence }
}
