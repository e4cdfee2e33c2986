import Model

/// A crash report that the Swift runtime printed among the output of a build, as of a build tool or a plugin.
///
/// The form is that of [the runtime's backtracer](https://github.com/swiftlang/swift/blob/main/docs/Backtracing.rst).
/// Registers, addresses and images differ in each run; only what the program said and where it was are read.
struct PrintedCrash {
  /// The first crash; nil if none was printed.
  private(set) var error: Diagnostic?
  /// The line with which a program may have announced its end.
  private var announced: String?
  private var isOpen = false
  /// Whether the report is that of the first crash.
  private var isFirst = false

  private static let crashed = "*** Program crashed: "
  private static let beginnings = ["*** Signal ", crashed]
  private static let lastLine = "Backtrace took "
  /// What the package manager may say if a report was cut short.
  private static let others = ["error: ", "warning: "]

  /// Reads a line, and returns whether it is part of a report.
  ///
  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  mutating func take(_ line: String, relativise: (String) -> String?) -> Bool {
    if isOpen, line.hasPrefix(Self.lastLine) || Self.others.contains(where: line.hasPrefix) {
      end()
      return line.hasPrefix(Self.lastLine)
    }
    if !isOpen, Self.beginnings.contains(where: line.hasPrefix) { isOpen = true }
    guard isOpen else {
      if LastWords.message(in: line) != nil { announced = line }
      return false
    }
    if line.hasPrefix(Self.crashed) {
      begin(line)
    } else if isFirst, error?.location == nil, let place = Self.place(line), let file = relativise(place.file) {
      error?.location = SourceLocation(file: file, line: place.line, column: place.column)
      // The place of the call says more than the one that the program named.
      if let announced, let said = LastWords.message(in: announced) { error?.message = said.text }
    }
    return true
  }

  /// Ends a report, and forgets an announcement that none followed, as at the end of a task.
  mutating func end() {
    (announced, isOpen, isFirst) = (nil, false, false)
  }

  private mutating func begin(_ line: String) {
    isFirst = error == nil
    guard isFirst else { return }
    let rest = line.dropFirst("*** ".count)
    let end = rest.firstRange(ofASCII: " at 0x") ?? rest.firstRange(ofASCII: " ***")
    error = Diagnostic(severity: .error, message: announced ?? String(rest[..<(end?.lowerBound ?? rest.endIndex)]))
  }

  /// Reads the place at the end of a call, as in `1 [ra] 0x0000561a name + 274 in Tool at /src/main.swift:3:1`.
  private static func place(_ line: String) -> SourceLocation? {
    guard let mark = line.firstRange(ofASCII: " at /") else { return nil }
    return SourceLocation(printed: line[line.index(mark.lowerBound, offsetBy: 4)...])
  }
}
