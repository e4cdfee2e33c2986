package import Model

/// Finds where XCTest's tests are declared, which the library does not say.
///
/// Comments and what stands in literals mislead it only in a source that cannot be read for certain, such as one whose
/// brackets match under one condition for the compiler alone: that one is read line by line, which may cost a wrong link
/// and nothing else. A method that a class inherits from another one of its module is found where it is declared.
package enum TestDeclarations {
  /// A source of a test target.
  package struct Source: Sendable {
    package var module: String
    package var path: String
    package var bytes: [UInt8]

    package init(module: String, path: String, bytes: [UInt8]) {
      self.module = module
      self.path = path
      self.bytes = bytes
    }
  }

  /// What one source declares, in its order.
  struct Declarations {
    var methods: [(type: String, name: String, line: Int)] = []
    /// What stands first behind the colon of each class that has one.
    var parents: [String: String] = [:]
  }

  /// Returns the place of each method named like a test, by the test's full name.
  package static func find(in sources: [Source]) -> [TestID: SourceLocation] {
    var places: [TestID: SourceLocation] = [:]
    for (module, sources) in Dictionary(grouping: sources, by: \.module) {
      var types: [String: [String: SourceLocation]] = [:]
      var parents: [String: String] = [:]
      for source in sources {
        let found = SwiftTokens(source.bytes).map { byScopes($0.tokens) } ?? byLines(source.bytes)
        parents.merge(found.parents) { first, _ in first }
        for (type, name, line) in found.methods where types[type]?[name] == nil {
          types[type, default: [:]][name] = SourceLocation(file: source.path, line: line)
        }
      }
      for type in Set(types.keys).union(parents.keys) {
        for (name, place) in methods(of: type, types, parents) {
          places[TestID(module: module, suite: type, name: name)] = place
        }
      }
    }
    return places
  }

  /// The methods of a type, and those of the classes that it derives from unless it has them itself.
  private static func methods(
    of type: String, _ types: [String: [String: SourceLocation]], _ parents: [String: String]
  ) -> [String: SourceLocation] {
    var methods = types[type] ?? [:]
    var seen: Set = [type]
    var next = parents[type]
    while let parent = next, seen.insert(parent).inserted {
      methods.merge(types[parent] ?? [:]) { own, _ in own }
      next = parents[parent]
    }
    return methods
  }

  /// Reads what stands directly in the braces of classes and extensions.
  private static func byScopes(_ tokens: [SwiftTokens.Token]) -> Declarations {
    var found = Declarations()
    /// The type that each open brace belongs to; nil for everything else.
    var scopes: [String?] = []
    var pending: String?
    func text(_ index: Int) -> String { index < tokens.count ? tokens[index].text : "" }
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        scopes.append(pending)
        pending = nil
      case "}": _ = scopes.popLast()
      case "class", "extension":
        guard isName(text(index + 1)) else { continue }
        var end = index + 1
        while text(end + 1) == ".", isName(text(end + 2)) { end += 2 }
        pending = text(end)
        if token.text == "class", text(end + 1) == ":", isName(text(end + 2)) {
          found.parents[text(end)] = text(end + 2)
        }
      case "func":
        guard text(index + 1).hasPrefix("test"), let type = scopes.last ?? nil else { continue }
        found.methods.append((type, text(index + 1), token.line))
      default: break
      }
    }
    return found
  }

  /// Reads the type that a line opens and the method that it declares.
  private static func byLines(_ bytes: [UInt8]) -> Declarations {
    var found = Declarations()
    var type = ""
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let words = Self.words(of: line)
      if let name = name(after: ["class", "extension"], in: words) { type = name }
      guard let method = name(after: ["func"], in: words), method.hasPrefix("test"), !type.isEmpty else { continue }
      found.methods.append((type, method, index + 1))
    }
    return found
  }

  private static func words(of line: ArraySlice<UInt8>) -> [Substring] {
    guard line.count < 2000 else { return [] }
    return Substring(decoding: line, as: UTF8.self).split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
  }

  private static func name(after keywords: Set<Substring>, in words: [Substring]) -> String? {
    for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
      guard isName(String(next)) else { continue }
      return next.split(separator: ".").last.map(String.init)
    }
    return nil
  }

  /// Whether a word can be the name of a type; `class func` declares a method, not a type.
  private static func isName(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" || first == "`" else { return false }
    return !["func", "var", "let", "subscript", "override", "final", "private", "public"].contains(word)
  }
}
