import Model

/// A source language, as far as lexical rules are concerned.
package enum SourceLanguage: Sendable {
  case swift
  /// C, C++ and Objective-C, which share their comments and literals.
  case c
  /// A language whose rules are unknown, so its sources have no tokens.
  case other

  /// Determines the language by the file name extension, as build tools do.
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
