import Model

struct DiagnosticPlaces {
  private struct Place {
    var text: String
    var link: String
  }

  /// By severity and, if the line has one, by source place.
  private var places: [String: [Place]] = [:]

  init(_ books: [LogBook]) {
    for book in books {
      for (index, page) in book.pages.enumerated() {
        for line in page where line.isFinding && line.isHead {
          add(line, link: "\(ReportPaths.log(book.step, page: index + 1))#L\(line.number)")
        }
      }
    }
  }

  /// Returns the address of a diagnostic's log line, relative to the top of the report.
  func link(of diagnostic: Diagnostic) -> String? {
    let key = Self.key(diagnostic.severity.rawValue, diagnostic.location)
    let message = diagnostic.message.split(separator: "\n").first ?? ""
    let found = places[key] ?? (diagnostic.location == nil ? [] : nil) ?? []
    return (found.first { $0.text.hasPrefix(message.prefix(300)) } ?? (diagnostic.location == nil ? nil : found.first))?
      .link
  }

  private mutating func add(_ line: LogBook.Line, link: String) {
    let text = String(decoding: line.bytes, as: UTF8.self)
    for severity in ["error", "warning"] {
      guard let mark = text.firstRange(of: "\(severity): ") else { continue }
      let place = Place(text: String(text[mark.upperBound...]), link: link)
      places["\(severity) \(Self.place(before: text[..<mark.lowerBound]))", default: []].append(place)
      return
    }
  }

  private static func key(_ severity: String, _ location: SourceLocation?) -> String {
    guard let location else { return "\(severity) " }
    return "\(severity) \(location.fileName):\(location.line)\(location.column.map { ":\($0)" } ?? "")"
  }

  /// Returns the last path component with line and column from `…/File.swift:45:44: `; empty if there is none.
  private static func place(before mark: Substring) -> String {
    guard mark.hasSuffix(": ") else { return "" }
    let place = mark.dropLast(2)
    let name = place.split(separator: "/").last.map(String.init) ?? ""
    return name.contains(":") ? name : ""
  }
}
