import Model

/// The functions that macros make, which have mangled names inside of mangled names: no demangler gets at these.
///
/// The format is that of https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst, "Macro expansion".
enum MacroExpansion {
  /// Returns the name of a function for readers: one that a demangler left partly mangled tells which macro made it for
  /// which declaration, as in `peer macro expansion of @Test for hang`.
  static func readable(_ function: String) -> String {
    guard let start = function.firstRange(ofASCII: "$s") else { return function }
    let (names, rest) = identifiers(function[start.upperBound...])
    guard names.count > 2, rest.hasPrefix("fMp") else { return function }
    return "peer macro expansion of @\(names[names.count - 1]) for \(names[names.count - 2])"
  }

  /// Returns the identifiers at the beginning of a mangled name, each preceded by its length and followed by the kind of
  /// what it names, and what comes behind them.
  private static func identifiers(_ mangled: Substring) -> (names: [Substring], rest: Substring) {
    var names: [Substring] = []
    var rest = mangled
    while true {
      rest = rest.drop { $0.isUppercase }
      guard let length = Int(rest.prefix { $0.isNumber }), length > 0 else { return (names, rest) }
      rest = rest.drop { $0.isNumber }
      guard rest.count >= length else { return (names, rest) }
      names.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
  }
}
