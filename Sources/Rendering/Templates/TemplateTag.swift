/// One tag of a template.
struct TemplateTag {
  /// What a tag does.
  enum Kind: Equatable {
    case comment, delimiters
    case variable(isEscaped: Bool)
    case section, inverted, partial, parent, block, end

    /// A tag of this kind as people know it, whatever the delimiters are.
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
  /// What the tag names; empty for comments and delimiters.
  var name: String
  /// Its first byte.
  var offset: Int
  /// The first byte behind it.
  var end: Int
}
