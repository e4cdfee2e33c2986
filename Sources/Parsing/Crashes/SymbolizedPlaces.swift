package import Model

/// Source places by address, as `llvm-symbolizer --output-style=JSON` prints them, one object per line
/// (https://llvm.org/docs/CommandGuide/llvm-symbolizer.html).
package enum SymbolizedPlaces {
  /// Reads the places, leaving out addresses whose place is unknown or outside the package.
  ///
  /// For an inlined call, the innermost place counts.
  package static func read(_ bytes: [UInt8], relativise: (String) -> String?) -> [UInt64: SourceLocation] {
    var places: [UInt64: SourceLocation] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // An unreadable answer costs only the place of one call.
      guard let answer = try? answer(Array(line)), let address = answer.address else { continue }
      for place in answer.places where place.line > 0 {
        guard let file = relativise(place.file) else { continue }
        places[address] = SourceLocation(file: file, line: place.line, column: place.column)
        break
      }
    }
    return places
  }

  private static func answer(_ line: [UInt8]) throws -> (address: UInt64?, places: [SourceLocation]) {
    var scanner = JSONScanner(line, input: "an answer of llvm-symbolizer")
    var address: UInt64?
    var places: [SourceLocation] = []
    try scanner.readObject { scanner, key in
      switch key {
      case "Address": address = try scanner.readString().dropping("0x").flatMap { UInt64($0, radix: 16) }
      case "Symbol": try scanner.readArray { places.append(try place(&$0)) }
      default: try scanner.skipValue()
      }
    }
    return (address, places)
  }

  private static func place(_ scanner: inout JSONScanner) throws -> SourceLocation {
    var place = SourceLocation(file: "", line: 0)
    try scanner.readObject { scanner, key in
      switch key {
      case "FileName": place.file = try scanner.readString().withoutNul
      case "Line": place.line = try scanner.readInt()
      case "Column":
        let column = try scanner.readInt()
        place.column = column > 0 ? column : nil
      default: try scanner.skipValue()
      }
    }
    return place
  }
}
