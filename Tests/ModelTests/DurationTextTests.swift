import Model
import Testing

@Suite("Durations in words")
struct DurationTextTests {
  @Test("Two of less than a second have one unit where they are compared")
  func beside() {
    #expect(DurationText.short(0.104, beside: 0.093) == "104 ms" && DurationText.short(0.093, beside: 0.104) == "93 ms")
    #expect(DurationText.short(0.104, beside: 0.3) == "0.1 s")
    #expect(DurationText.short(3.2, beside: 0.018) == "3.2 s", "Neither unit suits both.")
    #expect(DurationText.short(0.104, beside: nil) == "0.1 s")
  }

  @Test("One that is over a limit does not read as if it were at it")
  func overLimit() {
    #expect(DurationText.fine(0.100_312, over: 0.1) == "100.3 ms" && DurationText.fine(0.14, over: 0.1) == "140 ms")
    #expect(DurationText.short(0.100_312, over: 0.1) == "0.1003 s" && DurationText.short(72, over: 2) == "1 min 12 s")
    // What was measured reads as what is read back.
    #expect(DurationText.fine(0.000_284_6) == "0.29 ms" && DurationText.fine(0.000_285) == "0.29 ms")
    #expect(DurationText.fineRounded(0.000_284_6) == DurationText.fineRounded(0.000_285))
    #expect(DurationText.fine(0.1, over: 0.1) == "100 ms" && DurationText.short(0.04, over: 0.1) == "40 ms")
  }
}
