package import Model
import Syntax

/// The tests declared in the sources compiled for this platform, according to the index that the compiler writes.
///
/// The list of tests that a program reports can be stale, hand-written or forged; this one is based on the sources.
package struct DeclaredTests: Hashable, Sendable {
  /// A declared test.
  package struct Declaration: Hashable, Sendable {
    package var library: TestLibrary
    package var module: String
    /// The class of an XCTest test; empty for Swift Testing, where the index does not record the suite.
    package var type: String
    /// The method or function, with the name that the library lists.
    package var name: String
    /// The place of the declaration or, for Swift Testing, of its attribute.
    package var location: SourceLocation

    /// The readable name.
    package var words: String { type.isEmpty ? "\(module).\(name)" : "\(module).\(type)/\(name)" }
  }

  package var declarations: [Declaration]
  /// The paths of the object files that the index does not know.
  package var unknownObjects: [String]

  package init(declarations: [Declaration] = [], unknownObjects: [String] = []) {
    self.declarations = declarations
    self.unknownObjects = unknownObjects
  }

  private static let fieldCount = 7

  /// Reads the output of the program in `DeclaredTests.c`, ignoring records of other kinds and truncated ones.
  ///
  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(_ bytes: [UInt8], relativise: (String) -> String?) {
    self.init()
    // A field that does not end with a zero byte is truncated.
    let fields = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(\.text)
    for start in stride(from: 0, through: fields.count - Self.fieldCount, by: Self.fieldCount) {
      let record = fields[start..<start + Self.fieldCount].map(\.self)
      if record[0] == "m" { unknownObjects.append(record[4]) }
      guard let library = Self.libraries[record[0]], let line = Int(record[5]), let column = Int(record[6]) else {
        continue
      }
      // XCTest lists methods without their parentheses.
      let name = library == .xctest ? String(record[3].prefix { $0 != "(" }) : record[3]
      declarations.append(
        Declaration(
          library: library, module: record[1], type: record[2], name: name,
          location: SourceLocation(file: relativise(record[4]) ?? record[4], line: line, column: column)))
    }
  }

  private static let libraries: [String: TestLibrary] = ["x": .xctest, "s": .swiftTesting]

  /// Returns the tests of one module.
  package func only(_ module: String) -> DeclaredTests {
    DeclaredTests(declarations: declarations.filter { $0.module == module })
  }

  /// Finds the declarations in sources that are not subject to conditional compilation; there are none if any source
  /// cannot be parsed with certainty.
  package init(scanning sources: [TestDeclarations.Source]) {
    self.init()
    guard let files = sources.parsed else { return }
    for (source, code) in files { declarations += code.attributedTests(of: source) }
    for (module, files) in Dictionary(grouping: files, by: \.source.module) {
      let derived = NeverRunMethods.testClasses(among: files.flatMap(\.code.testClasses))
      for method in files.flatMap({ $0.code.testMethods(in: $0.source.path) })
      where derived.contains(method.type) && method.cause == nil {
        declarations.append(
          Declaration(
            library: .xctest, module: module, type: method.type, name: method.name, location: method.location))
      }
    }
  }
}

extension SwiftDeclarations {
  /// Returns the functions with Swift Testing's attribute for tests.
  fileprivate func attributedTests(of source: TestDeclarations.Source) -> [DeclaredTests.Declaration] {
    testAttributes.filter { !$0.place.isConditional }.compactMap { index, _ in
      // The attribute's arguments, other attributes and modifiers come before the function.
      guard let function = words.indices[index...].first(where: { words[$0] == "func" || words[$0] == "}" }),
        words[function] == "func"
      else { return nil }
      // The place of an attribute is behind its sign.
      let place = words.code.lines.position(of: words.range(index).lowerBound + 1)
      return DeclaredTests.Declaration(
        library: .swiftTesting, module: source.module, type: "", name: words[function + 1],
        location: SourceLocation(file: source.path, line: place.line, column: place.column))
    }
  }
}

extension DeclaredTests {
  /// Returns the declarations that are missing from a list.
  ///
  /// XCTest tests are matched by name, those of Swift Testing by place, which the list also gives, because suites can
  /// be extended anywhere. A listed test without a known place is matched by name.
  ///
  /// - Parameters:
  ///   - listed: all existing tests, whether selected or not.
  ///   - places: the tests of Swift Testing with their places in the form that filters use:
  ///     `Module.Suite/test()/File.swift:15:6`.
  package func missing(from listed: [TestID], places: [TestID: String]) -> [Declaration] {
    let names = Set(listed.map { "\($0.module).\($0.suite)/\($0.name)".withoutBackticks })
    let known = Set(places.map { id, eventID in "\(id.module)/\(SourceLocation.fileName(of: eventID))" })
    let unplaced = Set(listed.filter { places[$0] == nil }.map { "\($0.module)/\($0.name.prefix { $0 != "(" })" })
    var seen: Set<Declaration> = []
    return declarations.filter { test in
      switch test.library {
      case .xctest: !names.contains(test.words.withoutBackticks) && seen.insert(test).inserted
      case .swiftTesting:
        !known.contains(test.place) && !unplaced.contains("\(test.module)/\(test.name.prefix { $0 != "(" })")
          && seen.insert(test).inserted
      }
    }
  }
}

extension DeclaredTests.Declaration {
  /// The place, such as `Module/File.swift:15:6`.
  fileprivate var place: String {
    "\(module)/\(location.fileName):\(location.line):\(location.column ?? 0)"
  }
}
