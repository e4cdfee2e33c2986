/// A value in a YAML file, with its position.
struct Node {
  enum Content {
    case scalar(String, isPlain: Bool)
    case list([Node])
    case mapping([Entry])
  }

  /// A key of a mapping with its value.
  struct Entry {
    var key: String
    /// The start of the key, in Unicode scalars.
    var start: Int
    var value: Node
  }

  var content: Content
  /// The start of the value, in Unicode scalars from the beginning of the file.
  var start: Int
  /// The number of values it contains, including itself, after expanding aliases.
  var size: Int

  /// Whether it is null in YAML: nothing at all, or a word for it.
  var isNothing: Bool {
    if case .scalar(let text, isPlain: true) = content { return ["", "~", "null"].contains(text) }
    return false
  }

  /// A description of the value, for messages.
  var words: String {
    switch content {
    case .scalar where isNothing: "nothing"
    case .scalar("", _): "an empty text"
    case .scalar(let text, _): "'\(text.shortened)'"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension String {
  /// The text on a single line without anything that could control a terminal, truncated if long.
  var shortened: String {
    let visible = prefix(41).map { character in
      character.unicodeScalars.allSatisfy(\.isHarmless) ? String(character) : "�"
    }
    return visible.count > 40 ? visible.prefix(40).joined() + "…" : visible.joined()
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it as is: it is neither a control character nor one that changes the direction of text.
  var isHarmless: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    case .format: value == 0x200D
    default: true
    }
  }
}
