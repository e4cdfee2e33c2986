import Model

/// What a source is written in, as far as its lexical rules go.
package enum SourceLanguage: Sendable {
  case swift
  /// C, C++ and Objective-C, which share comments and literals.
  case c
  /// One whose rules are not known, so that its sources have no tokens.
  case other

  /// Tells by the end of the name, as build tools do.
  package init(path: String) {
    if path.hasSuffix(".swift") {
      self = .swift
    } else {
      let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8
      let suffix = name.lastIndex(of: UInt8(ascii: ".")).map { String(Substring(name[name.index(after: $0)...])) }
      self = suffix.map(SourceSuffix.allOfC.contains) == true ? .c : .other
    }
  }
}
