import Model

/// A global or a static property by the readable name of its storage, such as `static Shop.Cart.limit : Swift.Int`.
struct StoredProperty: Hashable {
  var module: String
  /// The last word of the name of the type that it is declared in; nil for a global.
  var owner: String?
  var name: String
  /// As the demangler writes it, with the module before each name.
  var type: String

  /// - Returns: nil for anything else, and for what is declared in a function itself. Of a type that is declared in one
  ///   the place comes last, as in `static Rule.limit : Swift.Int in Check #1 in Shop.check() -> ()`.
  init?(_ readable: String) {
    let text = Self.withoutFiles(readable)
    guard let colon = text[...].firstRange(ofASCII: " : ") else { return nil }
    var path = Self.withoutArguments(text[..<colon.lowerBound])
    if path.hasPrefix("static ") { path.removeFirst("static ".utf8.count) }
    let places = text[colon.upperBound...].split(separator: " in ", omittingEmptySubsequences: false).map(String.init)
    type = places[0]
    if places.count > 1 {
      let local = places[1].split(separator: " #")
      guard local.count == 2, Int(local[1]) != nil, let module = Self.module(of: places[places.count - 1]) else {
        return nil
      }
      path = "\(module).\(local[0]).\(path)"
    }
    var words = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let opening = "(extension in "
    if path.hasPrefix(opening) {
      let parts = words[0].dropFirst(opening.utf8.count).split(separator: ")")
      guard parts.count == 2 else { return nil }
      words[0] = String(parts[0])
    }
    guard words.count > 1, words.allSatisfy({ !$0.isEmpty && !$0.contains(where: " ()<>#".contains) }) else {
      return nil
    }
    module = words[0]
    owner = words.count > 2 ? words[words.count - 2] : nil
    name = words[words.count - 1]
  }

  /// Returns the module of a readable function; of one in an extension, the words before the module are cut off already.
  private static func module(of function: String) -> String? {
    let name = function.hasPrefix("static ") ? function.dropFirst("static ".utf8.count) : function[...]
    let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = name[module.endIndex...]
    return !module.isEmpty && (rest.first == "." || rest.hasPrefix("):")) ? String(module) : nil
  }

  /// Leaves out what a generic type is made of, such as in `Swift.Set< where A == Swift.Int>.limit`.
  private static func withoutArguments(_ text: Substring) -> String {
    var depth = 0
    return String(text).filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0
    }
  }

  /// Makes `(name in _0123)`, as what is private to a file is told, into the name.
  private static func withoutFiles(_ text: String) -> String {
    var parts = text.split(separator: " in _", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      guard let closing = parts[index].firstIndex(of: ")"), let opening = parts[index - 1].lastIndex(of: "(") else {
        return text
      }
      parts[index].removeSubrange(...closing)
      parts[index - 1].remove(at: opening)
    }
    return parts.joined()
  }
}
