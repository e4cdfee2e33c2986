package import Model

/// Finds where XCTest's tests are declared, which the library does not say.
///
/// A source is read line by line for the type a line opens and the method it declares; strings and comments that look
/// like declarations can mislead it, which costs a wrong link and nothing else. A method inherited from a class in
/// another file is not found.
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

  /// Returns the place of each method named like a test, by the test's full name.
  package static func find(in sources: [Source]) -> [TestID: SourceLocation] {
    var places: [TestID: SourceLocation] = [:]
    for source in sources {
      var type = ""
      for (index, line) in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        let words = Self.words(of: line)
        if let name = name(after: ["class", "extension"], in: words) { type = name }
        guard let method = name(after: ["func"], in: words), method.hasPrefix("test"), !type.isEmpty else { continue }
        let id = TestID(module: source.module, suite: type, name: method)
        if places[id] == nil { places[id] = SourceLocation(file: source.path, line: index + 1) }
      }
    }
    return places
  }

  /// The words of a line up to its first brace or parenthesis behind a name; `class func` names a method, not a type.
  private static func words(of line: ArraySlice<UInt8>) -> [Substring] {
    guard line.count < 2000 else { return [] }
    return Substring(decoding: line, as: UTF8.self).split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
  }

  private static func name(after keywords: Set<Substring>, in words: [Substring]) -> String? {
    for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
      guard next != "func", next != "var", next != "let", next != "subscript" else { continue }
      return next.split(separator: ".").last.map(String.init)
    }
    return nil
  }
}
