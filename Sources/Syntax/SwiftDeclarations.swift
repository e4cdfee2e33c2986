/// The types and functions that a Swift source declares, as its words and brackets tell.
///
/// Brackets that match only under one compilation condition may confuse it.
package struct SwiftDeclarations: Sendable {
  /// Where something stands.
  package struct Place: Sendable {
    /// The type whose braces are directly around it; nil at the top, and in any other brace.
    package var scope: Int?
    /// Whether one of the braces around it opens anything but a type.
    package var isLocal: Bool
    /// Whether it is subject to conditional compilation.
    package var isConditional: Bool
  }

  /// A type or an extension of one.
  package struct Scope: Sendable {
    /// `class`, `struct`, `actor`, `enum` or `extension`.
    package var keyword: String
    /// The name as it is written, such as `Outer.Inner`.
    package var name: String
    package var isGeneric: Bool
    /// The first type after its colon; nil if there is none, or if a dot follows.
    package var parent: String?
    /// How many types it names behind its colon, at most, without those that demand nothing; those of a generic type are not
    /// counted.
    package var inherited: Int
    package var modifiers: Set<String>
    package var place: Place
  }

  /// A function of any kind.
  package struct Function: Sendable {
    /// The index of `func` among the words.
    package var keyword: Int
    package var name: String
    package var place: Place
  }

  private static let types = CodeWords.types.subtracting(["protocol"])
  /// Words that follow those above without being the name of a type: `class var`, `for actor in`.
  private static let noNames = CodeWords.modifiers.union(["var", "let", "subscript", "in", "else", "is", "as"])

  package let words: CodeWords
  package private(set) var scopes: [Scope] = []
  package private(set) var functions: [Function] = []
  /// The attributes of whatever is declared, by their index among the words.
  package private(set) var attributes: [(index: Int, place: Place)] = []

  package init(_ words: CodeWords) {
    self.words = words
    // The types that the open braces belong to, and the parentheses that were open before them.
    var open: [(scope: Int?, parentheses: Int)] = []
    var pending: Int?
    var (conditions, parentheses, others) = (0, 0, 0)
    for index in words.indices {
      let place = Place(scope: open.last?.scope, isLocal: others > 0, isConditional: conditions != 0)
      switch words[index] {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{":
        open.append((parentheses == 0 ? pending : nil, parentheses))
        if open.last?.scope == nil { others += 1 }
        (pending, parentheses) = (nil, 0)
      case "}":
        guard let closed = open.popLast() else { continue }
        if closed.scope == nil { others -= 1 }
        parentheses = closed.parentheses
      case "func": functions.append(Function(keyword: index, name: words[index + 1], place: place))
      case let word where word.hasPrefix("@"): attributes.append((index, place))
      case let word where parentheses == 0 && Self.types.contains(word):
        guard let scope = scope(at: index, place) else { continue }
        pending = scopes.count
        scopes.append(scope)
      default: break
      }
    }
  }

  /// Returns what the keyword of a type declares; nil if it declares something else.
  private func scope(at index: Int, _ place: Place) -> Scope? {
    guard words[index - 1] != "import", isName(index + 1) else { return nil }
    var (name, end) = (words[index + 1], index + 2)
    while words[end] == ".", isName(end + 1) {
      name += "." + words[end + 1]
      end += 2
    }
    let hasParent = words[end] == ":" && isName(end + 1) && words[end + 2] != "."
    let behind = words.indices.dropFirst(end).prefix { words[$0] != "{" }
    let separators = behind.count { [",", "&"].contains(words[$0]) }
    let undemanding = behind.count { ["Sendable", "Copyable", "Escapable"].contains(words[$0]) }
    return Scope(
      keyword: words[index], name: name, isGeneric: words[end] == "<", parent: hasParent ? words[end + 1] : nil,
      inherited: words[end] == ":" ? 1 + separators - undemanding : 0, modifiers: words.modifiers(before: index),
      place: place)
  }

  private func isName(_ index: Int) -> Bool {
    guard let first = words[index].first, first.isLetter || first == "_" || first == "`" else { return false }
    return !Self.noNames.contains(words[index])
  }
}
