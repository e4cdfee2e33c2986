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

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "open", "private", "fileprivate", "final", "override", "static", "class", "func",
    "nonisolated", "isolated", "dynamic", "mutating", "async", "extension", "required", "unsafe",
  ]

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

  /// Returns the modifiers before a declaration's keyword.
  private func modifiers(before index: Int) -> Set<String> {
    var found: Set<String> = []
    var position = index - 1
    while Self.modifiers.contains(words[position]), words[position] != "func" {
      found.insert(words[position])
      position -= 1
    }
    return found
  }

  private func type(at index: Int) -> (name: String, parent: String?, scope: Scope)? {
    let name = words[index + 1]
    // `class func` and `class var` declare members.
    guard name.first?.isLetter == true, !["func", "var", "let", "subscript"].contains(name),
      !Self.modifiers.contains(name), words[index + 2] != ".", words[index + 2] != "<"
    else { return nil }
    let isPrivate = !modifiers(before: index).isDisjoint(with: ["private", "fileprivate"])
    let parent = words[index + 2] == ":" && words[index + 4] != "." ? words[index + 3] : nil
    return (name, parent, Scope(type: name, isPrivate: isPrivate))
  }

  private func method(at index: Int, of type: String, isPrivate: Bool) -> Method? {
    let name = words[index + 1]
    guard name.hasPrefix("test"), words[index + 2] == "(" || words[index + 2] == "<" else { return nil }
    let modifiers = modifiers(before: index)
    let cause: NeverRunMethod.Cause? =
      if isPrivate || !modifiers.isDisjoint(with: ["private", "fileprivate"]) {
        .isPrivate
      } else if !modifiers.isDisjoint(with: ["static", "class"]) {
        .isStatic
      } else if words[index + 2] == "(", words[index + 3] != ")" {
        .hasParameters
      } else if words[index + 2] == "(", returnsValue(behind: index + 3) {
        .returnsValue
      } else {
        nil
      }
    let location = SourceLocation(file: path, line: words.line(index))
    return Method(type: type, name: name, cause: cause, location: location)
  }

  /// The modifiers that say nothing about who may call a method.
  private static let plainModifiers: Set<String> = ["internal", "final", "nonisolated"]

  /// Returns a method that would be a test if its name began with `test`, and that asserts something.
  private func misnamed(at index: Int, of type: String) -> Method? {
    let modifiers = modifiers(before: index)
    let isPlain = ["{", "}", "@MainActor"].contains(words[index - 1 - modifiers.count])
    guard isPlain, modifiers.isSubset(of: Self.plainModifiers), !words[index + 1].hasPrefix("test"),
      words[index + 2] == "(", words[index + 3] == ")", !returnsValue(behind: index + 3),
      let start = words.indices[index...].first(where: { words[$0] == "{" }), let end = words.end(of: start),
      (start..<end).contains(where: { Self.isAssertion(words[$0]) })
    else { return nil }
    let location = SourceLocation(file: path, line: words.line(index))
    return Method(type: type, name: words[index + 1], cause: .misnamed, location: location)
  }

  private static func isAssertion(_ word: String) -> Bool {
    word.hasPrefix("XCTAssert") || word == "XCTFail" || word == "XCTUnwrap"
  }

  /// Whether the parameters are followed by a return type other than `Void`.
  private func returnsValue(behind parenthesis: Int) -> Bool {
    var position = parenthesis + 1
    while ["async", "throws", "rethrows"].contains(words[position]) {
      position += 1
      // The type of a typed `throws`.
      if words[position] == "(" {
        while position < words.indices.upperBound, words[position - 1] != ")" { position += 1 }
      }
    }
    guard words[position] == "->" else { return false }
    if words[position + 1] == "Void" { return words[position + 2] != "{" }
    if words[position + 1] == "Swift" { return false }
    return !(words[position + 1] == "(" && words[position + 2] == ")" && words[position + 3] == "{")
  }
}
