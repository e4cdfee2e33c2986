/// The input and output of the toolchain's `swift-demangle --simplified` and of a C++ demangler.
package enum Demangling {
  /// Sorts mangled names by language.
  package static func byLanguage(_ symbols: [String]) -> (swift: [String], cxx: [String]) {
    var sorted: (swift: [String], cxx: [String]) = ([], [])
    for symbol in symbols {
      if CxxFunctionName.isMangled(symbol) { sorted.cxx.append(symbol) } else { sorted.swift.append(symbol) }
    }
    return sorted
  }

  /// Returns the standard input for a demangler: one symbol per line.
  package static func input(for symbols: [String]) -> String {
    symbols.map { $0 + "\n" }.joined()
  }

  /// Reads a demangler's standard output: one line per symbol, in the same order.
  /// - Returns: readable names by symbol; the demangler repeats a symbol that it does not understand.
  package static func parse(_ output: [UInt8], for symbols: [String]) throws -> [String: String] {
    let lines = output.count { $0 == UInt8(ascii: "\n") }
    guard lines == symbols.count else {
      throw ParsingError(
        "the names that swift-demangle wrote", reason: "it was asked for \(symbols.count) and gave \(lines)",
        advice: "Coverage is shown with mangled names until it gives a line for each.")
    }
    return parsePart(output, for: symbols)
  }

  /// Reads the output of a demangler that was stopped early: one line per symbol.
  /// - Returns: readable names by symbol, without an incomplete last line.
  package static func parsePart(_ output: [UInt8], for symbols: [String]) -> [String: String] {
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    return Dictionary(zip(symbols, lines.map { String(decoding: $0, as: UTF8.self) })) { first, _ in first }
  }
}
