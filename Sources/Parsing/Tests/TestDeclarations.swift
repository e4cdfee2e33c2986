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

  /// Returns the locations of all methods named like tests, by the tests' full names.
  package static func find(in sources: [Source]) -> [TestID: SourceLocation] {
    var places: [TestID: SourceLocation] = [:]
    for (module, sources) in Dictionary(grouping: sources, by: \.module) {
      var types: [String: [String: SourceLocation]] = [:]
      var parents: [String: String] = [:]
      for source in sources {
        let code = SwiftDeclarations(CodeWords(SourceCode(source.bytes, in: .swift)))
        let classes = code.scopes.filter { $0.keyword == "class" }.compactMap { type in
          type.parent.map { (type.lastName, $0) }
        }
        parents.merge(Dictionary(classes) { $1 }) { first, _ in first }
        for function in code.functions where function.name.hasPrefix("test") {
          guard let scope = function.place.scope.map({ code.scopes[$0] }),
            ["class", "extension"].contains(scope.keyword), types[scope.lastName]?[function.name] == nil
          else { continue }
          let place = SourceLocation(file: source.path, line: code.words.line(function.keyword))
          types[scope.lastName, default: [:]][function.name] = place
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
}

extension [TestDeclarations.Source] {
  /// What each of the sources declares; nil if one of them cannot be parsed with certainty.
  var parsed: [(source: Element, code: SwiftDeclarations)]? {
    let parsed = compactMap { source in
      CodeWords(certain: source.bytes).map { (source: source, code: SwiftDeclarations($0)) }
    }
    return parsed.count == count ? parsed : nil
  }
}

extension SwiftDeclarations.Scope {
  /// The name without those of the types around it.
  fileprivate var lastName: String {
    String(name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...])
  }
}
