import Model

/// What a source is written in, as far as its lexical rules go.
enum SourceLanguage: Sendable {
  case swift
  /// C, C++ and Objective-C, which share comments and literals.
  case c
  /// Shown without colours.
  case other

  /// Tells by the end of the name, as build tools do.
  init(path: String) {
    if path.hasSuffix(".swift") {
      self = .swift
    } else {
      let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8
      let suffix = name.lastIndex(of: UInt8(ascii: ".")).map { String(Substring(name[name.index(after: $0)...])) }
      self = suffix.map(SourceSuffix.allOfC.contains) == true ? .c : .other
    }
  }

  /// The tokens of a source; none where nothing is known of its language.
  func tokens(in source: [UInt8]) -> [SourceToken] {
    switch self {
    case .swift: SwiftHighlighter.tokens(in: source)
    case .c: CHighlighter.tokens(in: source)
    case .other: []
    }
  }
}
