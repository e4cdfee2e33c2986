import Model

/// What mangled names say that readable ones do not: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
extension CxxFunctionName {
  /// Whether a mangled name is one of C++.
  static func isMangled(_ symbol: String) -> Bool { symbol.utf8.starts(with: "_Z".utf8) }

  /// Whether a mangled name is that of something inside of a function.
  static func isLocal(_ symbol: String) -> Bool { symbol.utf8.starts(with: "_ZZ".utf8) }

  /// Whether a mangled name is that of a lambda which is in a namespace and in no function, or of something in one.
  ///
  /// The names of what is in a function declared `extern "C"` look alike when they are read, because that one has no
  /// parameters in its name.
  static func isInLambdaOfNamespace(_ symbol: String) -> Bool {
    var rest = symbol.utf8.dropFirst(2).drop { $0 == UInt8(ascii: "Z") }
    guard rest.first == UInt8(ascii: "N") else { return false }
    rest = rest.dropFirst().drop { "rVK".utf8.contains($0) }
    while true {
      let digits = rest.prefix { 0x30...0x39 ~= $0 }
      guard let length = Int(Substring(digits)), length < rest.count else { break }
      rest = rest.dropFirst(digits.count)
      if rest.starts(with: "$_".utf8) { return true }
      rest = rest.dropFirst(length)
    }
    return rest.starts(with: "Ul".utf8)
  }

  /// A readable name without what libraries put behind names to tell their versions apart, such as `[abi:cxx11]`.
  static func withoutTags(_ name: String) -> [UInt8] {
    var rest = name[...]
    var kept: [UInt8] = []
    while let found = rest.firstRange(ofASCII: "[abi:"),
      let end = rest[found.upperBound...].utf8.firstIndex(of: UInt8(ascii: "]"))
    {
      kept += rest[..<found.lowerBound].utf8
      rest = rest[rest.utf8.index(after: end)...]
    }
    return kept + rest.utf8
  }
}
