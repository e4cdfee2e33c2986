import Testing

@testable import Syntax

@Suite("The declarations of a Swift source")
struct SwiftDeclarationsTests {
  private func declarations(_ text: String) -> SwiftDeclarations {
    SwiftDeclarations(CodeWords(SourceCode(Array(text.utf8), in: .swift)))
  }

  /// Each function with the type that it is directly in, and where it is.
  private func places(_ text: String) -> [String] {
    let code = declarations(text)
    return code.functions.map { function in
      let scope = function.place.scope.map { "\(code.scopes[$0].keyword) \(code.scopes[$0].name)" } ?? "-"
      let marks = (function.place.isLocal ? " local" : "") + (function.place.isConditional ? " conditional" : "")
      return "\(function.name): \(scope)\(marks)"
    }
  }

  @Test("A function is directly in the type whose braces are around it")
  func functions() {
    let text = """
      func top() { func inner() {} }
      final class A: B { func a() {}; var b: Int { func c() {}; return 1 }; struct C { func d() {} } }
      extension A.C { func e() {} }
      protocol P: AnyObject { func f() }
      """
    #expect(
      places(text) == [
        "top: -", "inner: - local", "a: class A", "c: - local", "d: struct C", "e: extension A.C", "f: - local",
      ])
  }

  @Test("The generic parameters of an operator's function do not belong to its name")
  func operators() {
    let text = """
      func ==<T: Equatable>(a: T, b: A) {}
      func <<T>(a: T, b: T) {}
      func <<<T>(a: T, b: T) {}
      func << (a: A, b: A) {}
      func <(a: A, b: A) {}
      func == <T>(a: T, b: T) {}
      """
    #expect(declarations(text).functions.map(\.name) == ["==", "<", "<<", "<<", "<", "=="])
  }

  @Test("Closures, conditions and words that only look like a type lead nobody astray")
  func others() {
    let text = """
      import class Foundation.Bundle
      func a() { for actor in actors { func b() {} } }
      let c = d({ class E { func f() {} } })
      #if DEBUG
        class G { func g() {} }
      #endif
      class H { class func i() { func j() {} }; class var k: Int { 1 }; func l(_ x: Int = m({ 1 })) {} }
      """
    #expect(
      places(text) == [
        "a: -", "b: - local", "f: class E local", "g: class G conditional", "i: class H", "j: - local", "l: class H",
      ])
  }

  @Test("A type has its modifiers, its name as it is written, and the first type after its colon with their number")
  func scopes() {
    let code = declarations(
      "private final class A: B, C {}\nextension A.D: E {}\nclass F<T>: G {}\nclass H: I.J {}\nenum K {}")
    #expect(code.scopes.map(\.name) == ["A", "A.D", "F", "H", "K"])
    #expect(code.scopes.map(\.parent) == ["B", "E", nil, nil, nil])
    #expect(code.scopes.map(\.inherited) == [2, 1, 0, 1, 0])
    #expect(code.scopes.map(\.isGeneric) == [false, false, true, false, false])
    #expect(code.scopes[0].modifiers == ["private", "final"])
  }

  @Test("A parenthesis that is never closed spoils no more than what is around it")
  func unbalanced() {
    #expect(places("class A { func a() { b( } }\nclass C { func d() {} }") == ["a: class A", "d: class C"])
  }
}
