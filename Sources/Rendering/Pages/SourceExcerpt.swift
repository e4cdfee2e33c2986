import Model

/// An excerpt of a source around a line of interest.
struct SourceExcerpt {
  private let location: SourceLocation
  private let source: HighlightedSource
  private let link: String?
  private let shown: Range<Int>
  /// All lines of interest.
  private let hot: Set<Int>

  /// Nil if the source is not part of the report or has no such line.
  ///
  /// - Parameters:
  ///   - lastHot: the last of several lines of interest; the location is the first.
  ///   - hot: all lines of interest; nil if there is only one.
  init?(
    of location: SourceLocation, in sources: ShownSources, from start: Int? = nil, around: Int = 6,
    through lastHot: Int? = nil, hot: Set<Int>? = nil
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
    self.shown = first..<min(source.lineCount, max(index, (lastHot ?? 0) - 1) + around)
    self.hot = hot ?? [location.line]
  }

  /// The line itself, without surrounding lines.
  var onlyLine: TemplateValue {
    let line = source.html(ofLine: location.line).bytes
    return .html(SafeHTML(bytes: Array(line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })))
  }

  func record(caption: String) -> TemplateValue {
    .record([
      "file": .shown(location.file),
      "caption": .shown(caption),
      "link": .optional(link.map { "../\($0)" }),
      "lines": .list(
        shown.map { index in
          .record([
            "number": .text("\(index + 1)"),
            "html": .html(source.html(ofLine: index + 1)),
            "isHot": .flag(hot.contains(index + 1)),
          ])
        }),
    ])
  }
}
