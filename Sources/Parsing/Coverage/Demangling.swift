/// The answer of the toolchain's `swift-demangle --simplified`.
package enum Demangling {
  /// What to write to the demangler's standard input: a symbol per line.
  package static func input(for symbols: [String]) -> String {
    symbols.map { $0 + "\n" }.joined()
  }

  /// Reads the demangler's standard output: a line per symbol, in the same order.
  /// - Returns: readable names by symbol; the demangler repeats what it does not understand.
  package static func parse(_ output: [UInt8], for symbols: [String]) throws -> [String: String] {
    var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == symbols.count else {
      throw ParsingError(
        "the names that swift-demangle wrote", reason: "it was asked for \(symbols.count) and gave \(lines.count)",
        advice: "Coverage is shown with mangled names until it gives a line for each.")
    }
    var names: [String: String] = [:]
    names.reserveCapacity(symbols.count)
    for (symbol, line) in zip(symbols, lines) { names[symbol] = String(decoding: line, as: UTF8.self) }
    return names
  }
}
