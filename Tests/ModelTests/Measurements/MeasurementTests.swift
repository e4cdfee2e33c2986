import Model
import Testing

@Suite("Measured values")
struct MeasurementTests {
  private func figure(_ average: Double, _ deviation: Double = 0, unit: String = "seconds") -> MeasuredFigure {
    MeasuredFigure(metric: "Time", unit: unit, average: average, deviation: deviation, repetitions: 10)
  }

  @Test("The deviation is that of a sample, as a share of the average")
  func deviation() {
    let measured = TestMeasurement(metric: "Time", unit: "seconds", values: [1, 3])
    #expect(measured.average == 2)
    #expect(abs(measured.deviation - 2.0.squareRoot() / 2) < 1e-12)
    #expect(TestMeasurement(metric: "Time", unit: "seconds", values: [1]).deviation == 0)
    #expect(TestMeasurement(metric: "Time", unit: "seconds", values: [0, 0]).deviation == 0)
  }

  @Test(
    "A value is higher or lower beyond a tenth, beyond what either side varies and, a time, from ten microseconds on",
    arguments: [
      (1, 0, 1.1, 0, .same), (1, 0, 1.11, 0, .higher), (1, 0.2, 1.2, 0, .same), (1, 0, 1.15, 0.2, .same),
      (1, 0.2, 1.25, 0.2, .higher), (1, 0, 0.9, 0, .same), (1, 0, 0.88, 0, .lower), (1, 0.3, 0.8, 0, .same),
      (0.000_01, 0, 0.000_019, 0, .same), (0.000_01, 0, 0.000_021, 0, .higher), (0, 0, 1, 0, nil), (1, 0, 0, 0, .lower),
    ] as [(Double, Double, Double, Double, MeasurementChange.Course?)])
  func course(before: Double, varying: Double, after: Double, now: Double, course: MeasurementChange.Course?) {
    let change = MeasurementChange(from: figure(before, varying), to: figure(after, now))
    #expect(change.course() == course)
  }

  @Test("A change that no number says is none, so that it can be written down")
  func boundless() {
    #expect(MeasurementChange(from: figure(1e-300), to: figure(1e300)).share == nil)
    #expect(MeasurementChange(from: figure(1e-300), to: figure(1e300)).course() == nil)
    #expect(MeasurementChange(from: figure(0), to: figure(1)).share == nil)
  }

  @Test("Another thing than a time has no smallest step, and is higher instead of slower")
  func notATime() {
    let change = MeasurementChange(from: figure(0.000_01, unit: "J"), to: figure(0.000_012, unit: "J"))
    #expect(change.course() == .higher)
    #expect(MeasurementWords.word(change) == "higher")
    let slower = MeasurementChange(from: figure(1), to: figure(2))
    #expect(MeasurementWords.word(slower) == "slower")
    #expect(MeasurementWords.word(MeasurementChange(from: figure(2), to: figure(1))) == "faster")
    #expect(MeasurementWords.word(MeasurementChange(from: figure(2), to: figure(2))) == nil)
    #expect(MeasurementWords.change(MeasurementChange(from: figure(2), to: figure(1))) == "50% faster")
    #expect(MeasurementWords.change(MeasurementChange(from: figure(2), to: figure(2))) == "±0%")
  }

  @Test(
    "Values are written with three digits that count, in the unit that suits them",
    arguments: [
      (0.0, "seconds", "0 µs"), (0.000_000_04, "s", "0 µs"), (0.000_042_13, "s", "42.1 µs"),
      (0.000_136_4, "seconds", "136 µs"), (0.000_999_6, "s", "1 ms"), (0.003_084, "s", "3.08 ms"),
      (0.999_6, "s", "1 s"), (0.999_4, "s", "999 ms"), (12.345, "s", "12.3 s"), (1234.5, "s", "1235 s"),
      (512, "kB", "512 kB"), (0.1234, "J", "0.123 J"), (.infinity, "J", "inf J"),
    ] as [(Double, String, String)])
  func value(value: Double, unit: String, text: String) {
    #expect(MeasurementWords.value(value, unit: unit) == text)
  }

  @Test("What varies by less than a per cent is told as its average, and its values only by their number")
  func steady() {
    let figures = [0.09, 0.005, 0.004, 0].map { MeasurementWords.figure(figure(1, $0)) }
    #expect(figures == ["1 s ±9%", "1 s ±1%", "1 s", "1 s"])
    func range(_ values: Double...) -> String? {
      MeasurementWords.range(TestMeasurement(metric: "Time", unit: "seconds", values: values))
    }
    #expect(range(0.0286, 0.0287, 0.0286) == "3 repetitions" && range(1, 2) == "1 s to 2 s in 2 repetitions")
  }

  @Test("Changes have a sign, and what rounds to nothing has both")
  func share() {
    #expect(
      [0.124, -0.5, 0.001, -0.001, 2.27, 1e6, .infinity].map(MeasurementWords.share) == [
        "+12%", "−50%", "±0%", "±0%", "+227%", "+100\u{202F}000\u{202F}000%", "+∞%",
      ])
  }

  @Test("A change stands before the integration that it is since, or than which something is slower")
  func changeSince() {
    func words(_ before: Double, _ after: Double) -> String? {
      let figures = [before, after].map {
        MeasuredFigure(metric: "Time", unit: "seconds", average: $0, deviation: 0, repetitions: 3)
      }
      return MeasurementWords.changeSince(MeasurementChange(from: figures[0], to: figures[1]))
    }
    #expect(words(1, 1.5) == "50% slower than in " && words(1, 1.05) == "+5% since " && words(0, 1) == nil)
  }

  @Test("The rule is told as it is used")
  func rule() {
    #expect(
      MeasurementWords.rule()
        == "Slower: up by more than 10%, more than the deviation and, for times, at least 10 µs.")
  }

  @Test("A test is remembered by the first of each metric, and by twenty at most")
  func all() {
    let many = (0..<30).map { TestMeasurement(metric: "M\($0 / 2)", unit: "kB", values: [Double($0)]) }
    #expect(MeasuredFigure.all(of: many).map(\.average) == (0..<15).map { Double($0 * 2) })
    let more = (0..<30).map { TestMeasurement(metric: "M\($0)", unit: "kB", values: [1]) }
    #expect(MeasuredFigure.all(of: more).count == 20)
  }
}
