package import Model

/// Source places by address, as `llvm-symbolizer --output-style=JSON` prints them, one object per line
/// (https://llvm.org/docs/CommandGuide/llvm-symbolizer.html).
package enum SymbolizedPlaces {
  private struct Answer: Decodable {
    var Address: String?
    var Symbol: [Place]?
  }

  private struct Place: Decodable {
    var FileName: String?
    var Line: Int?
    var Column: Int?
    var StartFileName: String?
    var StartLine: Int?
    var StartAddress: String?
  }

  /// Reads the places, leaving out addresses whose place is unknown or outside the package.
  ///
  /// For an inlined call, the innermost place counts.
  ///
  /// - Parameter orFunction: whether code that belongs to no line, such as a check that the compiler adds, stands where its
  ///   function begins.
  package static func read(
    _ bytes: [UInt8], orFunction: Bool = false, relativise: (String) -> String?
  ) -> [UInt64: SourceLocation] {
    var places: [UInt64: SourceLocation] = [:]
    for (address, symbols) in answers(bytes) {
      for symbol in symbols where places[address] == nil {
        places[address] = SourceLocation(
          inPackage: symbol.FileName, line: symbol.Line, column: symbol.Column, relativise)
      }
      for symbol in symbols where orFunction && places[address] == nil {
        places[address] = SourceLocation(
          inPackage: symbol.StartFileName, line: symbol.StartLine, column: nil, relativise)
      }
    }
    return places
  }

  /// Returns the addresses of code in the package that belongs to no line, such as what counts its runs, each with where its
  /// function begins.
  package static func lineless(_ bytes: [UInt8], relativise: (String) -> String?) -> [UInt64: UInt64] {
    answers(bytes).reduce(into: [:]) { starts, answer in
      guard let symbol = answer.symbols.last, symbol.Line == 0, relativise(symbol.StartFileName ?? "") != nil,
        let start = symbol.StartAddress.flatMap(number)
      else { return }
      starts[answer.address] = start
    }
  }

  /// Returns where the functions begin to which addresses belong.
  package static func starts(_ bytes: [UInt8]) -> [UInt64: UInt64] {
    answers(bytes).reduce(into: [:]) { $0[$1.address] = $1.symbols.last?.StartAddress.flatMap(number) }
  }

  private static func answers(_ bytes: [UInt8]) -> [(address: UInt64, symbols: [Place])] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      // An unreadable answer costs only the place of one call.
      guard let answer: Answer = try? ToolJSON.read(Array(line), of: "an answer of llvm-symbolizer"),
        let address = answer.Address.flatMap(number)
      else { return nil }
      return (address, answer.Symbol ?? [])
    }
  }

  private static func number(_ text: String) -> UInt64? { text.dropping("0x").flatMap { UInt64($0, radix: 16) } }
}
