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
}
