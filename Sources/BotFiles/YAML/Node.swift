/// One value of a YAML file, and where it begins.
struct Node {
  enum Content {
    case scalar(String, isPlain: Bool)
    case list([Node])
    case mapping([Entry])
  }

  /// One key of a mapping with its value.
  struct Entry {
    var key: String
    /// Where the key begins, in Unicode scalars.
    var start: Int
    var value: Node
  }

  var content: Content
  /// In Unicode scalars from the beginning of the file.
  var start: Int
  /// How many values it holds, itself included, after aliases were expanded.
  var size: Int

  /// Whether it is what YAML calls null: nothing at all, or a word for it.
  var isNothing: Bool {
    if case .scalar(let text, isPlain: true) = content { return ["", "~", "null"].contains(text) }
    return false
  }

  /// What it is, for a message.
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
  /// The text on one line without anything that a terminal might obey, cut where it becomes long.
  var shortened: String {
    let visible = prefix(41).map { character in
      character.unicodeScalars.allSatisfy(\.isHarmless) ? String(character) : "�"
    }
    return visible.count > 40 ? visible.prefix(40).joined() + "…" : visible.joined()
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it as it is: neither a control nor something that turns the direction of text.
  var isHarmless: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    case .format: value == 0x200D
    default: true
    }
  }
}
