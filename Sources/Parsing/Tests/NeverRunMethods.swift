package import Model
import Syntax

/// A search for functions that look like tests but that no testing library ever runs.
///
/// Nothing is guessed. A method of XCTest counts if it is directly in a class that its own target derives from `XCTestCase`, or
/// in an extension of one; if its declaration rules it out as a test (measured with Swift 6.3: private, with
/// parameters, returning a value, a class method); if it is not subject to conditional compilation; and if nothing else
/// in the target mentions its name: a helper that tests call does not need to be run by XCTest. A method that only lacks
/// the name of a test counts if it asserts something, and nothing but its declaration mentions it, not even a comment;
/// so does a function that only lacks `@Test`, in a type that directly holds tests of Swift Testing or in none.
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
      let files = sources.compactMap { source in CodeWords(certain: source.bytes).map { (source.path, $0) } }
      guard files.count == sources.count else { continue }
      if hasClasses { found += methods(in: files, of: module, sources) }
      if hasSuites { found += functions(in: files, of: module, sources) }
    }
    return found.sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
  }

  private static func methods(
    in files: [(path: String, words: CodeWords)], of module: String, _ sources: [TestDeclarations.Source]
  ) -> [NeverRunMethod] {
    let scans = files.map { TestClassReader(words: $0.words, path: $0.path).read() }
    let derived = testClasses(among: scans.flatMap(\.classes))
    let mentions = scans.reduce(into: [:]) { $0.merge($1.mentions, uniquingKeysWith: +) }
    let named = scans.flatMap(\.methods).filter { mentions[$0.name] == 1 }
    let misnamed = scans.flatMap(\.misnamed).filter { Self.mentions(of: $0.name, in: sources) == 1 }
    return (named + misnamed).compactMap { method in
      guard derived.contains(method.type), let cause = method.cause else { return nil }
      return NeverRunMethod(
        target: module, name: "\(method.type)/\(method.name)", cause: cause, location: method.location)
    }
  }

  private static func functions(
    in files: [(path: String, words: CodeWords)], of module: String, _ sources: [TestDeclarations.Source]
  ) -> [NeverRunMethod] {
    let scans = files.map { SuiteReader(words: $0.words, path: $0.path).read() }
    let suites = scans.reduce(into: Set([""])) { $0.formUnion($1.suites) }
    return scans.flatMap(\.unmarked).compactMap { function in
      guard suites.contains(function.suite), mentions(of: function.name, in: sources) == 1 else { return nil }
      let name = function.suite.isEmpty ? function.name : "\(function.suite)/\(function.name)"
      return NeverRunMethod(target: module, name: name, cause: .unmarked, location: function.location)
    }
  }

  /// Returns how often the bytes of a name occur, in code, comments and literals alike.
  private static func mentions(of name: String, in sources: [TestDeclarations.Source]) -> Int {
    let name = Array(name.utf8)
    return sources.reduce(0) { $0 + $1.bytes.count(of: name) }
  }

  /// Returns the classes that derive from `XCTestCase`, directly or through each other.
  static func testClasses(among classes: [TestClassReader.Class]) -> Set<String> {
    var derived: Set<String> = ["XCTestCase"]
    let names = Dictionary(grouping: classes, by: \.name).filter { $0.value.count == 1 }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (name, found) in names where !derived.contains(name) && found.contains(where: { derived.contains($0.parent) })
      {
        derived.insert(name)
        isGrowing = true
      }
    }
    return derived.subtracting(["XCTestCase"])
  }
}
