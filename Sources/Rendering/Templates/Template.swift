/// One template, read once into instructions that a renderer runs as often as it is shown.
final class Template: Sendable {
  /// What others include it by, such as `partials/head`.
  let name: String
  /// What messages call it: the path of its file, or its name where it has no file.
  let origin: String
  /// Its text in valid UTF-8; instructions point into it.
  let bytes: [UInt8]
  let instructions: [Instruction]
  /// What the instructions name by index.
  let paths: [Path]
  let inclusions: [Inclusion]
  let blocks: [Block]

  init(name: String, origin: String, bytes: [UInt8]) throws(TemplateError) {
    self.name = name
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
  /// One step of a rendering. An `end` is the index of the instruction to go on with after the whole construct.
  ///
  /// What is more than numbers is named by its index, so that a step can be taken without counting references to it.
  enum Instruction: Sendable {
    /// Text of the template. Where it starts a line of the template (it may be empty), indentation goes before it.
    case text(Range<Int>, startsLine: Bool)
    case variable(path: Int, isEscaped: Bool)
    case section(path: Int, end: Int)
    case inverted(path: Int, end: Int)
    /// Ends one turn of a section; inverted sections need no end.
    case endSection
    /// `{{>name}}`, or `{{<name}}` with the blocks that it hands over.
    case inclusion(Int)
    case block(Int)
  }

  /// The dotted name of a value; no names at all for `{{.}}`.
  struct Path: Sendable {
    var names: [String]
    /// Where the tag begins.
    var offset: Int

    /// The name as the template writes it.
    var text: String { names.isEmpty ? "." : names.joined(separator: ".") }
  }

  /// A place where another template goes.
  struct Inclusion: Sendable {
    var name: String
    /// Where the tag begins.
    var offset: Int
    /// The white space before a tag that stands alone on its line; nil for one inside a line.
    var indentation: Range<Int>?
    /// The index of each block that replaces one of the included template.
    var arguments: [String: Int] = [:]
    var end: Int
  }

  /// A part of a template that another one can replace, and equally the part that replaces it.
  struct Block: Sendable {
    var name: String
    /// Where the tag begins.
    var offset: Int
    /// Whether the opening tag was alone on its line, and the line with it is gone.
    var isStandalone: Bool
    /// The white space before the opening tag; nil where something else comes before it on its line.
    var indentation: Range<Int>?
    /// The white space before the first line of the content; nil where the content begins on the tag's own line.
    var contentIndentation: Range<Int>?
    /// Whether the content begins on a line of its own.
    var contentStartsLine: Bool
    var end: Int
  }
}
