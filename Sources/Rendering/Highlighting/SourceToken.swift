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
  /// The class that the style sheet knows the kind by.
  var styleClass: StaticString {
    switch self {
    case .keyword: "k"
    case .type: "ty"
    case .attribute, .directive: "at"
    case .comment: "c"
    case .string, .regex: "s"
    case .number: "n"
    }
  }
}
