import Model

extension SourceLocation {
  /// The name of the file and the line, such as `Greeter.swift:12`.
  var short: String { "\(fileName):\(line)" }

  /// The name of the file with line and column, such as `Greeter.swift:12:5`.
  var shortWithColumn: String { column.map { "\(short):\($0)" } ?? short }

  /// Where a note of the compiler is, such as `in Swift's StringProtocol` for what it calls `Swift.StringProtocol.<`, a
  /// declaration in a module without sources.
  var wordsOfNote: String {
    let names = file.split(separator: ".", maxSplits: 2)
    guard names.count > 1, !file.contains("/"), !SourceSuffix.isSource(file), !SourceSuffix.isImported(file) else {
      return description
    }
    return names.count > 2 ? "in \(names[0])'s \(names[1])" : "in \(names[0])"
  }
}

extension TemplateValue {
  /// Returns a place such as `Greeter.swift:12`, whose line ends as that of a name does; missing if there is none.
  static func place(_ place: SourceLocation?) -> TemplateValue { .place(ifAny: place?.short) }

  /// Returns the same of places in words.
  static func place(ifAny words: String?) -> TemplateValue { words.map { .name($0) } ?? .missing }
}
