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
  }

  /// Reads the places, leaving out addresses whose place is unknown or outside the package.
  ///
  /// For an inlined call, the innermost place counts.
  package static func read(_ bytes: [UInt8], relativise: (String) -> String?) -> [UInt64: SourceLocation] {
    var places: [UInt64: SourceLocation] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // An unreadable answer costs only the place of one call.
      guard let answer: Answer = try? ToolJSON.read(Array(line), of: "an answer of llvm-symbolizer"),
        let address = answer.Address?.dropping("0x").flatMap({ UInt64($0, radix: 16) })
      else { continue }
      for place in answer.Symbol ?? [] {
        guard let line = place.Line, line > 0, let file = relativise(place.FileName?.withoutNul ?? "") else { continue }
        let column = place.Column.flatMap { $0 > 0 ? $0 : nil }
        places[address] = SourceLocation(file: file, line: line, column: column)
        break
      }
    }
    return places
  }
}
