import XCTest

/// Two tests with one name.
final class MergedTests: XCTestCase {
  override var name: String { "MergedTests.test1" }
  func test1() {}
  func test2() { XCTFail("the truth") }
}
