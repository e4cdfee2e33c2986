import Glibc
import Model

/// The calls in a Swift source that are there to stop the program, which a test seldom wants to reach: of `fatalError`,
/// `preconditionFailure` and `assertionFailure` as the standard library has them.
///
/// A package may have functions of the same names that go on: what is called as a member of something, or with arguments
/// that the library's functions do not take, is not among these calls.
struct StoppingCalls {
  private static let names = ["fatalError", "preconditionFailure", "assertionFailure"].map { Array($0.utf8) }

  /// Where the names of the functions begin, ascending.
  private let offsets: [Int]

  init(in source: HighlightedSource) {
    offsets =
      source.isSwift
      ? Self.names.flatMap { name in
        source.bytes.offsets(of: name).filter { Self.isCall($0..<($0 + name.count), in: source) }
      }.sorted() : []
  }

  /// Whether a text has the names at all.
  static func mayBe(in bytes: [UInt8]) -> Bool {
    names.contains { bytes.firstOffset(of: $0, from: 0) != nil }
  }

  /// Whether one of the calls begins in a stretch of bytes.
  func isOne(in stretch: Range<Int>) -> Bool {
    let next = offsets.partitioningIndex { $0 >= stretch.lowerBound }
    return next < offsets.count && offsets[next] < stretch.upperBound
  }

  private static func isCall(_ name: Range<Int>, in source: HighlightedSource) -> Bool {
    let bytes = source.bytes
    guard name.lowerBound == 0 || !SwiftHighlighter.isName(bytes[name.lowerBound - 1]) else { return false }
    let bracket = bytes[name.upperBound...].firstIndex { !SwiftHighlighter.isBlank($0) } ?? bytes.endIndex
    guard bracket < bytes.count, bytes[bracket] == UInt8(ascii: "("), source.opaqueToken(at: name.lowerBound) == nil
    else { return false }
    switch source.item(before: name.lowerBound) {
    // A declaration.
    case .word(let word): if ["func", "case"].contains(where: { bytes[word].elementsEqual($0.utf8) }) { return false }
    case .sign(UInt8(ascii: "."), let point): if !isOfLibrary(point, in: source) { return false }
    default: break
    }
    return CallArguments(openedAt: bracket, in: source).fitStop
  }

  /// Whether what stands before a point is the module of the standard library.
  private static func isOfLibrary(_ point: Int, in source: HighlightedSource) -> Bool {
    guard case .word(let owner) = source.item(before: point), source.bytes[owner].elementsEqual("Swift".utf8) else {
      return false
    }
    if case .sign(UInt8(ascii: "."), _) = source.item(before: owner.lowerBound) { return false }
    return true
  }
}

/// Reads the arguments of a call, from its bracket on.
private struct CallArguments {
  private let source: HighlightedSource
  private var position: Int
  private let end: Int
  private var depth = 1
  /// How many commas stand between arguments up to the position.
  private var commas = 0
  private var isAtStart = true

  init(openedAt bracket: Int, in source: HighlightedSource) {
    self.source = source
    position = bracket + 1
    end = min(source.bytes.count, position + HighlightedSource.longestLine)
  }

  /// Whether they are at most a message, `file:` and `line:`.
  var fitStop: Bool {
    var arguments = self
    while arguments.position < arguments.end, arguments.depth > 0 {
      guard arguments.step() else { return false }
    }
    return true
  }

  /// Passes one sign, name or literal; false when it begins an argument that does not fit.
  private mutating func step() -> Bool {
    if let token = source.opaqueToken(at: position) {
      position = token.range.upperBound
      return token.kind == .comment || pass(literal: token.range)
    }
    let byte = source.bytes[position]
    guard !SwiftHighlighter.isBlank(byte), !SwiftHighlighter.isNewline(byte) else {
      position += 1
      return true
    }
    let isFirst = isAtStart
    isAtStart = false
    if SwiftHighlighter.isName(byte) {
      let rest = source.bytes[position..<end]
      let name = rest.prefix(while: SwiftHighlighter.isName)
      position = name.endIndex
      return !isFirst || fits(name)
    }
    position += 1
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
      // Behind the last comma there may be nothing.
      if depth == 0 { return true }
    case UInt8(ascii: ",") where depth == 1:
      commas += 1
      isAtStart = true
      return true
    default: break
    }
    return !isFirst || commas == 0
  }

  /// Whether the name that an argument begins with is a fitting label, or belongs to the message.
  private func fits(_ name: ArraySlice<UInt8>) -> Bool {
    let colon = source.bytes[name.endIndex..<end].first { !SwiftHighlighter.isBlank($0) }
    guard colon == UInt8(ascii: ":") else { return commas == 0 }
    return ["file", "line"].contains { name.elementsEqual($0.utf8) }
  }

  /// Passes a string or a part of one, between whose parts an interpolation is open.
  private mutating func pass(literal: Range<Int>) -> Bool {
    if source.bytes[literal.lowerBound] == UInt8(ascii: ")") { depth -= 1 }
    if source.bytes[literal.upperBound - 1] == UInt8(ascii: "(") { depth += 1 }
    let isFirst = isAtStart
    isAtStart = false
    return !isFirst || commas == 0
  }
}

extension HighlightedSource {
  /// The comment, string or regular expression that a byte belongs to.
  fileprivate func opaqueToken(at offset: Int) -> SourceToken? {
    let index = firstToken(endingAfter: offset)
    guard index < tokens.count, tokens[index].range.lowerBound <= offset else { return nil }
    return [.comment, .string, .regex].contains(tokens[index].kind) ? tokens[index] : nil
  }
}

extension [UInt8] {
  /// Where other bytes stand in these, ascending.
  fileprivate func offsets(of other: [UInt8]) -> [Int] {
    var found: [Int] = []
    while let next = firstOffset(of: other, from: found.last.map { $0 + 1 } ?? 0) { found.append(next) }
    return found
  }

  /// Where other bytes stand first in these from an offset on.
  fileprivate func firstOffset(of other: [UInt8], from start: Int) -> Int? {
    // A capital is rarer than the letters before it.
    let rare = other.firstIndex { $0 &- UInt8(ascii: "A") < 26 } ?? 0
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start + other.count <= bytes.count else { return nil }
      var next = start + rare
      let end = bytes.count - (other.count - rare)
      while next <= end, let found = memchr(base + next, Int32(other[rare]), end - next + 1) {
        next = base.distance(to: UnsafeRawPointer(found))
        if memcmp(base + (next - rare), other, other.count) == 0 { return next - rare }
        next += 1
      }
      return nil
    }
  }
}
