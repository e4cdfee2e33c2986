import Model

/// An excerpt of a source around a line of interest.
struct SourceExcerpt {
  /// The maximum number of lines of each removed stretch that are shown.
  private static let mostRemoved = 12

  private let location: SourceLocation
  private let source: HighlightedSource
  private let link: String?
  private let shown: Range<Int>
  /// All lines of interest.
  private let hot: Set<Int>

  /// Nil if the source is not part of the report or has no such line.
  ///
  /// - Parameters:
  ///   - lines: all that is shown, with the location among them; nil for what is around that.
  ///   - lastHot: the last of several lines of interest; the location is the first.
  ///   - hot: all lines of interest; nil if there is only one.
  init?(
    of location: SourceLocation, in sources: ShownSources, from start: Int? = nil, around: Int = 6,
    only lines: ClosedRange<Int>? = nil, through lastHot: Int? = nil, hot: Set<Int>? = nil
  ) {
    guard let source = sources[location.file], (1...max(1, source.lineCount)).contains(location.line) else {
      return nil
    }
    let index = location.line - 1
    // Begins at the test's declaration if it is near, so that the excerpt is complete.
    let near = start.map { $0 - 1 }.flatMap { (0...index).contains($0) && index - $0 <= 14 ? $0 : nil }
    let first = max(0, min(near.map { $0 - 1 } ?? index, index - around))
    self.location = location
    self.source = source
    self.link = sources.link(to: location.file, line: location.line)
    let surrounding = first..<min(source.lineCount, max(index, (lastHot ?? 0) - 1) + around)
    self.shown = lines.map { (($0.lowerBound - 1)..<$0.upperBound).clamped(to: 0..<source.lineCount) } ?? surrounding
    self.hot = hot ?? [location.line]
  }

  /// The line itself, without surrounding lines; what is at the column of the place is marked.
  var onlyLine: TemplateValue {
    let line = source.html(ofLine: location.line, marking: location.column).bytes
    return .html(SafeHTML(bytes: Array(line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })))
  }

  /// - Parameters:
  ///   - column: the column of the line of interest at which something is marked.
  ///   - change: what was added to the file and removed from it, as far as that is told.
  func record(caption: String, column: Int? = nil, change: SourceHunk?) -> TemplateValue {
    record(
      caption: caption, column: column, added: change?.addedLines ?? [], removed: change?.removedLines ?? [])
  }

  /// Whether all lines of a change to the same file are part of it.
  func shows(_ change: SourceHunk) -> Bool {
    change.file == location.file
      && change.addedLines.union(change.removedLines.map(\.before)).allSatisfy { shown.contains($0 - 1) }
  }

  /// - Parameters:
  ///   - column: the column of the line of interest at which something is marked.
  ///   - added: the lines that were added, as far as that is told.
  ///   - removed: what was removed from the file; shown where it stood, as far as that is part of the excerpt.
  func record(
    caption: String, column: Int? = nil, added: Set<Int> = [], removed: [RemovedLines] = []
  ) -> TemplateValue {
    let lines = shown.flatMap { index -> [TemplateValue] in
      let number = index + 1
      let gone = removed.filter { $0.before == number }.flatMap(rows(of:))
      let html = source.html(ofLine: number, marking: number == location.line ? column : nil)
      return gone + [Self.row(number, html, isHot: hot.contains(number), isAdded: added.contains(number))]
    }
    return Self.record(of: location.file, caption: caption, link: link, lines)
  }

  /// Returns changed lines that are known without the rest of their source.
  ///
  /// - Parameters:
  ///   - number: the integration that changed them, unless the page says it.
  ///   - link: the page of the source, relative to the top of the report.
  ///   - own: the line in question, which is told from other added ones.
  ///   - hot: the lines in question, if they are others than the added ones.
  static func record(
    of hunk: SourceHunk, in number: Int? = nil, link: String?, own: Int? = nil, hot: Set<Int>? = nil
  ) -> TemplateValue {
    record(
      of: hunk.file, caption: hunk.file + (number.map { " in \($0)" } ?? ""), link: link,
      rows(of: hunk, own: own, hot: hot))
  }

  /// Returns only the lines, for places that have neither their file nor a link to it.
  static func rows(of hunk: SourceHunk, own: Int? = nil, hot: Set<Int>? = nil) -> [TemplateValue] {
    let hasOthers = hunk.lines.count { $0.change == .added } > 1
    func text(_ lines: [SourceHunk.Line]) -> HighlightedSource {
      HighlightedSource(Array(lines.map(\.text).joined(separator: "\n").utf8), path: hunk.file)
    }
    // What was removed is no part of the text around it.
    let removed = text(hunk.lines.filter { $0.change == .removed })
    let current = text(hunk.lines.filter { $0.change != .removed })
    var (old, new) = (0, 0)
    var last: Int?
    return hunk.lines.map { line in
      if line.change == .removed {
        old += 1
        return row(line.number, removed.html(ofLine: old), isRemoved: true)
      }
      new += 1
      defer { last = line.number }
      return row(
        line.number, current.html(ofLine: new), isHot: hot?.contains(line.number) ?? (line.change == .added),
        isAdded: line.change == .added, isOwn: hasOthers && line.number == own,
        isApart: last.map { $0 + 1 < line.number } ?? false)
    }
  }

  private static func record(
    of file: String, caption: String, link: String?, _ lines: [TemplateValue]
  ) -> TemplateValue {
    .record([
      "file": .shown(file), "caption": .shown(caption), "link": .optional(link.map { "../\($0)" }),
      "lines": .list(lines),
    ])
  }

  /// Returns removed lines with their earlier numbers, as many as fit beside the others.
  private func rows(of removed: RemovedLines) -> [TemplateValue] {
    let text = HighlightedSource(removed.text, path: location.file)
    return (1..<(min(text.lineCount, removed.count, Self.mostRemoved) + 1)).map { line in
      Self.row(removed.first + line - 1, text.html(ofLine: line), isRemoved: true)
    }
  }

  private static func row(
    _ number: Int, _ html: SafeHTML, isHot: Bool = false, isAdded: Bool = false, isRemoved: Bool = false,
    isOwn: Bool = false, isApart: Bool = false
  ) -> TemplateValue {
    .record([
      "number": .text("\(number)"), "html": .html(html), "isHot": .flag(isHot), "isAdded": .flag(isAdded),
      "isRemoved": .flag(isRemoved), "isOwn": .flag(isOwn), "isApart": .flag(isApart),
    ])
  }
}
