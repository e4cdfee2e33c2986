package import Model

/// The start or end of a test, for a live status line.
package enum TestProgress: Hashable, Sendable {
  case started(TestID)
  case ended(TestID, TestState)
}

/// The output of a test process about the tests that ran in it.
package struct ParsedTestRun: Hashable, Sendable {
  package var library: TestLibrary
  /// The source of the results: `observer`, `console` or `event-stream`.
  package var source: String
  /// The reason why they do not come from a source that is harder to deceive, worded as the middle of a sentence.
  package var sourceReason: String?
  /// The result of each test, in the order in which the tests were first seen. A test that was still open when the
  /// output ended is `.notRun`; its final state depends on how the process ended.
  package var results: [TestResult] = []
  /// The tests that had started and not ended when the output ended.
  package var openTests: [TestID] = []
  /// When the tests ended, in seconds since 1970, as far as the library reports it.
  package var endTimes: [TestID: Double] = [:]
  /// Whether the library reported its end, with numbers that match the results.
  package var sawTerminalRecord = false
  /// Whether the library printed its final message, whatever the numbers in it.
  package var announcedEnd = false
  /// Failures that the library recorded but that could not be assigned to a test; some may be left out.
  package var unattributedFailures: [TestFailure] = []
  /// Sanitizer reports that could not be assigned to a test.
  package internal(set) var looseReports: [SanitizerReport] = []
  /// The output while no test was open.
  package var looseOutput: [TranscriptLine] = []
  /// Whether the process closed the channel by which it was followed, so that nothing after that is proven.
  package var lostEvidence = false
  /// Whether the end that the library announced is proven to be the process's end.
  package private(set) var endProof = EndProof.given
  /// The call with which the process ended itself, if it was observed.
  package var exit: ObservedExit?
  /// Sentences about output that contradicts itself, the listing or the library's rules.
  package var anomalies: [String] = []

  /// Sets the duration of the tests that never ended to the time until the process's end.
  ///
  /// - Parameter elapsed: the seconds since each of them started.
  package mutating func time(_ elapsed: [TestID: Double]) {
    for index in results.indices where openTests.contains(results[index].id) {
      if let seconds = elapsed[results[index].id] { results[index].duration = seconds }
    }
  }

  /// Leaves a pause of the process out of the durations of the tests that were running in it.
  package mutating func leaveOut(_ pause: BacktraceReport.Pause) {
    let open = Set(openTests)
    for index in results.indices {
      let test = results[index].id
      guard open.contains(test) || endTimes[test].map({ $0 > pause.start }) == true else { continue }
      results[index].duration = max(results[index].duration - pause.length, 0)
    }
  }

  /// Applies the evidence about the end of the process.
  ///
  /// If the library's final message was printed and the process then ended differently, something else printed it, and
  /// none of the output can be trusted.
  package mutating func weigh(_ proof: EndProof) {
    guard sawTerminalRecord || announcedEnd else { return }
    endProof = proof
    switch proof {
    case .given: break
    case .missing(let why):
      // Contradictory numbers are already reported.
      guard sawTerminalRecord else { return }
      anomalies.append(
        "\(library.rawValue): nothing proves that the tests came to their end, because \(why); what they print themselves is all there is."
      )
    case .refuted:
      let call = exit.map { ", by \($0.words)" } ?? ""
      anomalies.append(
        "\(library.rawValue): a test process printed the library's last words and ended otherwise\(call), so nothing that it printed was believed."
      )
      (sawTerminalRecord, results, openTests, unattributedFailures, looseReports) = (false, [], [], [], [])
    }
  }
}

extension KeptFailures {
  /// Returns a sentence saying that failures outside every test were left out.
  func sentence(of library: TestLibrary) -> String {
    let failures = CountText.counted(leftOut, "more failure")
    return
      "\(library.rawValue) recorded \(failures) outside every test, and \(CountText.agreeing(leftOut, "it was", "they were")) left out."
  }
}

/// Sentences about contradictions, limited so that hostile output cannot exhaust the memory.
struct Anomalies: Sendable {
  private static let limit = 100
  private var kept: [String] = []
  private var seen: Set<String> = []
  private var more = 0

  mutating func note(_ text: String) {
    let sentence = text.cut(to: Bounds.standard.sentence)
    guard !seen.contains(sentence) else { return }
    guard kept.count < Self.limit else { return more += 1 }
    seen.insert(sentence)
    kept.append(sentence)
  }

  var sentences: [String] {
    more == 0 ? kept : kept + ["There were \(more) more contradictions of this kind."]
  }
}
