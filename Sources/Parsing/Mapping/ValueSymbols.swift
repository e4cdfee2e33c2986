import Model

/// The code in a program that makes values when they are first needed, and the properties that the values are of.
///
/// The names are those of the compiler
/// (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst#globals): the code's begins like the property's,
/// in which the type follows.
struct ValueSymbols {
  /// Where the code begins, counted from where the program is loaded, by its name.
  private(set) var makers: [String: UInt64] = [:]
  /// The name of the property by that of the code; that of a pattern such as `(a, b)` has none.
  private(set) var properties: [String: String] = [:]

  init(_ file: [UInt8]) throws(ParsingError) {
    var properties: [String] = []
    try ObjectSymbols.each(of: file) { name, kind, place in
      if kind == .function, name.hasSuffix("_WZ") {
        makers[String(decoding: name, as: UTF8.self)] = place.address
      } else if kind == .data, name.hasSuffix("vp") || name.hasSuffix("vpZ") {
        properties.append(String(decoding: name, as: UTF8.self))
      }
    }
    pair(makers.keys.map { String($0.dropLast(3)) }, with: properties.sorted())
  }

  private mutating func pair(_ starts: [String], with sorted: [String]) {
    var owners: [String: String] = [:]
    // What is declared in a type begins like the type, which may be called like a property elsewhere.
    for start in starts.sorted(by: { $0.utf8.count < $1.utf8.count }) {
      for property in sorted[sorted.partitioningIndex { $0 >= start }...] {
        guard property.hasPrefix(start) else { break }
        owners[property] = start
      }
    }
    for (start, pairs) in Dictionary(grouping: owners, by: \.value) where pairs.count == 1 {
      properties["\(start)_WZ"] = pairs[0].key
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
