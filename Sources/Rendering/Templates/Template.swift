/// One template, parsed once into instructions that a renderer can run any number of times.
final class Template: Sendable {
  /// The name in messages: the path of its file, or its own name if it has no file.
  let origin: String
  /// Its text in valid UTF-8; instructions refer to ranges of it.
  let bytes: [UInt8]
  let instructions: [Instruction]
  /// The data that instructions refer to by index.
  let paths: [Path]
  let inclusions: [Inclusion]
  let blocks: [Block]

  init(origin: String, bytes: [UInt8]) throws(TemplateError) {
    self.origin = origin
    self.bytes = bytes
    var parser = TemplateParser(origin: origin, bytes: bytes)
    try parser.parse()
    instructions = parser.instructions
    paths = parser.paths
    inclusions = parser.inclusions
    blocks = parser.blocks
  }
}

extension Template {
  /// One step of a rendering. An `end` is the index of the instruction that follows the whole construct.
  ///
  /// Anything other than numbers is referred to by index, so that a step needs no reference counting.
  enum Instruction: Sendable {
    /// Text of the template. If it starts a line of the template (it may be empty), indentation precedes it.
    case text(Range<Int>, startsLine: Bool)
    case variable(path: Int, isEscaped: Bool)
    case section(path: Int, end: Int)
    case inverted(path: Int, end: Int)
    /// Ends one iteration of a section; inverted sections need no end.
    case endSection
    /// `{{>name}}`, or `{{<name}}` with the blocks that it passes.
    case inclusion(Int)
    case block(Int)
  }

  /// The dotted name of a value; without components for `{{.}}`.
  struct Path: Sendable {
    var names: [String]
    /// The offset of the tag.
    var offset: Int

    /// The name as written in the template.
    var text: String { names.isEmpty ? "." : names.joined(separator: ".") }
  }

  /// A place where another template is included.
  struct Inclusion: Sendable {
    var name: String
    /// The offset of the tag.
    var offset: Int
    /// The white space before a tag that is alone on its line; nil for a tag within a line.
    var indentation: Range<Int>?
    /// The index of each block that replaces one of the included template.
    var arguments: [String: Int] = [:]
    var end: Int
  }

  /// A part of a template that another can replace, or a part that replaces one.
  struct Block: Sendable {
    var name: String
    /// The offset of the tag.
    var offset: Int
    /// Whether the opening tag was alone on its line, which is then removed with it.
    var isStandalone: Bool
    /// The white space before the opening tag; nil if anything else precedes it on its line.
    var indentation: Range<Int>?
    /// The white space before the first line of the content; nil if the content begins on the tag's own line.
    var contentIndentation: Range<Int>?
    /// Whether the content begins on a line of its own.
    var contentStartsLine: Bool
    var end: Int
  }
}
