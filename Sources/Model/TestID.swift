/// The library that a test is written with.
package enum TestLibrary: String, Codable, CaseIterable, Sendable {
  case xctest = "XCTest"
  case swiftTesting = "Swift Testing"
}

/// The full name of a test: `Module.Class/method`, `Module.Suite/Nested/test()` or `Module.test()`.
package struct TestID: Hashable, Sendable, CustomStringConvertible {
  package var module: String
  /// The class, or the suite and its enclosing suites joined by `/`; empty for a free test function.
  package var suite: String
  /// The method or function, with its argument labels if the library reports them.
  package var name: String

  package init(module: String, suite: String, name: String) {
    self.module = module
    self.suite = suite
    self.name = name
  }

  /// Splits a full name; separators within backticks belong to a raw identifier and do not split.
  ///
  /// A place at the end, as in `Module.Suite/test(_:)/File.swift:15:6`, is part of the name.
  package init?(_ text: some StringProtocol) {
    let whole = text.split(at: { $0 == 0 ? "." : "/" })
    var parts = whole.parts
    guard var part = parts.popLast(), let module = parts.first, !module.isEmpty, !part.isEmpty, whole.isClosed else {
      return nil
    }
    if parts.count > 1, part.isSourcePlace {
      part = "\(parts.removeLast())/\(part)"
    }
    self.init(module: module, suite: parts.dropFirst().joined(separator: "/"), name: part)
  }

  /// The suite and its enclosing suites, from outside in; a raw identifier may contain a slash.
  package var suites: [String] {
    let parts = suite.split(at: { _ in "/" }).parts
    return parts.last == "" ? parts.dropLast() : parts
  }

  package var description: String {
    suite.isEmpty ? "\(module).\(name)" : "\(module).\(suite)/\(name)"
  }
}

extension TestID {
  /// The test without the place of its declaration, which is part of the names of overloads alone, because it changes
  /// with every line above it.
  package var withoutPlace: TestID {
    guard hasPlace, let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return TestID(module: module, suite: suite, name: String(name[..<slash]))
  }

  /// Whether the name ends with the place of the declaration.
  package var hasPlace: Bool { name.endsWithSourcePlace }
}

extension String {
  /// The name of a test's function without argument labels and backticks.
  package var functionName: String {
    first == "`" ? String(dropFirst().prefix { $0 != "`" }) : String(prefix { $0 != "(" })
  }

  /// Whether the name of a test ends with a place, such as `/File.swift:15:6`.
  package var endsWithSourcePlace: Bool {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return self[utf8.index(after: slash)...].isSourcePlace
  }
}

extension StringProtocol {
  /// Splits the text outside of the backticks of raw identifiers.
  ///
  /// - Parameter separator: the separator behind the part of a number.
  fileprivate func split(at separator: (Int) -> Character) -> (parts: [String], isClosed: Bool) {
    var parts = [""]
    var isRaw = false
    for character in self {
      if character == "`" { isRaw.toggle() }
      if character == separator(parts.count - 1), !isRaw {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return (parts, !isRaw)
  }

  /// Whether the text has the form `File.swift:15:6`.
  fileprivate var isSourcePlace: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count >= 3 && !contains("`") && parts.suffix(2).allSatisfy { Int($0) != nil }
  }
}

extension TestID: Comparable {
  package static func < (one: TestID, other: TestID) -> Bool {
    (one.module, one.suite, one.name) < (other.module, other.suite, other.name)
  }
}

extension TestID: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = TestID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no test name")
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
