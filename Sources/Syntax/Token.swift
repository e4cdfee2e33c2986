/// A lexical element of a source. Whitespace and line breaks belong to none, except within a literal or comment.
package struct Token: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A word of no other kind, or one in backticks.
    case name
    case keyword
    /// A capitalized word.
    case type
    /// `@main`, `@Test`.
    case attribute
    /// `#if`, `#expect`.
    case directive
    case comment
    /// A string, or a part of one next to an interpolation.
    case string
    case regex
    case number
    /// An operator or a separator, such as `->` or `,`.
    case sign
    case opening
    case closing
    /// `\(` in a string, and the closing parenthesis that returns to it.
    case interpolation
    case interpolationEnd
  }

  private static let noPartner = UInt32.max

  package let kind: Kind
  /// Whether it is preceded on its line only by comments.
  package let startsLine: Bool
  /// Whether its line begins with `#if`, `#elseif`, `#else` or `#endif`.
  package let isOfCondition: Bool
  private let first: UInt32
  private let end: UInt32
  private var other = Token.noPartner

  init(_ kind: Kind, _ range: Range<Int>, startsLine: Bool, isOfCondition: Bool) {
    self.kind = kind
    self.startsLine = startsLine
    self.isOfCondition = isOfCondition
    first = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  /// The byte offsets in the source; never empty.
  package var range: Range<Int> { Range(uncheckedBounds: (Int(first), Int(end))) }
  package var start: Int { Int(first) }
  /// The index of the matching bracket.
  package internal(set) var partner: Int? {
    get { other == Self.noPartner ? nil : Int(other) }
    set { other = newValue.map { UInt32(truncatingIfNeeded: $0) } ?? Self.noPartner }
  }

  package var isOpening: Bool { kind == .opening || kind == .interpolation }
  package var isClosing: Bool { kind == .closing || kind == .interpolationEnd }
  package var isWord: Bool { kind == .name || kind == .keyword || kind == .type }
}
