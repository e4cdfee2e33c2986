import Model

/// The name of a function without the type that it is a member of, and that type.
struct FunctionShortName {
  /// `init(name:)` of `Cookie<A>.init(name:)`; a local function keeps the one that it is in: `go() in init(name:)`.
  let text: String
  /// `Cookie<A>`; nil for a function that is a member of no type.
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
    let bytes = Array(last.utf8)
    let type = String(decoding: bytes[..<(start - 1)], as: UTF8.self)
    self.type = type.hasPrefix("static ") ? String(type.dropFirst("static ".count)) : type
    text = (parts + [String(decoding: bytes[start...], as: UTF8.self)]).joined(separator: " in ")
  }

  /// A local function, the function that it is in, and so on.
  private static func holders(of name: String) -> [String] {
    var parts: [String] = []
    var rest = name[...]
    while let found = rest.firstRange(ofASCII: " in ") {
      parts.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// Behind a property they are not a member of it.
  private static let accessors: Set<String> = ["didSet", "willSet", "setter"]

  /// Where the last part of a dotted name begins.
  private static func start(of name: String) -> Int {
    let bytes = Array(name.utf8)
    var starts = [0]
    var depth = 0
    scan: for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"):
        // Right behind a point it is an operator's name.
        if index == starts.last { break scan }
        depth += 1
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ".") where depth == 0: starts.append(index + 1)
      case UInt8(ascii: "(") where depth == 0: break scan
      default: break
      }
    }
    guard let last = starts.popLast(), last < bytes.count else { return 0 }
    return accessors.contains(String(decoding: bytes[last...], as: UTF8.self)) ? starts.last ?? 0 : last
  }
}
