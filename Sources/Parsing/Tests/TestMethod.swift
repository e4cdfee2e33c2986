import Model
import Syntax

/// A method of a class that is a test of XCTest or looks like one.
struct TestMethod: Hashable {
  var type: String
  var name: String
  /// The reason why XCTest ignores the method; nil if it does not.
  var cause: NeverRunMethod.Cause?
  var location: SourceLocation
}

extension SwiftDeclarations {
  /// The classes that XCTest may run, with the first type after their colon.
  var testClasses: [(name: String, parent: String)] {
    scopes.compactMap { scope in
      scope.keyword == "class" && scope.mayHoldTests ? scope.parent.map { (scope.name, $0) } : nil
    }
  }

  /// Returns the methods of classes that are named like tests, and those that only lack such a name and assert something.
  func testMethods(in path: String) -> [TestMethod] {
    functions.compactMap { function in
      guard !function.place.isConditional, let type = function.place.scope.map({ scopes[$0] }), type.mayHoldTests
      else { return nil }
      return testMethod(function, of: type, in: path)
    }
  }

  private func testMethod(_ function: Function, of type: Scope, in path: String) -> TestMethod? {
    let index = function.keyword
    let location = SourceLocation(file: path, line: words.line(index))
    var method = TestMethod(type: type.name, name: function.name, location: location)
    let modifiers = words.modifiers(before: index)
    let isPrivate = !type.modifiers.union(modifiers).isDisjoint(with: ["private", "fileprivate"])
    guard function.name.hasPrefix("test") else {
      guard !isPrivate, words.mightBeTest(at: index), words.bodyHolds(ofFunctionAt: index, where: Self.isAssertion)
      else { return nil }
      method.cause = .misnamed
      return method
    }
    guard words[index + 2] == "(" || words[index + 2] == "<" else { return nil }
    if isPrivate {
      method.cause = .isPrivate
    } else if !modifiers.isDisjoint(with: ["static", "class"]) {
      method.cause = .isStatic
    } else if words[index + 2] == "(", words[index + 3] != ")" {
      method.cause = .hasParameters
    } else if words[index + 2] == "(", words.returnsValue(behind: index + 3) {
      method.cause = .returnsValue
    }
    return method
  }

  private static func isAssertion(_ word: String) -> Bool {
    word.hasPrefix("XCTAssert") || word == "XCTFail" || word == "XCTUnwrap"
  }
}

extension SwiftDeclarations.Scope {
  /// Whether it is a class, or an extension of one, of which the text tells everything that matters.
  fileprivate var mayHoldTests: Bool {
    ["class", "extension"].contains(keyword) && name.first?.isLetter == true && !name.contains(".") && !isGeneric
      && place.scope == nil && !place.isLocal && !place.isConditional
  }
}
