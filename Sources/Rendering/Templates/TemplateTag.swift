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
