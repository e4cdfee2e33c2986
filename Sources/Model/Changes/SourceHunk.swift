/// A stretch of a source that was changed, with a few lines around it.
package struct SourceHunk: Hashable, Sendable, Codable {
  package struct Line: Hashable, Sendable, Codable {
    package enum Change: String, Hashable, Sendable, Codable {
      case removed, added
    }

    /// The earlier number of a removed line, the current number of every other one.
    package var number: Int
    /// Without its line break.
    package var text: String
    /// Nil for a line that stayed as it was.
    package var change: Change?

    package init(number: Int, text: String, change: Change? = nil) {
      (self.number, self.text, self.change) = (number, text, change)
    }
  }

  /// Relative to the package.
  package var file: String
  package var lines: [Line]

  package init(file: String, lines: [Line]) {
    (self.file, self.lines) = (file, lines)
  }
}

extension SourceHunk {
  /// The largest number of removed lines to keep, and of added ones.
  package static let mostLines = 10

  /// Whether it takes back what another one changed, on whichever lines that stands by now.
  package func undoes(_ other: SourceHunk) -> Bool {
    let (now, before) = (texts(.added), other.texts(.removed))
    return file == other.file && !(now.isEmpty && before.isEmpty) && now == before
      && texts(.removed) == other.texts(.added)
  }

  private func texts(_ change: Line.Change) -> [String] { lines.filter { $0.change == change }.map(\.text) }

  /// The maximum distance between lines that are shown together.
  private static let nearby = 12

  /// Groups lines that are near each other in one file.
  package static func stretches(of lines: [SourceLocation]) -> [[SourceLocation]] {
    var stretches: [[SourceLocation]] = []
    for line in lines.sorted() {
      if let last = stretches.last?.last, last.file == line.file, line.line - last.line <= nearby {
        stretches[stretches.count - 1].append(line)
      } else {
        stretches.append([line])
      }
    }
    return stretches
  }
}
