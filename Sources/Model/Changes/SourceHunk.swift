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
  /// Whether its lines, of which others were left out before them, replaced none; nil where none was left out, if they
  /// did, and in older documents.
  package var replacesNone: Bool?

  package init(file: String, lines: [Line], replacesNone: Bool? = nil) {
    (self.file, self.lines, self.replacesNone) = (file, lines, replacesNone)
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

  /// Whether a line of it was added where none was removed.
  package func adds(_ place: SourceLocation) -> Bool {
    guard place.file == file,
      let index = lines.firstIndex(where: { $0.number == place.line && $0.change == .added })
    else { return false }
    let start = lines[..<index].lastIndex(where: { $0.change == nil }).map { $0 + 1 } ?? 0
    // Of a stretch without its beginning nobody sees what was removed there.
    guard start > 0 || lines[0].number == 1 || replacesNone == true else { return false }
    return lines[start...].prefix(while: { $0.change != nil }).allSatisfy { $0.change == .added }
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
