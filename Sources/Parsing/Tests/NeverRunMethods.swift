package import Model
import Syntax

/// A search for methods that look like XCTest tests but that XCTest never runs.
///
/// Nothing is guessed. A method counts if it is directly in a class that its own target derives from `XCTestCase`, or
/// in an extension of one; if its declaration rules it out as a test (measured with Swift 6.3: private, with
/// parameters, returning a value, a class method); if it is not subject to conditional compilation; and if nothing else
/// in the target mentions its name: a helper that tests call does not need to be run by XCTest. A method that only lacks
/// the name of a test counts if it asserts something, and nothing but its declaration mentions it, not even a comment.
package enum NeverRunMethods {
  /// Returns the methods, sorted by place; a target with a source that cannot be parsed with certainty contributes
  /// none.
  package static func find(in sources: [TestDeclarations.Source]) -> [NeverRunMethod] {
    var found: [NeverRunMethod] = []
    for (module, sources) in Dictionary(grouping: sources, by: \.module) {
      guard sources.contains(where: { $0.bytes.holds("XCTestCase") }) else { continue }
      // An unreadable source may call a helper that is declared in another one.
      let files = sources.compactMap { source in
        CodeWords(certain: source.bytes).map { TestClassReader(words: $0, path: source.path) }
      }
      guard files.count == sources.count else { continue }
      let scans = files.map { $0.read() }
      let derived = testClasses(among: scans.flatMap(\.classes))
      let mentions = scans.reduce(into: [:]) { $0.merge($1.mentions, uniquingKeysWith: +) }
      let named = scans.flatMap(\.methods).filter { mentions[$0.name] == 1 }
      let misnamed = scans.flatMap(\.misnamed).filter { Self.mentions(of: $0.name, in: sources) == 1 }
      for method in named + misnamed {
        guard derived.contains(method.type), let cause = method.cause else { continue }
        found.append(
          NeverRunMethod(
            target: module, name: "\(method.type)/\(method.name)", cause: cause, location: method.location))
      }
    }
    return found.sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
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
