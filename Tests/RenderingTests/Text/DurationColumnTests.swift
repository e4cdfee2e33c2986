import Testing

@testable import Rendering

@Suite("Columns of durations")
struct DurationColumnTests {
  @Test(
    "All are in the unit of the longest, with three significant digits at most, and whole seconds from ten on",
    arguments: [
      (0.0013, 0.000_29, "0.29 ms"), (0.0013, 0.000_004, "<0.01 ms"), (0.9, 0.104, "104 ms"),
      (0.9, 0.011_42, "11.4 ms"), (0.9, 0.009_996, "10.0 ms"), (0.9, 0.099_96, "100 ms"), (0.9, 0.9994, "999 ms"),
      (4.015, 4.015, "4.02 s"), (4.015, 0.0056, "0.01 s"), (72, 0, "<0.01 s"), (72, 72.05, "72 s"),
      (72, 9.994, "9.99 s"), (72, 9.996, "10 s"), (3600, 3600, "3600 s"),
    ])
  func unit(longest: Double, seconds: Double, text: String) {
    #expect(DurationColumn(longest: longest).text(seconds) == text)
  }

  @Test("A change is the difference of what is shown")
  func change() {
    #expect(DurationColumn(longest: 5).change(from: 3.614, to: 4.015) == "+0.41 s")
    #expect(DurationColumn(longest: 0.5).change(from: 0.012, to: 0.0115) == "−0.5 ms")
    #expect(DurationColumn(longest: 0.101).change(from: 0.000_26, to: 0.101) == "+101 ms")
    #expect(DurationColumn(longest: 12).change(from: 3.614, to: 12) == "+8 s")
  }
}
