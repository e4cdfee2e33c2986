/// What a compiler was doing at a place in a source, as a line of the stack dump says that LLVM prints when it crashes, such
/// as `7.	While type-checking-target starting at Sources/A.swift:18:5`.
///
/// Source: <https://github.com/swiftlang/llvm-project/blob/next/llvm/lib/Support/PrettyStackTrace.cpp>.
package struct StackDumpEntry: Hashable, Sendable {
  /// What a reader has a word for, such as `type-checking`; nil for the compiler's own passes and requests.
  package var activity: String?
  package var place: SourceLocation

  package init(activity: String? = nil, place: SourceLocation) {
    self.activity = activity
    self.place = place
  }

  /// Nil for a line that is no such entry, and for one that names no place.
  package init?(_ line: String) {
    guard let words = Self.words(line), let place = words.lazy.compactMap(Self.place).first else { return nil }
    self.place = place
    activity = Self.activity(words)
  }

  /// Reads where the function is of which the line before gives only the symbol, such as
  /// ` for 'map(_:)' (at Sources/A.swift:12:10)`; nil for any other line.
  package init?(_ line: String, behind entry: String) {
    guard line.hasPrefix(Self.function), let words = Self.words(entry) else { return nil }
    let rest = line.dropFirst(Self.function.count).prefix(1000)
    guard let end = rest.firstRange(of: Self.end), let place = Self.place(rest[end.upperBound...]) else { return nil }
    self.place = place
    activity = Self.activity(words).map { "\($0) for \(rest[..<end.lowerBound])" }
  }

  /// Returns the words behind `While`; nil for a line that is no entry with them.
  private static func words(_ line: String) -> [Substring]? {
    let rest = line.drop { $0.isASCII && $0.isNumber }
    guard rest.startIndex > line.startIndex, rest.hasPrefix(mark) else { return nil }
    return rest.dropFirst(mark.count).prefix(1000).split(separator: " ")
  }

  private static func activity(_ words: [Substring]) -> String? {
    activities.first { words.starts(with: $0.words) }?.activity
  }

  private static let mark = ".\tWhile "
  private static let function = " for '"
  private static let end = "' (at "
  private static let activities: [(words: [Substring], activity: String)] = [
    (["type-checking"], "type-checking"), (["type-checking-target"], "type-checking"), (["parsing"], "parsing"),
    (["emitting", "SIL"], "emitting SIL"), (["silgen"], "emitting SIL"), (["emitting", "IR"], "emitting IR"),
  ]

  /// Reads a place as it stands in a range, in brackets or behind a name: `[Sources/A.swift:17:29`, `Sources/A.swift:3:1)`,
  /// `Request(A.(file).b@Sources/A.swift:17:29)`.
  private static func place(_ word: Substring) -> SourceLocation? {
    let start = word.lastIndex { "[(@".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
    let parts = word[start...].split(separator: ":")
    guard parts.count > 1, parts[0].contains("."), let line = Int(parts[1].prefix { $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return SourceLocation(file: String(parts[0]), line: line)
  }
}
