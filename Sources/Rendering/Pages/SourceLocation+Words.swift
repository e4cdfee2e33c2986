import Model

extension SourceLocation {
  /// The name of the file and the line, such as `Greeter.swift:12`.
  var short: String { "\(fileName):\(line)" }

  /// The name of the file with line and column, such as `Greeter.swift:12:5`.
  var shortWithColumn: String { column.map { "\(short):\($0)" } ?? short }
}

extension TemplateValue {
  /// Returns a place such as `Greeter.swift:12`, whose line ends as that of a name does; missing if there is none.
  static func place(_ place: SourceLocation?) -> TemplateValue { .place(ifAny: place?.short) }

  /// Returns the same of places in words.
  static func place(ifAny words: String?) -> TemplateValue { words.map { .name($0) } ?? .missing }
}
