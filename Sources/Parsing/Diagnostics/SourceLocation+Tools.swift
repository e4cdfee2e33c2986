import Model

/// Places as tools tell of them.
extension SourceLocation {
  /// Reads `path:line:column` or `path:line`.
  init?(printed place: Substring) {
    guard let colon = place.lastIndex(of: ":"), let last = Int(place[colon...].dropFirst()), last >= 0 else {
      return nil
    }
    let front = place[..<colon]
    if let colon = front.lastIndex(of: ":"), let line = Int(front[colon...].dropFirst()), line >= 0 {
      self.init(file: String(front[..<colon]), line: line, column: last)
      return
    }
    guard !front.isEmpty else { return nil }
    self.init(file: String(front), line: last)
  }

  /// Takes the place of code; nil for code outside of the package, or of no line. A column of 0 is unknown.
  ///
  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  init?(inPackage path: String?, line: Int?, column: Int?, _ relativise: (String) -> String?) {
    guard let line, line > 0, let file = relativise(path?.withoutNul ?? "") else { return nil }
    self.init(file: file, line: line, column: column.flatMap { $0 > 0 ? $0 : nil })
  }
}
