import Model

/// A reader of the suites of Swift Testing in one source, and of their functions that look like tests and are not marked.
struct SuiteReader {
  struct Function: Hashable {
    /// The path of the type that it is in, such as `Outer.Inner`; empty for one that is in none.
    var suite: String
    var name: String
    var location: SourceLocation
  }

  struct Scan {
    /// The types that directly hold a test.
    var suites: Set<String> = []
    /// Functions without `@Test` and without parameters that expect something.
    var unmarked: [Function] = []
  }

  private static let types: Set<String> = ["struct", "class", "actor", "enum", "extension"]
  private static let expectations: Set<String> = ["#expect", "#require"]

  let words: CodeWords
  let path: String

  func read() -> Scan {
    var scan = Scan()
    // The types that are open; nil for a brace that opens anything else.
    var scopes: [String?] = []
    var pending: String?
    var (conditions, parentheses) = (0, 0)
    for index in words.indices {
      let suite = scopes.contains(nil) ? nil : scopes.compactMap(\.self).joined(separator: ".")
      switch words[index] {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{":
        scopes.append(parentheses == 0 ? pending : nil)
        pending = nil
      case "}": _ = scopes.popLast()
      case "@Test": if let suite { scan.suites.insert(suite) }
      case "func":
        guard conditions == 0, let suite, words.mightBeTest(at: index),
          words.bodyHolds(ofFunctionAt: index, where: Self.expectations.contains)
        else { continue }
        let location = SourceLocation(file: path, line: words.line(index))
        scan.unmarked.append(Function(suite: suite, name: words[index + 1], location: location))
      case let word where Self.types.contains(word) && parentheses == 0: pending = type(at: index) ?? pending
      default: break
      }
    }
    return scan
  }

  /// Returns the name of the type that a keyword declares or extends; nil for a generic one, which is no suite.
  private func type(at index: Int) -> String? {
    var (name, position) = (words[index + 1], index + 2)
    guard name.first?.isLetter == true, !CodeWords.modifiers.contains(name), !["var", "let"].contains(name) else {
      return nil
    }
    while words[position] == "." {
      name += "." + words[position + 1]
      position += 2
    }
    return words[position] == "<" ? nil : name
  }
}
