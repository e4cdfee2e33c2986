import Model

/// A problem with a file, formatted as by a compiler.
package struct FileProblem: Hashable, Sendable, CustomStringConvertible {
  /// A position in a file, with an excerpt of its line.
  package struct Place: Hashable, Sendable {
    /// The line, counting from 1.
    package var line: Int
    /// The column in characters, counting from 1.
    package var column: Int
    /// The line, cut around the column if it is long, with a caret on the line below; empty if the line must not be
    /// shown.
    package var excerpt: String
  }

  /// The file's path as it was given.
  package var file: String
  /// Nil if the file could not be read at all.
  package var place: Place?
  /// The message, without a period.
  package var message: String

  package init(file: String, place: Place?, message: String) {
    self.file = file
    self.place = place
    self.message = message
  }

  /// `file:line:column: message` and, on two more lines, the source with a caret.
  package var description: String {
    guard let place else { return "\(file): \(message)" }
    let excerpt = place.excerpt.isEmpty ? "" : "\n\(place.excerpt)"
    return "\(file):\(place.line):\(place.column): \(message)\(excerpt)"
  }
}

extension FileProblem.Place {
  init(_ offset: Int, in source: SourceText) {
    (line, column) = source.position(of: offset)
    excerpt = Self.excerpt(of: source.lines[line - 1], column: column)
  }

  private static let widest = 110

  private static func excerpt(of line: String, column: Int) -> String {
    let start = max(0, column - 80)
    let rest = line.dropFirst(start)
    let shown = rest.prefix(widest)
    let before = start > 0 ? "…" : ""
    let after = shown.endIndex < rest.endIndex ? "…" : ""
    let text = shown.map { $0 == "\t" ? "\t" : $0.unicodeScalars.allSatisfy(\.isHarmless) ? String($0) : "�" }.joined()
    // A tab is kept so that it has the same width on both lines.
    let indent = String(shown.prefix(column - 1 - start).map { $0 == "\t" ? "\t" : " " })
    let source = "  \(before)\(text)\(after)"
    return "\(source.allSatisfy { $0 == " " } ? "" : source)\n  \(before.isEmpty ? "" : " ")\(indent)^"
  }
}

/// Suggestions for a mistyped name in a problem's message.
enum NameAdvice {
  /// Returns `; did you mean 'name'?`, or the known names if none is similar.
  static func text(_ name: String, among known: [String]) -> String {
    if let nearest = EditDistance.nearest(to: name, among: known).first { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
  }
}

/// The problems found in a file while it is read. Must not outlive the call that creates it.
final class FileProblems {
  let file: String
  let source: SourceText
  private var found: [(offset: Int, isSecret: Bool, message: String)] = []

  init(file: String, _ source: SourceText) {
    self.file = file
    self.source = source
  }

  var isEmpty: Bool { found.isEmpty }

  /// Records a problem at a position in Unicode scalars. Beyond what a person would read, later ones are dropped.
  ///
  /// - Parameter isSecret: Whether the line must not be shown.
  func add(at offset: Int, isSecret: Bool = false, _ message: @autoclosure () -> String) {
    if found.count < 100 { found.append((offset, isSecret, message())) }
  }

  func line(of offset: Int) -> Int { source.position(of: offset).line }

  /// The problems by position; if there are very many, only the first.
  var problems: [FileProblem] {
    let most = 50
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    return sorted.prefix(most).map { _, problem in
      var place = FileProblem.Place(problem.offset, in: source)
      if problem.isSecret { place.excerpt = "" }
      return FileProblem(file: file, place: place, message: problem.message)
    }
  }
}

/// All problems with a file, in the order of their positions.
package struct BotFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems; never empty.
  package var problems: [FileProblem]

  /// The problems, each formatted as by a compiler.
  package var description: String { problems.map(\.description).joined(separator: "\n") }

  init(_ problems: [FileProblem]) {
    self.problems = problems
  }

  /// Creates an error for a file that cannot be read at all.
  init(_ file: String, _ message: String) {
    self.init([FileProblem(file: file, place: nil, message: message)])
  }
}
