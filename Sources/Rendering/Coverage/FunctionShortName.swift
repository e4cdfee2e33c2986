import Model

/// The name of a function without the type that it is a member of, and that type.
struct FunctionShortName {
  /// `init(name:)` for `Cookie<A>.init(name:)`; a local function keeps the name of its enclosing function: `go() in
  /// init(name:)`.
  let text: String
  /// `Cookie<A>`; nil for a function that is not a member of a type.
  let type: String?

  init(_ name: String) {
    var parts = Self.holders(of: name)
    let last = parts.removeLast()
    let start = Self.start(of: last)
    guard start > 0 else {
      text = name
      type = nil
      return
    }
    let split = last.utf8.index(last.startIndex, offsetBy: start)
    let type = last[..<last.utf8.index(before: split)]
    self.type = String(type.hasPrefix("static ") ? type.dropFirst("static ".count) : type)
    text = parts.isEmpty ? String(last[split...]) : (parts + [last[split...]]).joined(separator: " in ")
  }

  /// Returns a local function, its enclosing function, and so on.
  private static func holders(of name: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = name[...]
    while let found = rest.firstRange(ofASCII: " in ") {
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts + [rest]
  }

  /// After a property name, these are not members of it.
  private static let accessors = ["didSet", "willSet", "setter"]

  /// Returns the offset at which the last component of a dotted name begins.
  private static func start(of name: Substring) -> Int {
    var name = name
    return name.withUTF8 { bytes in
      // The offsets of the last two components.
      var (before, last) = (0, 0)
      var depth = 0
      scan: for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "<"):
          // Directly after a dot, this is an operator name.
          if index == last { break scan }
          depth += 1
        case UInt8(ascii: ">"): depth -= 1
        case UInt8(ascii: ".") where depth == 0: (before, last) = (last, index + 1)
        case UInt8(ascii: "(") where depth == 0: break scan
        default: break
        }
      }
      guard last < bytes.count else { return 0 }
      return accessors.contains { bytes[last...].elementsEqual($0.utf8) } ? before : last
    }
  }
}
