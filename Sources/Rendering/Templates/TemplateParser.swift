/// Parses the text of a template into instructions, in linear time.
///
/// The rules are those of https://github.com/mustache/spec, including its inheritance module.
struct TemplateParser {
  let bytes: [UInt8]
  /// The first byte that no instruction covers yet.
  private var position = 0
  /// Whether that byte begins a line.
  private var startsLine = true
  private var scanner: TagScanner
  private(set) var instructions: [Template.Instruction] = []
  private(set) var paths: [Template.Path] = []
  private(set) var inclusions: [Template.Inclusion] = []
  private(set) var blocks: [Template.Block] = []
  private var openTags: [OpenTag] = []

  /// A tag that awaits its end tag.
  private struct OpenTag {
    var kind: TemplateTag.Kind
    var name: String
    var offset: Int
    /// The index of its instruction, which the end tag completes.
    var index: Int
    /// The index of the inclusion or the block that the instruction refers to.
    var named = 0
    var contentStart = 0
  }

  /// The layout of the line around a tag.
  private struct Layout {
    /// The text between the previous tag and this one.
    var text: Range<Int>
    /// The white space before the tag; nil if anything else precedes it on its line.
    var indentation: Range<Int>?
    /// The offset of the next line; nil if anything but white space follows the tag on its line.
    var nextLine: Int?

    var isStandalone: Bool { indentation != nil && nextLine != nil }
    /// The text without the white space before the tag.
    var textOfLinesBefore: Range<Int> { text.lowerBound..<(indentation?.lowerBound ?? text.upperBound) }
  }

  init(origin: String, bytes: [UInt8]) {
    self.bytes = bytes
    scanner = TagScanner(origin: origin, bytes: bytes)
  }

  mutating func parse() throws(TemplateError) {
    while let tag = try scanner.next(from: position) {
      let layout = layout(of: tag)
      switch tag.kind {
      case .comment, .delimiters: take(tag, layout)
      case .variable(let isEscaped):
        append(layout)
        instructions.append(.variable(path: try addPath(of: tag), isEscaped: isEscaped))
        leave(tag)
      case .section, .inverted: try open(tag, layout)
      case .partial:
        take(tag, layout)
        let indentation = layout.isStandalone ? layout.indentation : nil
        let end = instructions.count + 1
        instructions.append(.inclusion(inclusions.count))
        inclusions.append(.init(name: tag.name, offset: tag.offset, indentation: indentation, end: end))
      case .parent: openParent(tag, layout)
      case .block: openBlock(tag, layout)
      case .end: try close(tag, layout)
      }
    }
    if position < bytes.count { append(position..<bytes.count, startsLine: startsLine) }
    if let open = openTags.last {
      throw scanner.failure(
        at: open.offset, "\(open.kind.opening(open.name)) is never closed",
        advice: "Put {{/\(open.name)}} where it ends.")
    }
  }
}

// MARK: - Lines

extension TemplateParser {
  private func layout(of tag: TemplateTag) -> Layout {
    let text = position..<tag.offset
    var start = tag.offset
    while start > position, isBlank(bytes[start - 1]) { start -= 1 }
    let isAtLineStart = start > position ? bytes[start - 1] == UInt8(ascii: "\n") : startsLine
    return Layout(
      text: text, indentation: isAtLineStart ? start..<tag.offset : nil, nextLine: lineAfter(tag.end))
  }

  /// Returns the offset of the next line if only white space remains on this one.
  private func lineAfter(_ offset: Int) -> Int? {
    var index = offset
    while index < bytes.count, isBlank(bytes[index]) { index += 1 }
    if index == bytes.count { return index }
    if bytes[index] == UInt8(ascii: "\r"), index + 1 < bytes.count { index += 1 }
    return bytes[index] == UInt8(ascii: "\n") ? index + 1 : nil
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private mutating func append(_ text: Range<Int>, startsLine: Bool) {
    // Anything between the blocks of a parent is ignored.
    if openTags.last?.kind == .parent { return }
    if text.isEmpty && !startsLine { return }
    instructions.append(.text(text, startsLine: startsLine))
  }

  /// Appends the text before a tag. The tag's own line begins with a separate instruction, even if it is empty.
  private mutating func append(_ layout: Layout) {
    appendLinesBefore(layout)
    if let indentation = layout.indentation { append(indentation, startsLine: true) }
  }

  /// Appends the text before a tag, without the leading white space of the tag's line.
  private mutating func appendLinesBefore(_ layout: Layout) {
    let text = layout.textOfLinesBefore
    if !text.isEmpty { append(text, startsLine: startsLine) }
  }

  /// Appends the text before a tag and moves past the tag; if the tag is alone on its line, the whole line is removed.
  private mutating func take(_ tag: TemplateTag, _ layout: Layout) {
    if layout.isStandalone, let nextLine = layout.nextLine {
      appendLinesBefore(layout)
      begin(line: nextLine)
    } else {
      append(layout)
      leave(tag)
    }
  }

  /// Continues after a tag, within its line.
  private mutating func leave(_ tag: TemplateTag) {
    position = tag.end
    startsLine = false
  }

  /// Continues on a new line.
  private mutating func begin(line offset: Int) {
    position = offset
    startsLine = true
  }
}

// MARK: - Opening

extension TemplateParser {
  private mutating func open(_ tag: TemplateTag, _ layout: Layout) throws(TemplateError) {
    take(tag, layout)
    openTags.append(OpenTag(kind: tag.kind, name: tag.name, offset: tag.offset, index: instructions.count))
    let path = try addPath(of: tag)
    instructions.append(tag.kind == .section ? .section(path: path, end: 0) : .inverted(path: path, end: 0))
  }

  private mutating func openParent(_ tag: TemplateTag, _ layout: Layout) {
    append(layout)
    openTags.append(
      OpenTag(
        kind: .parent, name: tag.name, offset: tag.offset, index: instructions.count, named: inclusions.count))
    instructions.append(.inclusion(inclusions.count))
    inclusions.append(.init(name: tag.name, offset: tag.offset, indentation: layout.indentation, end: 0))
    leave(tag)
  }

  /// Opens a block. Directly inside a parent, only the rest of its line matters, since nothing before it is shown.
  private mutating func openBlock(_ tag: TemplateTag, _ layout: Layout) {
    var block = Template.Block(
      name: tag.name, offset: tag.offset, isStandalone: false, contentStartsLine: false, end: 0)
    if openTags.last?.kind == .parent {
      if let nextLine = layout.nextLine {
        block.contentStartsLine = nextLine > tag.end
        begin(line: nextLine)
      } else {
        leave(tag)
      }
    } else {
      take(tag, layout)
      block.isStandalone = layout.isStandalone
      block.contentStartsLine = layout.isStandalone
      block.indentation = layout.indentation
    }
    openTags.append(
      OpenTag(
        kind: .block, name: tag.name, offset: tag.offset, index: instructions.count, named: blocks.count,
        contentStart: position))
    instructions.append(.block(blocks.count))
    blocks.append(block)
  }

  private mutating func addPath(of tag: TemplateTag) throws(TemplateError) -> Int {
    paths.append(try path(of: tag))
    return paths.count - 1
  }

  private func path(of tag: TemplateTag) throws(TemplateError) -> Template.Path {
    if tag.name == "." { return Template.Path(names: [], offset: tag.offset) }
    let names = tag.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") {
      throw scanner.failure(
        at: tag.offset, "\"\(tag.name)\" is not a name",
        advice: "Put one name on each side of a dot, or nothing but a dot for the current value.")
    }
    return Template.Path(names: names, offset: tag.offset)
  }
}

// MARK: - Closing

extension TemplateParser {
  private mutating func close(_ tag: TemplateTag, _ layout: Layout) throws(TemplateError) {
    guard let open = openTags.last else {
      throw scanner.failure(
        at: tag.offset, "{{/\(tag.name)}} closes nothing",
        advice: "Take it out, or open it before with {{#\(tag.name)}}.")
    }
    guard open.name == tag.name else {
      let place = TemplateError.Position(offset: open.offset, in: bytes)
      throw scanner.failure(
        at: tag.offset, "{{/\(tag.name)}} closes \(open.kind.opening(open.name)) of line \(place.line)",
        advice: "Close it with {{/\(open.name)}} first.")
    }
    switch open.kind {
    case .parent: closeParent(open, tag, layout)
    case .block: closeBlock(open, tag, layout)
    default:
      take(tag, layout)
      openTags.removeLast()
      closeSection(open)
    }
  }

  private mutating func closeSection(_ open: OpenTag) {
    switch instructions[open.index] {
    case .section(let path, _):
      instructions.append(.endSection)
      instructions[open.index] = .section(path: path, end: instructions.count)
    case .inverted(let path, _): instructions[open.index] = .inverted(path: path, end: instructions.count)
    default: break
    }
  }

  /// Closes a parent. The pair is standalone if nothing precedes its first tag and nothing follows its last.
  private mutating func closeParent(_ open: OpenTag, _ tag: TemplateTag, _ layout: Layout) {
    openTags.removeLast()
    if let nextLine = layout.nextLine, let indentation = inclusions[open.named].indentation {
      // The white space before it has become its indentation.
      if open.index > 0, case .text(let text, _) = instructions[open.index - 1], text == indentation {
        instructions[open.index - 1] = .text(text.lowerBound..<text.lowerBound, startsLine: false)
      }
      begin(line: nextLine)
    } else {
      inclusions[open.named].indentation = nil
      leave(tag)
    }
    inclusions[open.named].end = instructions.count
  }

  private mutating func closeBlock(_ open: OpenTag, _ tag: TemplateTag, _ layout: Layout) {
    let parent = openTags.count - 2
    let isArgument = parent >= 0 && openTags[parent].kind == .parent
    if isArgument {
      appendLinesBefore(layout)
      leave(tag)
      inclusions[openTags[parent].named].arguments[open.name] = open.index
    } else {
      take(tag, layout)
    }
    openTags.removeLast()
    if blocks[open.named].contentStartsLine {
      blocks[open.named].contentIndentation = firstIndentation(in: open.contentStart..<tag.offset)
    }
    blocks[open.named].end = instructions.count
  }

  /// Returns the white space before the first line that is not blank.
  private func firstIndentation(in range: Range<Int>) -> Range<Int>? {
    var start = range.lowerBound
    while let next = lineAfter(start), next < range.upperBound { start = next }
    var end = start
    while end < range.upperBound, isBlank(bytes[end]) { end += 1 }
    return end < range.upperBound ? start..<end : nil
  }
}
