import Syntax
import Testing

@Suite("The loops around a line")
struct LoopLinesTests {
  private let source = """
    func find() -> Int {
      var index = 0
      while items[index].isEmpty {
        index += 1
      }
      repeat {
        for item in items {
          index -= item
        }
      } while index > 0
      return index
    }

    """

  @Test(
    "Their last line is the outermost one's, also for a line that begins one",
    arguments: [(2, nil), (3, 5), (4, 5), (5, 5), (6, 10), (7, 10), (8, 10), (10, 10), (11, nil)] as [(Int, Int?)])
  func last(line: Int, last: Int?) {
    #expect(SourceCode(Array(source.utf8), in: .swift).lastLine(ofLoopsAround: line) == last)
  }
}
