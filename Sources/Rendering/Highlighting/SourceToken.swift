/// A stretch of source that a page shows in a colour of its own.
package struct SourceToken: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    case keyword
    case type
    /// `@main`, `@Test`.
    case attribute
    /// `#if`, `#expect`.
    case directive
    case comment
    case string
    case regex
    case number
  }

  package var kind: Kind
  /// Byte offsets in the source; never empty.
  package var range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}

extension SourceToken.Kind {
  /// The element that the style sheet knows the kind by: HTML's shortest, because a page holds thousands of them.
  var tags: (start: StaticString, end: StaticString) {
    switch self {
    case .keyword: ("<b>", "</b>")
    case .type: ("<i>", "</i>")
    case .attribute, .directive: ("<cite>", "</cite>")
    case .comment: ("<em>", "</em>")
    case .string, .regex: ("<u>", "</u>")
    case .number: ("<var>", "</var>")
    }
  }
}
