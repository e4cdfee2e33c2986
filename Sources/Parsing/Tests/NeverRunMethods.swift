package import Model
import Syntax

/// A search for functions that look like tests but that no testing library ever runs.
///
/// Nothing is guessed. A method of XCTest counts if it is directly in a class that its own target derives from `XCTestCase`, or
/// in an extension of one; if its declaration rules it out as a test (measured with Swift 6.3: private, with
/// parameters, returning a value, a class method); if it is not subject to conditional compilation; and if nothing else
/// in the target mentions its name: a helper that tests call does not need to be run by XCTest. A method that only lacks
/// the name of a test counts if it asserts something, and nothing but its declaration mentions it, not even a comment;
/// so does a function that only lacks `@Test`, in a type that directly holds tests of Swift Testing or in none. Neither
/// counts in a type that names a protocol, or may, since that may demand it.
package enum NeverRunMethods {
  /// Returns the methods, sorted by place; a target with a source that cannot be parsed with certainty contributes
  /// none.
  package static func find(in sources: [TestDeclarations.Source]) -> [NeverRunMethod] {
    var found: [NeverRunMethod] = []
    for (module, sources) in Dictionary(grouping: sources, by: \.module) {
      let (hasClasses, hasSuites) = (
        sources.contains { $0.bytes.holds("XCTestCase") }, sources.contains { $0.bytes.holds("@Test") }
      )
      guard hasClasses || hasSuites else { continue }
      // An unreadable source may call a helper that is declared in another one.
      guard let files = sources.parsed else { continue }
      if hasClasses { found += methods(in: files, of: module) }
      if hasSuites { found += functions(in: files, of: module) }
    }
    return found.sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
  }

  private typealias File = (source: TestDeclarations.Source, code: SwiftDeclarations)

  private static func methods(in files: [File], of module: String) -> [NeverRunMethod] {
    let derived = testClasses(among: files.flatMap(\.code.testClasses))
    let conforming = Set(files.flatMap { $0.code.conformingTypes(superclasses: 1) })
    var mentions: [String: Int] = [:]
    for (_, code) in files {
      for word in code.words.indices.lazy.map({ code.words[$0] }) where word.hasPrefix("test") {
        mentions[word, default: 0] += 1
      }
    }
    return files.flatMap { $0.code.testMethods(in: $0.source.path) }.compactMap { method in
      guard derived.contains(method.type), let cause = method.cause,
        cause != .misnamed || !conforming.contains(method.type),
        (cause == .misnamed ? Self.mentions(of: method.name, in: files) : mentions[method.name]) == 1
      else { return nil }
      return NeverRunMethod(
        target: module, name: "\(method.type)/\(method.name)", cause: cause, location: method.location)
    }
  }

  private static let expectations: Set<String> = ["#expect", "#require"]

  private static func functions(in files: [File], of module: String) -> [NeverRunMethod] {
    let suites = files.reduce(into: Set([""])) { suites, file in
      suites.formUnion(file.code.testAttributes.compactMap { file.code.suite(at: $0.place) })
    }.subtracting(files.flatMap { $0.code.conformingTypes(superclasses: 0) })
    return files.flatMap { source, code in
      code.functions.compactMap { function in
        guard !function.place.isConditional, let suite = code.suite(at: function.place), suites.contains(suite),
          code.words.mightBeTest(at: function.keyword),
          code.words.bodyHolds(ofFunctionAt: function.keyword, where: expectations.contains),
          mentions(of: function.name, in: files) == 1
        else { return nil }
        return NeverRunMethod(
          target: module, name: suite.isEmpty ? function.name : "\(suite)/\(function.name)", cause: .unmarked,
          location: SourceLocation(file: source.path, line: code.words.line(function.keyword)))
      }
    }
  }

  /// Returns how often the bytes of a name occur, in code, comments and literals alike.
  private static func mentions(of name: String, in files: [File]) -> Int {
    let name = Array(name.utf8)
    return files.reduce(0) { $0 + $1.source.bytes.count(of: name) }
  }

  /// Returns the classes that derive from `XCTestCase`, directly or through each other.
  static func testClasses(among classes: [(name: String, parent: String)]) -> Set<String> {
    var derived: Set<String> = ["XCTestCase"]
    let names = Dictionary(grouping: classes, by: \.name).filter { $0.value.count == 1 }
    derived.grow { derived in names.filter { $0.value.contains { derived.contains($0.parent) } }.keys }
    return derived.subtracting(["XCTestCase"])
  }
}

extension SwiftDeclarations {
  /// The attributes of the tests of Swift Testing.
  var testAttributes: [(index: Int, place: Place)] { attributes.filter { words[$0.index] == "@Test" } }

  /// Returns the path of the suite that something is directly in, such as `Outer.Inner`, which is empty at the top; nil
  /// in anything that is no suite, as a generic type is none.
  func suite(at place: Place) -> String? {
    guard !place.isLocal else { return nil }
    var (path, next) = ([String](), place.scope)
    while let scope = next.map({ scopes[$0] }) {
      guard !scope.isGeneric, scope.name.first?.isLetter == true else { return nil }
      path.insert(scope.name, at: 0)
      next = scope.place.scope
    }
    return path.joined(separator: ".")
  }

  /// Returns the paths of the types that name others behind their colon, or behind that of an extension.
  ///
  /// - Parameter superclasses: how many of those that a class names demand nothing of it.
  fileprivate func conformingTypes(superclasses: Int) -> [String] {
    scopes.compactMap { scope in
      guard scope.inherited > (scope.keyword == "class" ? superclasses : 0), let outer = suite(at: scope.place) else {
        return nil
      }
      return outer.isEmpty ? scope.name : "\(outer).\(scope.name)"
    }
  }
}
