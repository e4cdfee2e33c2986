import Model

/// A reader of the classes in one source, and of their methods that are tests or look like some.
struct TestClassReader {
  struct Class: Hashable {
    var name: String
    /// The first type after its colon.
    var parent: String
  }

  struct Method: Hashable {
    var type: String
    var name: String
    /// The reason why XCTest ignores the method; nil if it does not.
    var cause: NeverRunMethod.Cause?
    var location: SourceLocation
  }

  struct Scan {
    var classes: [Class] = []
    var methods: [Method] = []
    /// The methods without parameters that assert something, and whose names do not begin with `test`.
    var misnamed: [Method] = []
    /// The number of occurrences of each word that begins with `test`.
    var mentions: [String: Int] = [:]
  }

  /// The context that a brace opened.
  private struct Scope {
    /// The type whose members are in it; nil for anything else.
    var type: String?
    var isPrivate = false
  }

  let words: CodeWords
  let path: String

  func read() -> Scan {
    var scan = Scan()
    for word in words.indices.lazy.map({ words[$0] }) where word.hasPrefix("test") {
      scan.mentions[word, default: 0] += 1
    }
    var scopes: [Scope] = []
    var pending: Scope?
    var conditions = 0
    var parentheses = 0
    for index in words.indices {
      switch words[index] {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{":
        scopes.append(parentheses == 0 ? pending ?? Scope() : Scope())
        pending = nil
      case "}": _ = scopes.popLast()
      case "class", "extension":
        guard parentheses == 0, let type = type(at: index) else { continue }
        pending = scopes.isEmpty && conditions == 0 ? type.scope : Scope()
        if words[index] == "class", scopes.isEmpty, conditions == 0, let parent = type.parent {
          scan.classes.append(Class(name: type.name, parent: parent))
        }
      case "func":
        guard conditions == 0, scopes.count == 1, let type = scopes[0].type else { continue }
        if let method = method(at: index, of: type, isPrivate: scopes[0].isPrivate) { scan.methods.append(method) }
        if !scopes[0].isPrivate, let method = misnamed(at: index, of: type) { scan.misnamed.append(method) }
      default: break
      }
    }
    return scan
  }

  private func type(at index: Int) -> (name: String, parent: String?, scope: Scope)? {
    let name = words[index + 1]
    // `class func` and `class var` declare members.
    guard name.first?.isLetter == true, !["func", "var", "let", "subscript"].contains(name),
      !CodeWords.modifiers.contains(name), words[index + 2] != ".", words[index + 2] != "<"
    else { return nil }
    let isPrivate = !words.modifiers(before: index).isDisjoint(with: ["private", "fileprivate"])
    let parent = words[index + 2] == ":" && words[index + 4] != "." ? words[index + 3] : nil
    return (name, parent, Scope(type: name, isPrivate: isPrivate))
  }

  private func method(at index: Int, of type: String, isPrivate: Bool) -> Method? {
    let name = words[index + 1]
    guard name.hasPrefix("test"), words[index + 2] == "(" || words[index + 2] == "<" else { return nil }
    let modifiers = words.modifiers(before: index)
    let cause: NeverRunMethod.Cause? =
      if isPrivate || !modifiers.isDisjoint(with: ["private", "fileprivate"]) {
        .isPrivate
      } else if !modifiers.isDisjoint(with: ["static", "class"]) {
        .isStatic
      } else if words[index + 2] == "(", words[index + 3] != ")" {
        .hasParameters
      } else if words[index + 2] == "(", words.returnsValue(behind: index + 3) {
        .returnsValue
      } else {
        nil
      }
    let location = SourceLocation(file: path, line: words.line(index))
    return Method(type: type, name: name, cause: cause, location: location)
  }

  /// Returns a method that would be a test if its name began with `test`, and that asserts something.
  private func misnamed(at index: Int, of type: String) -> Method? {
    guard words.mightBeTest(at: index), !words[index + 1].hasPrefix("test"),
      words.bodyHolds(ofFunctionAt: index, where: Self.isAssertion)
    else { return nil }
    let location = SourceLocation(file: path, line: words.line(index))
    return Method(type: type, name: words[index + 1], cause: .misnamed, location: location)
  }

  private static func isAssertion(_ word: String) -> Bool {
    word.hasPrefix("XCTAssert") || word == "XCTFail" || word == "XCTUnwrap"
  }
}
