import Model

/// What is said of headers in C, C++ and Objective-C, of which not each run is counted; see `FileCoverage.isHeader`.
enum HeaderWords {
  private static let why = "Swift compiles its own copies of what headers define, without counters"

  /// What the page of a header says.
  static let note = "Calls from Swift are not all counted here: \(why)."

  /// What is said below a list of lines that never ran.
  static let exportNote = "Calls from Swift into headers of C, C++ or Objective-C are not all counted: \(why)."

  /// What is said beside the figures of a package; nil where no header with code counts.
  static func note(_ coverage: Coverage) -> String? {
    let count = coverage.files.count { $0.isHeader && $0.totals.lines.total > 0 }
    guard count > 0 else { return nil }
    let headers = CountText.counted(count, "header", "headers")
    return "in \(headers) of C, C++ or Objective-C calls from Swift are not all counted: \(why)"
  }
}

extension FileCoverage {
  /// What is said behind lines without a count, and behind a figure of them.
  var neverRanWords: String { isHeader ? "without a counted run" : "never ran" }

  /// A sentence on why a line ran only partly, which in a header is true of the counted runs alone.
  func reason(_ sentence: String) -> String { isHeader ? "In the counted runs: \(sentence)" : sentence }
}
