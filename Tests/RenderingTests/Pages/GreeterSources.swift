import Model

/// The sources that Greeter's pages show.
enum GreeterSources {
  static var all: [String: [UInt8]] {
    [
      "Tests/GreeterTests/GreetingTests.swift": Array(greetingTests.utf8),
      "Tests/GreeterTests/Support/Assertions.swift": Array(assertions.utf8),
      "Sources/Greeter/Phrases/Language.swift": Array(language.utf8),
      "Tests/GreeterTests/PartOfDayTests.swift": Array(partOfDayTests.utf8),
    ]
  }

  private static let greetingTests = """
    import XCTest
    @testable import Greeter

    final class GreetingTests: XCTestCase {
        let ada = Name("Ada Lovelace")
        var sut = Greeter()

        override func setUp() {
            super.setUp()
            sut = Greeter(tone: .plain)
            sut.clock = .fixed
        }

        func test_greeting_atNine_isMorning() {
            XCTAssertEqual(sut.greeting(for: ada, hour: 9), "Good morning, Ada")
        }

        func test_greeting_atNoon_isAfternoon() {
            print("greeting \\(ada.full) at 12")
            XCTAssertEqual(sut.greeting(for: ada, hour: 12), "Good afternoon, Ada", "noon is no morning")
            assertSame(ada, Name("Ada"))
        }

        func test_greeting_atSeven_isEvening() {
            XCTAssertEqual(sut.greeting(for: ada, hour: 19), "Good evening, Ada")
        }
    }

    """

  private static let assertions = """
    import XCTest
    @testable import Greeter

    func assertSame(_ one: Name, _ other: Name, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(one, other)
    }

    """

  private static let language = """
    /// Picks the language that a reader understands best.
    public enum Language {
        public static func best(of header: String, among known: [Phrasebook]) -> Phrasebook? {
            let wanted = header
                .split(separator: ",")
                .map { Wish(String($0)) }
                .sorted { $0.weight > $1.weight }
            var index = 0
            for wish in wanted where index < known.count {
                if known[index].matches(wish) { break }
                index += 1
            }
            // Nothing was found when the index went past the end.
            return known[index]
        }
    }

    """

  private static let partOfDayTests =
    String(repeating: "// the table of the day\n", count: 17) + """
      @Suite struct PartOfDayTests {
          @Test("The first hour of each part", arguments: [(5, .morning), (12, .afternoon), (18, .evening), (22, .night)])
          func firstHour(hour: Int, part: PartOfDay) {
              #expect(PartOfDay(hour: hour) == part)
          }
      }

      """
}
