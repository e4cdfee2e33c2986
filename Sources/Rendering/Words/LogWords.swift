import Model

/// Words on the pages of logs.
enum LogWords {
  /// On the line on which a test began that was stopped when its time ran out.
  static let running = "was running when time ran out"
  static let lastLine = "last line before time ran out"
  static let runningAtLastLine = "was running when time ran out; nothing printed after this"

  static func found(_ kind: LogFinding.Kind, _ count: Int) -> String {
    switch kind {
    case .timedOut: "\(CountText.plain(count)) timed out"
    case .crashed: "\(CountText.plain(count)) crashed"
    case .failure: CountText.counted(count, "failure")
    case .error: CountText.counted(count, "error")
    case .flaky: "\(CountText.plain(count)) flaky"
    case .warning: CountText.counted(count, "warning")
    }
  }

  /// Returns the heading of a page of a log, such as `Test log: 1 crashed and 2 failures`.
  ///
  /// - Parameter size: how long it is, which is all there is to say without findings.
  static func heading(_ name: String, _ found: [String], size: String) -> String {
    "\(name): \(found.isEmpty ? size : CountText.list(found))"
  }

  /// Returns the number of findings, and in how many places they stand if these are more.
  static func issues(_ count: Int, in places: Int) -> String {
    CountText.plain(count) + (places > count ? " in \(CountText.plain(places)) places" : "")
  }

  /// Returns which lines have no page, or not all of which, if it is one.
  static func omitted(_ lines: ClosedRange<Int>) -> String {
    guard lines.count > 1 else { return "all of line \(CountText.plain(lines.lowerBound))" }
    return "lines \(CountText.plain(lines.lowerBound)) to \(CountText.plain(lines.upperBound))"
  }

  static func run(_ run: LogFinding.Run) -> String {
    switch run {
    case .attempt(1): "first run"
    case .attempt(let number): "attempt \(number)"
    case .search: "search"
    case .mapping: "mapping run"
    }
  }

  static func label(_ part: LogKinds.Part) -> String {
    switch part {
    case .announcement(.attempt(let number, let all, let test)): "Attempt \(number) of \(all): \(test)"
    case .announcement(.mapping): "Mapping run: tests to lines"
    case .announcement(.search(let tests)): "Search for the guilty test: \(tests)"
    case .announcement(.rest(let count)): "The rest: \(CountText.counted(count, "test"))"
    case .tests(let library, let inOrder): library.rawValue + (inOrder ? ", one test at a time" : "")
    }
  }
}
