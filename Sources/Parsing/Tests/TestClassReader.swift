import Model

/// Reads the classes of one source, and the methods in them whose names begin with `test`.
struct TestClassReader {
  struct Class: Hashable {
    var name: String
    /// What stands first behind its colon.
    var parent: String
  }

  struct Method: Hashable {
    var type: String
    var name: String
    /// Why XCTest passes over it; nil when it does not.
    var cause: NeverRunMethod.Cause?
    var location: SourceLocation
  }

  struct Scan {
    var classes: [Class] = []
    var methods: [Method] = []
    /// How often each word beginning with `test` occurs.
    var mentions: [String: Int] = [:]
  }

  /// What a brace opened.
  private struct Scope {
    /// The type whose members stand in it; nil for everything else.
    var type: String?
    var isPrivate = false
  }

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "open", "private", "fileprivate", "final", "override", "static", "class", "func",
    "nonisolated", "isolated", "dynamic", "mutating", "async", "extension", "required", "unsafe",
  ]

  let tokens: [SwiftTokens.Token]
  let path: String

  func read() -> Scan {
    var scan = Scan()
    for token in tokens where token.text.hasPrefix("test") { scan.mentions[token.text, default: 0] += 1 }
    var scopes: [Scope] = []
    var pending: Scope?
    var conditions = 0
    var parentheses = 0
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "if" where text(index - 1) == "#": conditions += 1
      case "endif" where text(index - 1) == "#": conditions -= 1
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{":
        scopes.append(parentheses == 0 ? pending ?? Scope() : Scope())
        pending = nil
      case "}": _ = scopes.popLast()
      case "class", "extension":
        guard parentheses == 0, let type = type(at: index) else { continue }
        pending = scopes.isEmpty && conditions == 0 ? type.scope : Scope()
        if token.text == "class", scopes.isEmpty, conditions == 0, let parent = type.parent {
          scan.classes.append(Class(name: type.name, parent: parent))
        }
      case "func":
        guard conditions == 0, scopes.count == 1, let type = scopes[0].type else { continue }
        if let method = method(at: index, of: type, isPrivate: scopes[0].isPrivate) { scan.methods.append(method) }
      default: break
      }
    }
    return scan
  }

  private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  /// The words before a declaration's keyword that belong to it.
  private func modifiers(before index: Int) -> Set<String> {
    var found: Set<String> = []
    var position = index - 1
    while Self.modifiers.contains(text(position)), text(position) != "func" {
      found.insert(text(position))
      position -= 1
    }
    return found
  }

  private func type(at index: Int) -> (name: String, parent: String?, scope: Scope)? {
    let name = text(index + 1)
    // `class func` and `class var` declare members.
    guard name.first?.isLetter == true, !["func", "var", "let", "subscript"].contains(name),
      !Self.modifiers.contains(name), text(index + 2) != ".", text(index + 2) != "<"
    else { return nil }
    let isPrivate = !modifiers(before: index).isDisjoint(with: ["private", "fileprivate"])
    let parent = text(index + 2) == ":" && text(index + 4) != "." ? text(index + 3) : nil
    return (name, parent, Scope(type: name, isPrivate: isPrivate))
  }

  private func method(at index: Int, of type: String, isPrivate: Bool) -> Method? {
    let name = text(index + 1)
    guard name.hasPrefix("test"), text(index + 2) == "(" || text(index + 2) == "<" else { return nil }
    let modifiers = modifiers(before: index)
    let cause: NeverRunMethod.Cause? =
      if isPrivate || !modifiers.isDisjoint(with: ["private", "fileprivate"]) {
        .isPrivate
      } else if !modifiers.isDisjoint(with: ["static", "class"]) {
        .isStatic
      } else if text(index + 2) == "(", text(index + 3) != ")" {
        .hasParameters
      } else if text(index + 2) == "(", returnsValue(behind: index + 3) {
        .returnsValue
      } else {
        nil
      }
    let location = SourceLocation(file: path, line: tokens[index].line)
    return Method(type: type, name: name, cause: cause, location: location)
  }

  /// Whether an arrow behind the parameters leads to anything but nothing.
  private func returnsValue(behind parenthesis: Int) -> Bool {
    var position = parenthesis + 1
    while ["async", "throws", "rethrows"].contains(text(position)) {
      position += 1
      // The type of what is thrown.
      if text(position) == "(" { while position < tokens.count, text(position - 1) != ")" { position += 1 } }
    }
    guard text(position) == "->" else { return false }
    if text(position + 1) == "Void" { return text(position + 2) != "{" }
    if text(position + 1) == "Swift" { return false }
    return !(text(position + 1) == "(" && text(position + 2) == ")" && text(position + 3) == "{")
  }
}
