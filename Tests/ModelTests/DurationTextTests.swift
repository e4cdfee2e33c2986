import Model
import Testing

@Suite("Durations in words")
struct DurationTextTests {
  @Test("A change is that of the printed durations if they have one unit; none is told where nothing is left")
  func change() {
    #expect(DurationText.change(from: 8.261, to: 10.626) == "+2.3 s")
    #expect(DurationText.change(from: 4.753, to: 2.146) == "−2.7 s", "It reads 4.8 s and 2.1 s.")
    // What reads 1.1 s and 829 ms has no difference that a reader sees.
    #expect(DurationText.change(from: 1.070, to: 0.829) == "−241 ms")
    #expect(DurationText.change(from: 0.08, to: 12.7) == "+12.6 s")
    #expect(DurationText.change(from: 7.752, to: 5.032) == "−2.8 s")
    #expect(DurationText.change(from: 6.741, to: 6.749) == nil)
    #expect(DurationText.change(from: 0.98, to: 0.957) == "−23 ms")
    #expect(DurationText.change(from: 3600, to: 3620) == nil)
    #expect(DurationText.change(from: .nan, to: 1) == nil && DurationText.change(from: 1, to: .infinity) == nil)
  }

  @Test("One that is over a limit does not read as if it were at it")
  func overLimit() {
    #expect(DurationText.fine(0.100_312, over: 0.1) == "100.3 ms" && DurationText.fine(0.14, over: 0.1) == "140 ms")
    #expect(DurationText.short(0.100_312, over: 0.1) == "0.1003 s" && DurationText.short(72, over: 2) == "1 min 12 s")
    // What was measured reads as what is read back.
    #expect(DurationText.fine(0.001_499_6) == "2 ms" && DurationText.fine(0.0015) == "2 ms")
    #expect(DurationText.fineRounded(0.001_499_6) == DurationText.fineRounded(0.0015))
    #expect(DurationText.fine(0.1, over: 0.1) == "100 ms" && DurationText.short(0.04, over: 0.1) == "40 ms")
  }
}
