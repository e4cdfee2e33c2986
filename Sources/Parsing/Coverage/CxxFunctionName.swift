import Model

/// Takes a readable name of a function of C++ apart, as `__cxa_demangle` writes it.
///
/// The copies of a template are one function where they are counted, so it is named without their arguments and without
/// the type of what they return.
struct CxxFunctionName {
  /// What lies before the first lambda, or all of it: `pool::Ring::push(int)`.
  private(set) var declaration: String
  private(set) var isLambda = false

  private let bytes: [UInt8]
  private var position = 0
  private var kept: [UInt8] = []
  /// Where the first lambda begins in what is kept.
  private var lambda: Int?
  /// What follows the parameters, as ` const` does, and the type behind `operator` have blanks of their own.
  private var keepsBlanks = false

  init(_ demangled: String) {
    bytes = Self.withoutTags(demangled)
    declaration = String(decoding: bytes, as: UTF8.self)
    while position < bytes.count {
      // What does not look like a name stays as it is.
      guard step() else { return }
    }
    if let lambda {
      isLambda = true
      kept.removeSubrange(lambda...)
      if kept.suffix(2).elementsEqual("::".utf8) { kept.removeLast(2) }
    }
    declaration = String(decoding: kept, as: UTF8.self)
  }

  /// Reads one part; false where a bracket is never closed.
  private mutating func step() -> Bool {
    if isAtStartOfWord, take("operator") {
      takeOperator()
      return true
    }
    if take("(anonymous namespace)") { return true }
    switch bytes[position] {
    case UInt8(ascii: "<"):
      let start = kept.count
      guard takeBrackets(UInt8(ascii: "<"), UInt8(ascii: ">")) else { return false }
      kept.removeSubrange(start...)
      if kept.last == UInt8(ascii: " ") { kept.removeLast() }
      return true
    case UInt8(ascii: "{"):
      if starts(with: "{lambda(") { lambda = lambda ?? kept.count }
      // A default argument is a part of its function.
      let start = starts(with: "{default arg#") && kept.suffix(2).elementsEqual("::".utf8) ? kept.count - 2 : nil
      guard takeBrackets(UInt8(ascii: "{"), UInt8(ascii: "}")) else { return false }
      if let start { kept.removeSubrange(start...) }
      return true
    case UInt8(ascii: "("):
      let isType = kept.suffix(8).elementsEqual("decltype".utf8) || kept.suffix(9).elementsEqual("decltype ".utf8)
      guard takeBrackets(UInt8(ascii: "("), UInt8(ascii: ")")) else { return false }
      if !isType { keepsBlanks = true }
      return true
    case UInt8(ascii: "$") where isAtStartOfWord && starts(with: "$_"):
      lambda = lambda ?? kept.count
    case UInt8(ascii: " ") where !keepsBlanks && (!starts(with: " (") || starts(with: " (anonymous namespace)")):
      // All of it was the type of what the function returns; behind `decltype` that is not over yet.
      kept.removeAll()
      position += 1
      return true
    default: break
    }
    kept.append(bytes[position])
    position += 1
    return true
  }

  /// Reads what makes an operator's name: `()`, punctuation, or a word or type behind a blank.
  private mutating func takeOperator() {
    if take("()") || position == bytes.count { return }
    let first = bytes[position]
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\"") {
      keepsBlanks = true
      while position < bytes.count, bytes[position] != UInt8(ascii: "(") {
        kept.append(bytes[position])
        position += 1
      }
      return
    }
    while position < bytes.count, "<>=!+-*/%^&|~,[]".utf8.contains(bytes[position]) {
      kept.append(bytes[position])
      position += 1
    }
    // A blank keeps the arguments of a template apart from an operator like `<`.
    if starts(with: " <") { position += 1 }
  }

  /// Keeps a text that comes next; false when another one comes.
  private mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    kept += bytes[position..<position + text.utf8CodeUnitCount]
    position += text.utf8CodeUnitCount
    return true
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Keeps all from an opening bracket to its closing one.
  private mutating func takeBrackets(_ opening: UInt8, _ closing: UInt8) -> Bool {
    var depth = 0
    let start = position
    for index in start..<bytes.count {
      if bytes[index] == opening { depth += 1 }
      // An arrow is no bracket.
      if bytes[index] == closing, bytes[index - 1] != UInt8(ascii: "-") { depth -= 1 }
      if depth == 0 {
        kept += bytes[start...index]
        position = index + 1
        return true
      }
    }
    return false
  }

  private var isAtStartOfWord: Bool {
    guard let last = kept.last else { return true }
    return last == UInt8(ascii: ":") || last == UInt8(ascii: " ")
  }
}

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
