extension TestFunctions.Function {
  /// Parts of words behind which an assertion of somebody else may stand.
  private static let checkingParts = [
    "assert", "expect", "verify", "confirm", "check", "ensure", "should", "must", "fail", "require", "wait", "fulfill",
    "throw", "precondition", "snapshot", "match", "record",
  ]
  /// The names that templates give to tests.
  private static let templateNames: Set<String> = ["testExample", "testPerformanceExample", "example"]
  /// What a template leaves in a test besides comments.
  private static let templateWords: Set<String> = ["measure", "self"]
  /// What XCTest calls around every test.
  private static let fixtures: Set<String> = ["setUp", "setUpWithError", "tearDown", "tearDownWithError"]

  private static func isFixture(_ name: String) -> Bool { fixtures.contains(name) }

  /// Whether one of the names is that of something that XCTest calls around every test.
  static func hasFixture(_ names: Set<String>) -> Bool { fixtures.contains(where: names.contains) }

  /// Whether it is declared on this line, or on one of the next, behind its attributes.
  ///
  /// - Parameter line: as a process said it, so that it may be any number; that of the source is a small one.
  func isNear(_ line: Int) -> Bool { (self.line - 8...self.line).contains(line) }

  /// Whether something beside XCTest's own assertions may fail it.
  ///
  /// - Parameter asserting: the names of other functions that assert.
  func mayFailOtherwise(_ asserting: Set<String>) -> Bool {
    words.contains { word in
      // Assertions of XCTest are counted, all but the one that always fails.
      if word.hasPrefix("XCTAssert") || word == "XCTUnwrap" { return false }
      if word == "try" || word == "measure" || asserting.contains(word) { return true }
      let word = word.lowercased()
      return Self.checkingParts.contains { word.contains($0) }
    }
  }

  /// Whether it is known to assert, or sounds as if it did. XCTest calls its fixtures around every test, so that they
  /// count only with assertions of their own.
  var asserts: Bool {
    if !assertions.isEmpty || words.contains("XCTFail") { return true }
    return !Self.isFixture(name) && mayFailOtherwise([])
  }

  /// Whether a template made it, and nobody wrote anything into it.
  var isTemplate: Bool { Self.templateNames.contains(name) && words.isSubset(of: Self.templateWords) }
}
