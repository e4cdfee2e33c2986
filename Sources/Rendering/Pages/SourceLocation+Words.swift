import Model

extension SourceLocation {
  /// The name of the file and the line, such as `Greeter.swift:12`.
  var short: String { "\(fileName):\(line)" }

  /// The name of the file with line and column, such as `Greeter.swift:12:5`.
  var shortWithColumn: String { column.map { "\(short):\($0)" } ?? short }
}
