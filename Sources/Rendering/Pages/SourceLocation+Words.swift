import Model

extension SourceLocation {
  /// The file's name and the line, such as `Greeter.swift:12`.
  var short: String { "\(fileName):\(line)" }

  /// The file's name with line and column, such as `Greeter.swift:12:5`.
  var shortWithColumn: String { column.map { "\(short):\($0)" } ?? short }
}
