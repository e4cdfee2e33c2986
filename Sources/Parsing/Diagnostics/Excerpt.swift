import Model

/// The lines of source that the compiler prints below a message, with notes drawn into them.
///
/// ```
///  9 | let a = f(1)
///    |         |- error: missing argument
///    |         `- note: declared here
/// ```
struct Excerpt {
  /// What a line of the excerpt holds.
  enum Line: Equatable {
    /// Source, or a marking that says nothing new.
    case source
    /// A note; the column counts UTF-8 bytes from 1.
    case note(String, line: Int, column: Int?)
    /// The file and line whose macro was expanded.
    case origin(file: String, line: Int)
    /// The line on which the macro stands.
    case expansion(line: Int)
  }

  /// The file the excerpt shows; nil when it is not known.
  private(set) var file: String?
  private let isExpansion: Bool
  private var number = 0
  private var source: Substring = ""
  private var isInFrame = false

  init(file: String?, isExpansion: Bool) {
    self.file = file
    self.isExpansion = isExpansion
  }

  /// Reads a line that follows the message; nil if it is not part of the excerpt.
  mutating func take(_ line: String) -> Line? {
    if isExpansion, let origin = Self.origin(line) {
      file = origin.file
      return .origin(file: origin.file, line: origin.line)
    }
    guard line.first == " " || line.first == "\t" || line.first?.isNumber == true else { return nil }
    let inner = line.drop { $0 == " " }
    if inner.hasPrefix("+---") {
      isInFrame.toggle()
      return .source
    }
    guard !isInFrame, let bar = line.firstIndex(of: "|") else { return line.first == " " ? .source : nil }
    let gutter = line[..<bar].filter { $0 != " " }
    let text = line[bar...].dropFirst(2)
    guard gutter.isEmpty else {
      guard let number = Int(gutter) else { return line.first == " " ? .source : nil }
      self.number = number
      source = text
      return .source
    }
    return note(in: text)
  }

  /// Where an expansion comes from is told before its excerpt.
  private static func origin(_ line: String) -> SourceLocation? {
    guard line.hasPrefix("`- "), line.hasSuffix(": note: expanded code originates here"),
      let end = line.firstRange(of: ": note: ")
    else { return nil }
    return Headline.location(line[..<end.lowerBound].dropFirst(3))
  }

  private func note(in text: Substring) -> Line {
    let marks = ["`- note: ", "|- note: "].compactMap { text.firstRange(of: $0) }
    guard number > 0, let mark = marks.min(by: { $0.lowerBound < $1.lowerBound }) else { return .source }
    let message = text[mark.upperBound...]
    if isExpansion, message.hasPrefix("in expansion of macro ") { return .expansion(line: number) }
    return .note(String(message), line: number, column: column(text[..<mark.lowerBound].count))
  }

  /// Markings are placed by characters, columns are counted in bytes.
  private func column(_ characters: Int) -> Int? {
    guard characters <= source.count else { return nil }
    return source.prefix(characters).utf8.count + 1
  }
}
