import Model

extension SourceHistory {
  /// Lines that are gone, with as much of their text as the page shows.
  struct Removal: Sendable {
    /// The lines that stood before one line bring up to this many bytes to its page.
    static let mostWeight = 60_000
    /// What a row takes beside its text.
    private static let rowWeight = 400
    private static let ellipsis = Array(" …".utf8)

    private let lines: RemovedLines
    /// Up to `longestLine` bytes of each line.
    private let text: [UInt8]
    private let shownCount: Int
    /// An upper bound of the markup, in bytes.
    let weight: Int

    /// - Parameter room: what the text may weigh; what does not fit is counted instead.
    init(_ lines: RemovedLines, room: Int) {
      var text: [UInt8] = []
      var weight = Self.rowWeight
      var count = 0
      // Behind the last line feed there is no line.
      let all = lines.text.last == UInt8(ascii: "\n") ? lines.text.dropLast() : lines.text[...]
      for line in all.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) where !lines.text.isEmpty {
        let start = text.count
        if line.count <= HighlightedSource.longestLine {
          text += line
        } else {
          // A character that is cut through here is repaired when it is shown.
          text += line.prefix(HighlightedSource.longestLine - Self.ellipsis.count) + Self.ellipsis
        }
        let added = SourceParts.weight(of: start..<text.count, in: text) + 2
        guard weight + added <= room else {
          text.removeSubrange(start...)
          break
        }
        text.append(UInt8(ascii: "\n"))
        weight += added
        count += 1
      }
      self.lines = lines
      self.text = text
      shownCount = count
      self.weight = weight
    }

    func combine(into hash: inout PageHash) {
      for number in [lines.first, lines.count, lines.code.total, lines.code.covered, shownCount] {
        hash.combine(number)
      }
      hash.combine(text)
    }

    func append(path: String, to html: inout SafeHTML) {
      html.append("<tr class=gone><td><td><del class=x>−</del>\n<td><details><summary>")
      html.append(escaping: summary)
      html.append("</summary>")
      let source = HighlightedSource(text, path: path)
      source.append(lines: 1..<(source.lineCount + 1), to: &html)
      if shownCount < lines.count {
        html.append("<small>")
        html.append(escaping: "and \(CountText.counted(lines.count - shownCount, "more line"))")
        html.append("</small>\n")
      }
      html.append("</details>")
    }

    private var summary: String {
      let place = lines.count == 1 ? "line \(lines.first)" : "lines \(lines.first)–\(lines.first + lines.count - 1)"
      let ran =
        lines.code.total == 0
        ? "no code" : "\(CountText.plain(lines.code.covered)) of \(CountText.plain(lines.code.total)) with code had run"
      return "\(CountText.counted(lines.count, "line")) deleted, \(place) before: \(ran)"
    }
  }
}
