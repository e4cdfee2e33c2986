import Glibc

/// Finds the tags of a template, one at a time.
struct TagScanner {
  private let origin: String
  private let bytes: [UInt8]
  private var opening = Array("{{".utf8)
  private var closing = Array("}}".utf8)

  init(origin: String, bytes: [UInt8]) {
    self.origin = origin
    self.bytes = bytes
  }

  /// Returns the next tag; a change of delimiters applies from then on.
  mutating func next(from position: Int) throws(TemplateError) -> TemplateTag? {
    guard let offset = find(opening, from: position) else { return nil }
    var start = offset + opening.count
    while start < bytes.count, isSpace(bytes[start]) { start += 1 }
    guard start < bytes.count else { throw unclosed(offset) }
    switch bytes[start] {
    case UInt8(ascii: "="): return try delimiters(at: offset, content: start + 1)
    case UInt8(ascii: "!"):
      guard let end = find(closing, from: start + 1) else {
        throw failure(
          at: offset, "the comment is never closed",
          advice: "Close it with \(String(decoding: closing, as: UTF8.self)).")
      }
      return TemplateTag(kind: .comment, name: "", offset: offset, end: end + closing.count)
    case UInt8(ascii: "{"):
      return try named(
        .variable(isEscaped: false), at: offset, content: start + 1, closing: [UInt8(ascii: "}")] + closing)
    default:
      guard let kind = Self.kind(of: bytes[start]) else {
        return try named(.variable(isEscaped: true), at: offset, content: start, closing: closing)
      }
      return try named(kind, at: offset, content: start + 1, closing: closing)
    }
  }

  func failure(at offset: Int, _ reason: String, advice: String) -> TemplateError {
    TemplateError(
      file: origin, position: TemplateError.Position(offset: offset, in: bytes), reason: reason, advice: advice)
  }

  private static func kind(of sigil: UInt8) -> TemplateTag.Kind? {
    switch sigil {
    case UInt8(ascii: "#"): .section
    case UInt8(ascii: "^"): .inverted
    case UInt8(ascii: "/"): .end
    case UInt8(ascii: ">"): .partial
    case UInt8(ascii: "<"): .parent
    case UInt8(ascii: "$"): .block
    case UInt8(ascii: "&"): .variable(isEscaped: false)
    default: nil
    }
  }

  private func named(
    _ kind: TemplateTag.Kind, at offset: Int, content: Int, closing: [UInt8]
  ) throws(TemplateError) -> TemplateTag {
    guard let end = find(closing, from: content) else { throw unclosed(offset, closing) }
    let name = trimmed(content..<end)
    if name.isEmpty {
      throw failure(at: offset, "the tag names nothing", advice: "Put a name into it, or take it out.")
    }
    if name.contains(UInt8(ascii: "\n")) || find(opening, in: name) != nil { throw unclosed(offset, closing) }
    if name.contains(where: isSpace) {
      throw failure(
        at: offset, "the name \"\(String(decoding: name, as: UTF8.self))\" has white space in it",
        advice: "Write the name without white space, or two tags for two names.")
    }
    return TemplateTag(
      kind: kind, name: String(decoding: name, as: UTF8.self), offset: offset, end: end + closing.count)
  }

  private mutating func delimiters(at offset: Int, content: Int) throws(TemplateError) -> TemplateTag {
    let advice = "Write it like {{=<% %>=}}."
    let ending = [UInt8(ascii: "=")] + closing
    guard let end = find(ending, from: content) else {
      throw failure(at: offset, "the change of delimiters is never closed", advice: advice)
    }
    let parts = bytes[content..<end].split(whereSeparator: isSpace)
    guard parts.count == 2, !bytes[content..<end].contains(UInt8(ascii: "=")) else {
      throw failure(
        at: offset, "a change of delimiters takes two delimiters with a space between them and no \"=\" in them",
        advice: advice)
    }
    opening = Array(parts[0])
    closing = Array(parts[1])
    return TemplateTag(kind: .delimiters, name: "", offset: offset, end: end + ending.count)
  }

  private func unclosed(_ offset: Int, _ closing: [UInt8]? = nil) -> TemplateError {
    failure(
      at: offset, "the tag is never closed",
      advice: "Close it with \(String(decoding: closing ?? self.closing, as: UTF8.self)) on the same line.")
  }

  private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private func find(_ needle: [UInt8], from start: Int) -> Int? {
    start <= bytes.count ? find(needle, in: bytes[start...]) : nil
  }

  private func find(_ needle: [UInt8], in haystack: ArraySlice<UInt8>) -> Int? {
    haystack.withUnsafeBytes { buffer in
      var index = 0
      while index + needle.count <= buffer.count, let base = buffer.baseAddress,
        let found = memchr(base + index, Int32(needle[0]), buffer.count - index)
      {
        index = UnsafeRawPointer(found) - base
        if buffer[index...].starts(with: needle) { return haystack.startIndex + index }
        index += 1
      }
      return nil
    }
  }
}

struct TemplateTag {
  enum Kind: Equatable {
    case comment, delimiters
    case variable(isEscaped: Bool)
    case section, inverted, partial, parent, block, end

    /// Returns a tag of this kind in its usual form, regardless of the current delimiters.
    func opening(_ name: String) -> String {
      switch self {
      case .section: "{{#\(name)}}"
      case .inverted: "{{^\(name)}}"
      case .parent: "{{<\(name)}}"
      case .block: "{{$\(name)}}"
      default: "{{\(name)}}"
      }
    }
  }

  var kind: Kind
  /// The name in the tag; empty for comments and delimiters.
  var name: String
  /// The offset of its first byte.
  var offset: Int
  /// The offset of the first byte after it.
  var end: Int
}
