package import Model
import Syntax

/// A search for the declarations of XCTest tests, whose locations the library does not report.
///
/// Brackets that match only under one compilation condition can cause no more than a wrong link. A method that a class
/// inherits from another class of its module is located at its declaration.
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

  /// The declarations of one source, in source order.
  struct Declarations {
    var methods: [(type: String, name: String, line: Int)] = []
    /// The first type after the colon of each class that has one.
    var parents: [String: String] = [:]
  }

  /// Returns the locations of all methods named like tests, by the tests' full names.
  package static func find(in sources: [Source]) -> [TestID: SourceLocation] {
    var places: [TestID: SourceLocation] = [:]
    for (module, sources) in Dictionary(grouping: sources, by: \.module) {
      var types: [String: [String: SourceLocation]] = [:]
      var parents: [String: String] = [:]
      for source in sources {
        let found = declarations(in: CodeWords(SourceCode(source.bytes, in: .swift)))
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

  /// Returns the methods of a type, including inherited ones that it does not override.
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

  /// Reads the declarations directly inside classes and extensions.
  private static func declarations(in words: CodeWords) -> Declarations {
    var found = Declarations()
    /// The types that the open braces belong to; nil for anything else.
    var scopes: [String?] = []
    var pending: String?
    for index in words.indices {
      switch words[index] {
      case "{":
        scopes.append(pending)
        pending = nil
      case "}": _ = scopes.popLast()
      case "class", "extension":
        guard isName(words[index + 1]) else { continue }
        var end = index + 1
        while words[end + 1] == ".", isName(words[end + 2]) { end += 2 }
        pending = words[end]
        if words[index] == "class", words[end + 1] == ":", isName(words[end + 2]) {
          found.parents[words[end]] = words[end + 2]
        }
      case "func":
        guard words[index + 1].hasPrefix("test"), let type = scopes.last ?? nil else { continue }
        found.methods.append((type, words[index + 1], words.line(index)))
      default: break
      }
    }
    return found
  }

  /// Whether a word can be the name of a type; `class func` declares a method, not a type.
  private static func isName(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" || first == "`" else { return false }
    return !["func", "var", "let", "subscript", "override", "final", "private", "public"].contains(word)
  }
}
