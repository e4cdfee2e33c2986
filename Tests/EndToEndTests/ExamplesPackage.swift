/// The sources of the worked cases: one package, so that it is built once.
///
/// The figures that the tests expect of them were measured with Swift 6.3.1 on Linux.
enum ExamplesPackage {
  static let bot = "Examples"

  /// All files; those of the coverage cases are the ones that the readers of llvm-cov's output are tested with.
  static func files() throws -> [String: String] {
    var files = [
      "Package.swift": manifest, "Tests/AssertYourselfTests/AssertYourselfTests.swift": assertYourself,
      "Sources/LifeCycle/MyClass.swift": myClass, "Tests/AssertYourselfTests/LifeCycleTests.swift": lifeCycle,
      "Tests/AssertYourselfTests/CrashTests.swift": crash,
    ]
    for module in ["Maximum", "Loop", "Area"] {
      files["Sources/\(module)/CoveredClass.swift"] = try captured("CodeCoverage/Sources/\(module)/CoveredClass.swift")
    }
    for name in ["Cookie", "CookieController", "CookieDisplay"] {
      files["Sources/CookieFactory/\(name).swift"] = try captured("CookieFactory/Sources/CookieFactory/\(name).swift")
    }
    for path in [
      "CodeCoverage/Tests/CodeCoverageTests/CoveredClassTests.swift",
      "CookieFactory/Tests/CookieFactoryTests/CookieTests.swift",
    ] {
      files[path.split(separator: "/").dropFirst().joined(separator: "/")] = try captured(path)
    }
    return files
  }

  private static func captured(_ path: String) throws -> String {
    try Checkout.text("Tests/ParsingTests/Fixtures/coverage/packages/\(path).txt")
  }

  private static let manifest = """
    // swift-tools-version: 5.9
    import PackageDescription

    let package = Package(
      name: "Examples",
      targets: [
        .target(name: "Maximum"), .target(name: "Loop"), .target(name: "Area"),
        .target(name: "CookieFactory"), .target(name: "LifeCycle"),
        .testTarget(name: "CodeCoverageTests", dependencies: ["Maximum", "Loop", "Area"]),
        .testTarget(name: "CookieFactoryTests", dependencies: ["CookieFactory"]),
        .testTarget(name: "AssertYourselfTests", dependencies: ["LifeCycle", "Maximum"]),
      ]
    )

    """

  /// One failing test for each assertion, and one that passes.
  static let assertYourself = #"""
    import XCTest

    struct SimpleStruct {
      let x: Int
      let y: Int
    }

    struct Described: CustomStringConvertible {
      let x: Int
      let y: Int
      var description: String { "(\(x), \(y))" }
    }

    final class AssertYourselfTests: XCTestCase {
      func test_fail() {
        XCTFail()
      }

      func test_fail_withSimpleMessage() {
        XCTFail("We have a problem")
      }

      func test_fail_withInterpolatedMessage() {
        let answer = 42
        XCTFail("The Answer to the Great Question is \(answer)")
      }

      func test_avoidConditionalCode() {
        let success = false
        if !success { XCTFail() }
      }

      func test_assertTrue() {
        let success = false
        XCTAssertTrue(success)
      }

      func test_assertNil() {
        let optional: Int? = 123
        XCTAssertNil(optional)
      }

      func test_assertNil_withSimpleStruct() {
        let optional: SimpleStruct? = SimpleStruct(x: 1, y: 2)
        XCTAssertNil(optional)
      }

      func test_assertNil_withSelfDescribingType() {
        let optional: Described? = Described(x: 1, y: 2)
        XCTAssertNil(optional)
      }

      func test_assertEqual() {
        XCTAssertEqual("actual", "expected")
      }

      func test_assertEqual_withOptional() {
        let result: String? = "foo"
        XCTAssertEqual(result, "bar")
      }

      func test_floatingPointDanger() {
        XCTAssertEqual(0.1 + 0.2, 0.3)
      }

      func test_floatingPointFixed() {
        XCTAssertEqual(0.1 + 0.2, 0.3, accuracy: 0.0001)
      }

      func test_messageOverkill() {
        let actual = "actual"
        XCTAssertEqual(actual, "expected", "Expected \"expected\" but got \"\(actual)\"")
      }
    }

    struct TestError: Error {
      let message: String
    }

    final class OtherTests: XCTestCase {
      func test_accuracy() {
        XCTAssertEqual(0.1 + 0.2, 0.4, accuracy: 0.0001)
      }

      func test_notNil() {
        let button: Int? = nil
        XCTAssertNotNil(button, "button")
      }

      func test_optionalFalse() {
        let flag: Bool? = nil
        XCTAssertEqual(flag, false)
      }

      func test_twoFailures() {
        XCTFail("call count")
        XCTFail("request")
      }

      func test_skip() throws {
        throw XCTSkip("not now")
      }

      func test_bareSkip() throws {
        throw XCTSkip()
      }

      func test_messageOfTwoLines() {
        XCTFail("first\nerror: second")
      }

      func test_throws() throws {
        throw TestError(message: "oh no")
      }
    }

    """#

  private static let myClass = #"""
    /// Says what happens to it.
    public final class MyClass {
      private static var count = 0
      private let number: Int

      public init() {
        Self.count += 1
        number = Self.count
        print(">> MyClass.init() #\(number)")
      }

      deinit {
        print(">> MyClass.deinit #\(number)")
      }

      public func methodOne() {
        print(">> methodOne")
      }

      public func methodTwo() {
        print(">> methodTwo")
      }
    }

    public enum Quiet {
      public static func methodOne() {
        print(">> methodOne")
      }

      public static func methodTwo() {
        print(">> methodTwo")
      }
    }

    """#

  static let lifeCycle = #"""
    import LifeCycle
    import XCTest

    final class ZeroTests: XCTestCase {
      func test_zero() {
        XCTFail("Tests not yet implemented in MyClassTests")
      }
    }

    final class PlainTests: XCTestCase {
      func test_methodOne() {
        Quiet.methodOne()
      }

      func test_methodTwo() {
        Quiet.methodTwo()
      }
    }

    final class FailingTests: XCTestCase {
      func test_methodOne() {
        let sut = MyClass()
        sut.methodOne()
        XCTFail("Failed, yo")
      }

      func test_methodTwo() {
        let sut = MyClass()
        sut.methodTwo()
      }
    }

    final class WrongTests: XCTestCase {
      private let sut = MyClass()

      func test_methodOne() {
        sut.methodOne()
      }

      func test_methodTwo() {
        sut.methodTwo()
      }
    }

    final class RightTests: XCTestCase {
      private var sut: MyClass!

      override func setUp() {
        super.setUp()
        sut = MyClass()
      }

      override func tearDown() {
        sut = nil
        super.tearDown()
      }

      func test_methodOne() {
        sut.methodOne()
      }

      func test_methodTwo() {
        sut.methodTwo()
      }
    }

    final class TrailingTests: XCTestCase {
      func test_methodOne() {
        atexit { print("ViewController.deinit") }
        Quiet.methodOne()
      }
    }

    """#

  static let crash = #"""
    import Maximum
    import Testing
    import XCTest

    final class CrashingTests: XCTestCase {
      func test_1() {
        XCTAssertEqual(CoveredClass.max(1, 2), 2)
      }

      func test_2() {
        let none: Int? = nil
        XCTAssertEqual(none!, 1)
      }

      func test_3() {
        XCTAssertEqual(CoveredClass.max(3, 2), 3)
      }
    }

    @Test func maximumOfTwo() {
      #expect(CoveredClass.max(1, 2) == 2)
    }

    """#
}

extension String {
  /// The number of the only line that contains a text, from 1.
  func line(with text: String) -> Int? {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let found = lines.indices.filter { lines[$0].contains(text) }
    return found.count == 1 ? found[0] + 1 : nil
  }
}
