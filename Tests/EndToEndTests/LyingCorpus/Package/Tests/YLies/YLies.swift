import Lies
import XCTest

/// Has a namesake in another module, which fails.
final class NamesakeTests: XCTestCase {
  func test1() { XCTAssertEqual(truth(1), 1) }
}
