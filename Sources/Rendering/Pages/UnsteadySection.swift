import Model

/// The tests with unreliable results: flaky ones, and those whose results differ when run alone.
struct UnsteadySection: ReportSection {
  private static let most = 50

  let report: ReportContext

  /// The tests and their results, for the first page.
  var rows: [TemplateValue] { tests.prefix(Self.most).map(record(of:)) }

  var count: Int { tests.count }

  /// Whether it is known of any of them where it was flaky, or how often it failed.
  var hasPast: Bool { tests.contains { integration.histories[$0.id]?.flakyIn.isEmpty == false || rate(of: $0) != nil } }

  /// Whether any row names who is suspected, or who added the test.
  var namesSomebody: Bool {
    report.hasSuspect(among: tests.compactMap { issue(of: $0.id) })
      || tests.contains { report.author(ofFlaky: $0.id) != .missing }
  }

  var tests: [TestResult] {
    integration.tests.results.filter { test in
      test.alone != nil && !test.state.isRed || report.isFlakyHere(test)
    }
  }

  private func record(of test: TestResult) -> TemplateValue {
    let message = test.attempts.lazy.compactMap(\.message).first ?? test.alone?.message
    let place = test.failures.lazy.compactMap(\.location).first ?? test.location
    return .record([
      "glyph": .text(test.isFlaky ? "flaky" : "warning"),
      "name": .name(test.title),
      "link": .optional(report.link(to: test.id)),
      "suite": .shown(test.id.home),
      "line": test.failures.first.map { FailureLine($0).record } ?? .missing,
      "message": test.failures.isEmpty ? message.map { .shown(FailureLine.headline(of: $0)) } ?? .missing : .missing,
      "cause": .shown(ifAny: cause(of: test)),
      "course": .text(FlakyWords.course(of: test)),
      "place": .place(place),
      "placeLink": .optional(
        place.flatMap { place in
          sources.link(to: place.file, line: place.line)
            ?? (TestPage.isNeeded(for: test) ? page(of: test) : nil)
        }),
      "trace": report.trace(
        of: issue(of: test.id), report.flakyAge(of: test.id), test: test.id, rate: rate(of: test)),
    ])
  }

  private func issue(of test: TestID) -> Issue? { integration.issues.first { $0.test == test && $0.isOfFlaky } }

  /// Returns the page of a test, at its first message if that has a place.
  private func page(of test: TestResult) -> String {
    paths.page(of: test.id) + (test.failures.contains { $0.location != nil } ? "#message-1" : "")
  }

  /// Returns which lines only its failed attempt ran; nil if none is known.
  private func cause(of test: TestResult) -> String? {
    let lines = integration.linesOfFailedAttempt(of: test)
    return lines.isEmpty ? nil : FlakyWords.onlyFailed(LinePlaces(lines)).capitalizedFirst
  }

  /// Returns how often a test failed; nil if that is not known, or if it only fails alone.
  private func rate(of test: TestResult) -> String? { report.failureRate(of: test.id, isTold: true) }

  /// The results of running each test alone, for the page of all tests.
  var isolation: TemplateValue {
    guard let isolation = integration.tests.isolation else { return .missing }
    let (differing, unsteady) = (isolation.differing.count, isolation.unsteady?.count ?? 0)
    let parts = [
      differing > 0
        ? "\(CountText.counted(differing, "test")) \(CountText.agreeing(differing, "ends", "end")) differently" : nil,
      unsteady > 0 ? "\(CountText.counted(unsteady, "test")) ended differently from run to run" : nil,
    ].compactMap(\.self)
    let found = parts.isEmpty ? "all with the same result" : parts.joined(separator: ", ")
    return .record([
      "summary": .text("\(CountText.counted(isolation.ran, "test")) run alone, \(found)"),
      "delta": integration.deltas?.orderDependent.flatMap { Delta($0, from: 0, .moreIsWorse) }.record ?? .missing,
      "left": isolation.left > 0
        ? .text("\(CountText.counted(isolation.left, "test was", "tests were")) not judged alone.")
        : .missing,
      "hasRows": .flag(!isolation.differing.isEmpty),
      "rows": .list(
        isolation.differing.prefix(500).map { difference in
          .record([
            "name": .shown(report.title(of: difference.id)),
            "suite": .shown(difference.id.home),
            "link": .text(
              report.tests[difference.id] == nil
                ? "#\(paths.anchor(of: difference.id))" : paths.page(of: difference.id)),
            "together": Self.record(of: difference.together), "alone": Self.record(of: difference.alone),
          ])
        }),
    ])
  }

  private static func record(of state: TestState) -> TemplateValue {
    .record(["glyph": .text(state.glyph), "word": .text(state.word)])
  }
}
