extension TestFunctions.Function {
  /// Parts of words that suggest an assertion of another library.
  private static let checkingParts = [
    "assert", "expect", "verify", "confirm", "check", "ensure", "should", "must", "fail", "require", "wait", "fulfill",
    "throw", "precondition", "snapshot", "match", "record",
  ]
  private static let templateNames: Set<String> = ["testExample", "testPerformanceExample", "example"]
  /// The words other than comments that a template puts into a test.
  private static let templateWords: Set<String> = ["measure", "self"]
  /// The functions that XCTest calls around every test.
  private static let fixtures: Set<String> = ["setUp", "setUpWithError", "tearDown", "tearDownWithError"]

  /// Whether one of the names is that of a function that XCTest calls around every test.
  static func hasFixture(_ names: Set<String>) -> Bool { fixtures.contains(where: names.contains) }

  /// Whether the function is declared on a line, or on one of the next lines, after its attributes.
  ///
  /// - Parameter line: the line that a process reported; unlike those of the source, it may be any number.
  func isNear(_ line: Int) -> Bool { (self.line - 8...self.line).contains(line) }

  /// Whether something other than XCTest's own assertions may make the function fail.
  ///
  /// - Parameter asserting: the names of other functions that assert.
  func mayFailOtherwise(_ asserting: Set<String>) -> Bool {
    words.contains { word in
      // XCTest's assertions have counters, all but the one that always fails.
      if word.hasPrefix("XCTAssert") || word == "XCTUnwrap" { return false }
      if word == "try" || word == "measure" || asserting.contains(word) { return true }
      let word = word.lowercased()
      return Self.checkingParts.contains { word.contains($0) }
    }
  }

  /// Whether the function is known to assert, or suggests it. XCTest calls its fixtures around every test, so they
  /// count only if they contain assertions themselves.
  var asserts: Bool {
    if !assertions.isEmpty || words.contains("XCTFail") { return true }
    return !body.isEmpty && !Self.fixtures.contains(name) && mayFailOtherwise([])
  }

  /// Whether the function comes from a template and is unchanged.
  var isTemplate: Bool { Self.templateNames.contains(name) && words.isSubset(of: Self.templateWords) }
}
