import Model
import Testing

@testable import Git

@Suite("Changes in a text")
struct ChangedRunTests {
  private func hunks(_ removed: [String], _ added: [String], _ following: [String]) -> [LineMap.Hunk] {
    var run = ChangedRun<String>(old: 6, new: 6)
    (run.removed, run.added, run.following) = (removed, added, following)
    return run.hunks
  }

  private static let function = ["", "func area() {", "  0"]

  @Test("The end of a function whose last line changed stays its own, though a new function follows")
  func insertion() {
    #expect(
      hunks(["  x"], ["  y", "}"] + Self.function, ["}", "end"])
        == [.init(old: 6..<7, new: 6..<7), .init(old: 8..<8, new: 8..<12)])
    #expect(
      hunks(["  y", "}"] + Self.function, ["  x"], ["}", "end"])
        == [.init(old: 6..<7, new: 6..<7), .init(old: 8..<12, new: 8..<8)])
  }

  @Test("Without such a line, or with nothing replaced, the change is one")
  func single() {
    #expect(hunks(["  x"], ["  y"] + Self.function, ["}"]) == [.init(old: 6..<7, new: 6..<10)])
    #expect(hunks(["  x"], ["  y", "}"], []) == [.init(old: 6..<7, new: 6..<8)])
    #expect(hunks([], ["}", ""], ["}"]) == [.init(old: 6..<6, new: 6..<8)])
    #expect(hunks(["a", "b"], ["c", "d"], ["c"]) == [.init(old: 6..<8, new: 6..<8)])
  }
}
