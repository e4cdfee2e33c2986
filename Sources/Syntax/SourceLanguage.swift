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
    let suffix = SourceSuffix.suffix(of: path) ?? ""
    self = suffix == "swift" ? .swift : SourceSuffix.allOfC.contains(suffix) ? .c : .other
  }
}
