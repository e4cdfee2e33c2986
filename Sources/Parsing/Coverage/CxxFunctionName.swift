import Model
import Syntax

/// A readable name of a C++ function, as `__cxa_demangle` writes it, taken apart.
///
/// Copies of a template are counted as one function, so the name omits their arguments and their return type.
struct CxxFunctionName {
  /// The part before the first lambda, or the whole name: `pool::Ring::push(int)`.
  private(set) var declaration: String
  private(set) var isLambda = false

  private let bytes: [UInt8]
  private var position = 0
  private var kept: [UInt8] = []
  /// The offset of the first lambda in `kept`.
  private var lambda: Int?
  /// Whether spaces are kept, as in a suffix such as ` const` and in the type after `operator`.
  private var keepsBlanks = false

  init(_ demangled: String) {
    bytes = Self.withoutTags(demangled)
    declaration = String(decoding: bytes, as: UTF8.self)
    while position < bytes.count {
      // Text that does not look like a name stays as it is.
      guard step() else { return }
    }
    if let lambda {
      isLambda = true
      kept.removeSubrange(lambda...)
      if kept.suffix(2).elementsEqual("::".utf8) { kept.removeLast(2) }
    }
    declaration = String(decoding: kept, as: UTF8.self)
  }

  /// Reads one part; returns false if a bracket is never closed.
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
      // A default argument is part of its function.
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
      // Everything so far was the return type; after `decltype` there may be more of it.
      kept.removeAll()
      position += 1
      return true
    default: break
    }
    kept.append(bytes[position])
    position += 1
    return true
  }

  /// Reads the name of an operator: `()`, punctuation, or a word or type after a space.
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
    let start = kept.count
    while position < bytes.count, "<>=!+-*/%^&|~,[]".utf8.contains(bytes[position]) {
      // In an operator, only another one stands before it; otherwise template arguments begin.
      if bytes[position] == UInt8(ascii: "<"), kept.count > start, kept.last != UInt8(ascii: "<") { break }
      kept.append(bytes[position])
      position += 1
    }
    // A space separates the template arguments from an operator such as `<`.
    if starts(with: " <") { position += 1 }
  }

  /// Keeps a text if it comes next; otherwise returns false.
  private mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    kept += bytes[position..<position + text.utf8CodeUnitCount]
    position += text.utf8CodeUnitCount
    return true
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Keeps everything from an opening bracket to its closing one.
  private mutating func takeBrackets(_ opening: UInt8, _ closing: UInt8) -> Bool {
    var depth = 0
    let start = position
    for index in start..<bytes.count {
      if bytes[index] == opening { depth += 1 }
      // The `>` of an arrow is not a bracket.
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

/// Information that only the mangled names have: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
extension CxxFunctionName {
  static func isMangled(_ symbol: String) -> Bool { symbol.utf8.starts(with: "_Z".utf8) }

  /// Whether a mangled name belongs to something inside a function.
  static func isLocal(_ symbol: String) -> Bool { symbol.utf8.starts(with: "_ZZ".utf8) }

  /// Whether a mangled name belongs to a lambda in a namespace, outside of any function, or to something in such a
  /// lambda.
  ///
  /// Demangled names do not show the difference: a function declared `extern "C"` has no parameters in its name, and
  /// looks like a namespace.
  static func isInLambdaOfNamespace(_ symbol: String) -> Bool {
    var rest = symbol.utf8.dropFirst(2).drop { $0 == UInt8(ascii: "Z") }
    guard rest.first == UInt8(ascii: "N") else { return false }
    rest = rest.dropFirst().drop { "rVK".utf8.contains($0) }
    while true {
      let digits = rest.prefix(while: \.isDigit)
      guard let length = Int(Substring(digits)), length < rest.count else { break }
      rest = rest.dropFirst(digits.count)
      if rest.starts(with: "$_".utf8) { return true }
      rest = rest.dropFirst(length)
    }
    return rest.starts(with: "Ul".utf8)
  }

  /// Returns a readable name without the tags that libraries add to names to distinguish versions, such as
  /// `[abi:cxx11]`.
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
