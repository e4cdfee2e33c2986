import Siege
import XCTest

final class HonestTests: XCTestCase {
  /// Fails in every honest commit.
  func testRed() { XCTAssertTrue(isRight(), "honest \(honest)") }
  func testGreen() { XCTAssertGreaterThan(honest, 0) }
}
