import Model
import Testing

@Suite("Elements in groups")
struct SequenceGroupedTests {
  @Test("Groups and their elements keep the order of the elements")
  func order() {
    #expect(["bc", "a", "de", "f", "ghi"].grouped(by: \.count) == [["bc", "de"], ["a", "f"], ["ghi"]])
    #expect([Int]().grouped { $0 }.isEmpty)
  }
}
