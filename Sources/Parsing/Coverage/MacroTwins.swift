import Model

/// The functions that one macro makes at one place, told apart from the copies of one function.
struct MacroTwins: Hashable {
  /// What all of them are called, such as `get_one(int) and get_two(int)`.
  let name: String
  /// How many they are, at least two.
  let count: Int

  /// Nil where there is only one, however often it was compiled.
  /// - Parameter demangled: readable names by mangled ones.
  init?(of code: FunctionCode, demangled: [String: String]) {
    guard let own = Self.declaration(code.symbol, demangled), let stem = Self.stem(of: own) else { return nil }
    var found = [stem: own]
    for symbol in code.otherSymbols.sorted() {
      guard let other = Self.declaration(symbol, demangled), let stem = Self.stem(of: other) else { continue }
      if found[stem] == nil { found[stem] = other }
    }
    let names = found.values.sorted()
    guard names.count > 1 else { return nil }
    count = names.count
    name = "\(names[0]) and \(count == 2 ? names[1] : "\(count - 1) more")"
  }

  /// Nil for what is no function with a name that can be read.
  private static func declaration(_ symbol: String, _ demangled: [String: String]) -> String? {
    guard CxxFunctionName.isMangled(symbol) else { return symbol }
    guard let name = demangled[symbol], !name.isEmpty, name != symbol else { return nil }
    let parts = CxxFunctionName(name)
    return parts.isLambda ? nil : parts.declaration
  }

  /// A name without what differs between the copies of a template and between C and C++: the parameters, and the type
  /// that an operator converts to. Nil where it has a part that compilers number.
  private static func stem(of declaration: String) -> String? {
    let unnamed = "(anonymous namespace)"
    var stem = declaration[...]
    var start = stem
    while let bracket = start.utf8.firstIndex(of: UInt8(ascii: "(")) {
      guard start[bracket...].hasPrefix(unnamed) else {
        stem = stem[..<bracket]
        break
      }
      start = start[bracket...].dropFirst(unnamed.count)
    }
    if let conversion = stem.firstRange(ofASCII: "operator ") { stem = stem[..<conversion.upperBound] }
    return stem.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "$") } ? nil : String(stem)
  }
}
