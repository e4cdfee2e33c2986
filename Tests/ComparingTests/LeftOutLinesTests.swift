import Comparing
import Model
import Rendering
import Testing

@Suite("Lines that count in one of two integrations only, because the other leaves them out")
struct LeftOutLinesTests {
  private static let path = "Sources/A/A.swift"
  private static let body = ["1| a", "1| b", "0| c"]
  private static let (start, end) = (" | // coverage:ignore-start", " | // coverage:ignore-end")

  private func file(ran: [Int], neverRan: [Int], at path: String = path) -> [LeftOutLines.File] {
    [LeftOutLines.File(path: path, ran: ran, neverRan: neverRan)]
  }

  @Test("Other lines between the same markers are told one by one, though they are as many as before")
  func swapped() {
    let old = LeftOutText(
      [CoverageText(["1| a", "1| b", "0| c", Self.start, "0| x", "0| y", Self.end])], markers: [Self.path: [4...7]])
    let new = LeftOutText(
      [CoverageText(["1| a", Self.start, "0| b", "0| c", Self.end])], markers: [Self.path: [2...5]])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.hidden == file(ran: [3], neverRan: [4]))
    #expect(leftOut.shown.isEmpty && leftOut.replaced.isEmpty && leftOut.unknown.isEmpty)
    #expect(leftOut.runningNow == 0...0)
    #expect(
      leftOut.hiding(since: "41").map { $0.text(first: 10) }
        == ["2 lines that counted in 41 are left out now, 1 of which ran then: Sources/A/A.swift:3–4"])
  }

  @Test("A file that moves to where files are left out is followed, with the lines that changed on the way")
  func moved() {
    let moved = "Sources/A/Generated/A.swift"
    let old = LeftOutText([CoverageText(Self.body)])
    let new = LeftOutText([CoverageText(["0| a", "0| b", "0| c"], path: moved)], whole: [moved])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.hidden == file(ran: [1, 2], neverRan: [3], at: moved))
    #expect(new.compared(with: old).files.map(\.newPath) == [moved])
    let marked = LeftOutText(
      [CoverageText([" | // coverage:ignore-file", "0| a", "0| b", "0| z"], path: "Sources/A/B.swift")],
      whole: ["Sources/A/B.swift"])
    let other = marked.compared(with: old).leftOut
    #expect(other.hidden == file(ran: [2, 3], neverRan: [], at: "Sources/A/B.swift"))
    #expect(other.replaced == [LeftOutLines.Replaced(path: "Sources/A/B.swift", lines: [4], count: 1)])
  }

  @Test("A file that is deleted, or counted no longer for another reason, is not left out")
  func gone() {
    let old = LeftOutText([CoverageText(Self.body)])
    var new = LeftOutText([])
    let deleted = FileDifference(status: .deleted, oldPath: Self.path, newPath: nil, lines: nil)
    #expect(new.compared(with: old, by: SourceDifference([deleted])).leftOut.isEmpty)
    #expect(new.compared(with: old, by: SourceDifference([])).leftOut.isEmpty)
    new = LeftOutText([CoverageText(Self.body)], whole: [Self.path])
    #expect(new.compared(with: old, by: SourceDifference([])).leftOut.hidden == file(ran: [1, 2], neverRan: [3]))
  }

  @Test("New code between markers never counted, and is not told beside the lines that did")
  func newCode() {
    let old = LeftOutText([CoverageText(["1| a", "1| b"])])
    let new = LeftOutText(
      [CoverageText(["1| a", Self.start, "0| b", "0| new()", Self.end])], markers: [Self.path: [2...5]])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.hidden == file(ran: [3], neverRan: []))
    #expect(
      leftOut.hiding(since: "41").map(\.words) == ["1 line that counted in 41 is left out now, and it ran then"])
  }

  @Test("A marker written otherwise around a line that was left out changes nothing")
  func rewrittenMarker() {
    let old = LeftOutText([CoverageText(["1| a", "1| return b // coverage:ignore"])], markers: [Self.path: [2...2]])
    let new = LeftOutText(
      [CoverageText(["1| a", "1| // coverage:ignore-start", "1| return b", "1| // coverage:ignore-end"])],
      markers: [Self.path: [2...4]])
    #expect(new.compared(with: old).leftOut.isEmpty)
    #expect(
      new.judged(.patchFullyCovered, since: old).sentence
        == "No counted line differs from 41. Changed lines of Sources/A/A.swift are left out."
    )
  }

  @Test("A line that got a marker behind it was replaced by one that is left out")
  func marked() {
    let old = LeftOutText([CoverageText(["1| a", "1| return b", "1| d"])])
    let new = LeftOutText(
      [CoverageText(["1| a", "0| return b // coverage:ignore", "1| d"])], markers: [Self.path: [2...2]])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.replaced == [LeftOutLines.Replaced(path: Self.path, lines: [2], count: 1)])
    #expect(leftOut.hidden.isEmpty && leftOut.runningNow == 0...0)
    #expect(
      new.judged(.noLostCoverage, since: old).sentence
        == "Every unchanged line that ran in 41 still runs. 1 line that counted in 41 was replaced by lines that are left out now: Sources/A/A.swift:2."
    )
  }

  @Test("Lines that got the markers of a stretch behind them were replaced, those of the markers alone were not")
  func markedStretch() {
    let old = LeftOutText([CoverageText(["1| a", "1| return b", "1| d", "1| e"])])
    var new = LeftOutText(
      [CoverageText(["1| a", "0| return b \(Self.start)", "1| d", Self.end, "1| e"])], markers: [Self.path: [2...4]])
    #expect(new.compared(with: old).leftOut.replaced == [])
    new.coverage.exclusions[0].firstHoldsCode = true
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.replaced == [LeftOutLines.Replaced(path: Self.path, lines: [2], count: 1)])
    #expect(leftOut.hidden == file(ran: [3], neverRan: []))
    #expect(
      new.judged(.patchFullyCovered, since: old).sentence
        == "No counted line differs from 41. Changed lines of Sources/A/A.swift are left out."
    )
  }

  @Test("A line that is left out and no code any more does not run, whatever the sums are of")
  func noCode() {
    let old = LeftOutText([CoverageText(["1| a", "1| b", "1| c"])])
    let new = LeftOutText([CoverageText(["1| a", " | b", "1| c"])], markers: [Self.path: [2...3]])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.hidden == file(ran: [2, 3], neverRan: []))
    #expect(leftOut.runningNow == 1...1)
  }

  @Test("What a document says of lines that cannot be is no reason to stop")
  func impossible() {
    let old = LeftOutText([CoverageText(Self.body)])
    for (first, last) in [(3, 1), (-4, Int.max), (Int.max, Int.min)] {
      var new = LeftOutText([CoverageText(["1| a", "0| z"])])
      new.coverage.exclusions = [
        CoverageExclusion(
          path: Self.path, firstLine: first, lastLine: last, lines: LineTally(total: 1, covered: 9), by: "marker")
      ]
      #expect(new.compared(with: old).leftOut.runningNow.lowerBound >= 0)
    }
  }

  @Test("A line that was left out and counts now is told, too, also of a file that moved")
  func shown() {
    let old = LeftOutText(
      [CoverageText(["1| a", Self.start, "0| b", Self.end, " | c"])], markers: [Self.path: [2...3]])
    let new = LeftOutText([CoverageText(["1| a", "0| b", "1| c"])])
    let leftOut = new.compared(with: old).leftOut
    #expect(leftOut.shown == file(ran: [], neverRan: [2]))
    #expect(
      leftOut.showing(since: "41").map { $0.text(first: 10) }
        == ["1 line that was left out in 41 counts now: Sources/A/A.swift:2"])
    let generated = "Sources/A/Generated/A.swift"
    let whole = LeftOutText([CoverageText(Self.body, path: generated)], whole: [generated])
    #expect(
      LeftOutText([CoverageText(Self.body)]).compared(with: whole).leftOut.shown == file(ran: [1, 2], neverRan: [3]))
  }

  @Test("Of a file that cannot be followed nothing is known but that something of it is left out")
  func unknown() {
    let old = LeftOutText([CoverageText(Self.body)])
    let new = LeftOutText([CoverageText(Self.body)], markers: [Self.path: [2...2]])
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: Self.path, newPath: Self.path, lines: nil)
    ])
    #expect(new.compared(with: old, by: difference).leftOut.unknown == [Self.path])
    #expect(
      new.judged(.ratchet, since: old, by: difference).sentence.hasSuffix(
        " Whether lines that counted in integration 41 are left out now is not known in Sources/A/A.swift, because the diff does not say how the lines moved."
      ))
    #expect(old.compared(with: old, by: difference).leftOut.isEmpty)
  }
}
