import Model
import FoundationEssentials
import Testing

@testable import Rendering

@Suite("Numbers, times and sizes in words")
struct WordingTests {
  @Test(
    "A duration has the unit that suits it",
    arguments: [
      (0, "<1 ms"), (0.0001, "<1 ms"), (0.003, "3 ms"), (0.0994, "99 ms"), (0.0999, "0.1 s"), (0.4, "0.4 s"),
      (59.94, "59.9 s"), (59.96, "1 min"), (72, "1 min 12 s"), (3599.6, "1 h 00 min"), (7500, "2 h 05 min"),
      (-3, "<1 ms"), (.infinity, "unknown"), (.nan, "unknown"),
    ])
  func duration(seconds: Double, text: String) {
    #expect(DurationText.short(seconds) == text)
  }

  @Test(
    "In a column a duration has milliseconds up to a second, and less than one reads alike",
    arguments: [
      (0, "<1 ms"), (0.0003, "<1 ms"), (0.000_499, "<1 ms"), (0.000_999, "1 ms"), (0.168, "168 ms"), (0.104, "104 ms"),
      (0.9994, "999 ms"), (0.9996, "1.0 s"), (72, "1 min 12 s"),
    ])
  func fine(seconds: Double, text: String) {
    #expect(DurationText.fine(seconds) == text)
  }

  @Test("Durations that read alike have bars alike")
  func bars() {
    #expect(DurationText.fineRounded(0.000_12) == DurationText.fineRounded(0.000_26))
    #expect(DurationText.fineRounded(0.000_26) < DurationText.fineRounded(0.001))
  }

  @Test(
    "A measured duration reads as it does when it is read back from a document", arguments: [0.6497, 0.0498, 59.9497])
  func readBack(seconds: Double) {
    let kept = (seconds * 1000).rounded() / 1000
    #expect(DurationText.short(seconds) == DurationText.short(kept))
    #expect(DurationText.fineRounded(seconds) == DurationText.fineRounded(kept))
  }

  @Test(
    "A change of a duration is that of the printed ones in one unit, else of the measured ones",
    arguments: [
      (0.341, 0.565, "+224 ms"), (2.766, 3.446, "+0.6 s"), (2.171, 3.245, "+1.0 s"), (0.84, 1.55, "+710 ms"),
      (4.05, 3.64, "−0.5 s"), (0.111, 0.048, "−63 ms"), (0.0994, 0.21, "+111 ms"), (0.057, 0.11, "+53 ms"),
      (4.05, 7.1, "+3.0 s"), (59.94, 72.4, "+12.5 s"), (72.4, 135.8, "+1 min 4 s"), (3600, 7230, "+1 h 1 min"),
    ])
  func difference(before: Double, now: Double, text: String) throws {
    #expect(try #require(Delta(seconds: now, from: before)).text == text)
  }

  @Test(
    "Durations that read alike, and a few milliseconds, are no change",
    arguments: [(2.16, 2.24), (0.069, 0.075), (6.741, 6.755)])
  func noDifference(before: Double, now: Double) {
    #expect(Delta(seconds: now, from: before) == nil)
  }

  @Test(
    "A share is 0 or 100 only when it is exact",
    arguments: [
      (0, 10, "0%"), (10, 10, "100%"), (1, 100_000, "0.1%"), (99_999, 100_000, "99.9%"), (44, 205, "21.5%"),
      (1, 3, "33.3%"),
    ])
  func share(part: Int, whole: Int, text: String) {
    #expect(CountText.percent(part, of: whole) == text)
  }

  @Test(
    "A share of what was measured is rounded, but for what would be nothing or all",
    arguments: [
      (4.034, 4.034, "100%"), (4.0339, 4.034, ">99.9%"), (0.0024, 4.034, "0.1%"), (0.0019, 4.034, "<0.1%"),
      (0.000_001, 4.034, "<0.1%"), (1, 3, "33.3%"),
    ])
  func measuredShare(part: Double, whole: Double, text: String) {
    #expect(CountText.share(part, of: whole) == text)
  }

  @Test("There is no share of nothing")
  func noShare() {
    #expect(CountText.share(0, of: 0) == nil)
    #expect(CountText.percent(0, of: 0) == nil)
    #expect(CountText.percent(3, of: 2) == nil)
  }

  @Test(
    "A count is grouped from five digits on",
    arguments: [
      (0, "0"), (9999, "9999"), (10_000, "10\u{202F}000"), (1_234_567, "1\u{202F}234\u{202F}567"), (-3, "−3"),
    ])
  func count(number: Int, text: String) {
    #expect(CountText.plain(number) == text)
  }

  @Test("A noun follows its number")
  func noun() {
    #expect(CountText.counted(1, "test") == "1 test")
    #expect(CountText.counted(0, "test") == "0 tests")
    #expect(CountText.list(["a", "b", "c"]) == "a, b and c")
    #expect(CountText.signed(0) == "±0")
  }

  @Test(
    "A size has the unit that suits it",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (7900, "7.9 KB"), (88_400, "88 KB"), (999_600, "1.0 MB"),
      (612_000_000, "612 MB"), (-1, "0 bytes"),
    ])
  func size(bytes: Int, text: String) {
    #expect(ByteText.short(bytes) == text)
  }

  @Test("An instant is written by the given clock, with its distance from UTC")
  func instant() {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    let berlin = LocalTime { _ in 3600 }
    #expect(berlin.minute(of: date) == "20 Nov 2026, 09:12")
    #expect(berlin.minute(of: date, beside: date.addingTimeInterval(-33_120)) == "09:12")
    #expect(berlin.minute(of: date, beside: date.addingTimeInterval(-33_180)) == "20 Nov, 09:12")
    #expect(berlin.minute(of: date, beside: date.addingTimeInterval(-33_120)) == "09:12")
    #expect(berlin.minute(of: date, beside: date.addingTimeInterval(-33_180)) == "20 Nov, 09:12")
    #expect(berlin.minute(of: date, beside: date.addingTimeInterval(-31_536_000)) == "20 Nov 2026, 09:12")
    #expect(berlin.second(of: date) == "20 Nov 2026, 09:12:05 +01:00")
    #expect(berlin.machine(of: date) == "2026-11-20T09:12:05+01:00")
    #expect(LocalTime.utc.second(of: date) == "20 Nov 2026, 08:12:05 UTC")
    #expect(LocalTime { _ in -12_600 }.offset(of: date) == "-03:30")
  }

  @Test(
    "Days are right before 1970, on leap days and at the end of years",
    arguments: [
      (-1, "1969-12-31T23:59:59+00:00"), (951_782_400, "2000-02-29T00:00:00+00:00"),
      (1_735_689_599, "2024-12-31T23:59:59+00:00"), (4_107_542_400, "2100-03-01T00:00:00+00:00"),
    ])
  func days(seconds: Int, text: String) {
    #expect(LocalTime.utc.machine(of: Date(timeIntervalSince1970: Double(seconds))) == text)
  }

  @Test("An instant beyond all calendars does not trap")
  func farAway() {
    #expect(LocalTime.utc.minute(of: .distantFuture).isEmpty == false)
    #expect(LocalTime.utc.minute(of: Date(timeIntervalSince1970: .infinity)).hasSuffix("9999, 23:59"))
    #expect(LocalTime.utc.minute(of: Date(timeIntervalSince1970: .nan)).isEmpty == false)
  }

  @Test("What a page would hide or turn around is shown by its number; tabs and line feeds stay")
  func visible() {
    #expect(VisibleText.of("a\u{0}b\u{202E}c\td\ne") == "a⟨U+0000⟩b⟨U+202E⟩c\td\ne")
    #expect(VisibleText.of("naïve 👩‍👩‍👧") == "naïve 👩‍👩‍👧")
  }

  @Test("A known issue has its author's words first")
  func known() {
    let message = "Expectation failed: 1 == 2\nknown bug 12"
    let parsed = FailureMessage.swiftTesting(headline: "Expectation failed: 1 == 2", note: "known bug 12")
    let issue = TestFailure(location: nil, message: message, parsed: parsed)
    #expect(FailureLine.known(issue).hasPrefix("known bug 12 · fails as expected: "))
    let plain = TestFailure(location: nil, message: "See #17")
    #expect(FailureLine.known(plain) == "fails as expected: See #17")
  }

  @Test("The difference of two collections is told once, and what an author says beside them stays")
  func difference() {
    let expectation = #"Expectation failed: (list → ["a", "b"]) == ["b", "a"]"#
    let brief = FailureLine.brief(of: expectation)
    #expect(FailureLine.brief(of: #"\#(expectation)\#ninserted ["b"], removed ["b"]"#) == brief)
    #expect(FailureLine.brief(of: "\(expectation)\nremoved by Ada") == "\(brief) · removed by Ada")
  }

  @Test("A signal has its name")
  func signal() {
    #expect(SignalText.of(4) == "signal 4 (SIGILL, illegal instruction)")
    #expect(SignalText.of(64) == "signal 64")
  }
}
