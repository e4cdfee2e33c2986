package import Model

/// The stream of a process that a chunk of output came from.
package enum ProcessStream: Hashable, Sendable {
  case standardOutput
  case standardError
}

/// A test that started or ended, for a live line while tests run.
package enum TestProgress: Hashable, Sendable {
  case started(TestID)
  case ended(TestID, TestState)
}

/// What the output of one test process says about the tests that ran in it.
package struct ParsedTestRun: Hashable, Sendable {
  package var library: TestLibrary
  /// Where the results come from: `observer`, `console` or `event-stream`.
  package var source: String
  /// Why they do not come from a source that is harder to deceive, as the middle of a sentence.
  package var sourceReason: String?
  /// One result for each test that was seen, in the order in which they were first seen. A test that had not ended
  /// when the output did is `.notRun` here: what that means depends on how the process ended.
  package var results: [TestResult]
  /// The tests that had started and not ended when the output did.
  package var openTests: [TestID]
  /// Whether the library said that it finished, and its own numbers agree with what was seen.
  package var sawTerminalRecord: Bool
  /// Whether the library's last words were printed, whatever their numbers.
  package var announcedEnd = false
  /// Failures that the library recorded but that belong to no test that could be named; some may be left out.
  package var unattributedFailures: [TestFailure]
  /// What sanitizers found that belongs to no test that could be named.
  package internal(set) var looseReports: [SanitizerReport] = []
  /// What was printed while no test was open.
  package var looseOutput: [TranscriptLine]
  /// Whether the process closed the way by which it was followed, so that nothing after that is proven.
  package var lostEvidence = false
  /// Whether the end that the library announced was the process's end.
  package private(set) var endProof = EndProof.given
  /// The call by which the process ended itself, where that was seen.
  package var exit: ObservedExit?
  /// Sentences about output that contradicts itself, the listing or the library's rules.
  package var anomalies: [String]

  package init(
    library: TestLibrary, source: String, results: [TestResult] = [], openTests: [TestID] = [],
    sawTerminalRecord: Bool = false, unattributedFailures: [TestFailure] = [], looseOutput: [TranscriptLine] = [],
    anomalies: [String] = []
  ) {
    self.library = library
    self.source = source
    self.results = results
    self.openTests = openTests
    self.sawTerminalRecord = sawTerminalRecord
    self.unattributedFailures = unattributedFailures
    self.looseOutput = looseOutput
    self.anomalies = anomalies
  }

  /// Gives the tests that never came to an end the time that they had taken when the process ended.
  ///
  /// - Parameter elapsed: the seconds since each of them started.
  package mutating func time(_ elapsed: [TestID: Double]) {
    for index in results.indices where openTests.contains(results[index].id) {
      if let seconds = elapsed[results[index].id] { results[index].duration = seconds }
    }
  }

  /// Takes note of what is known about the end of the process.
  ///
  /// Where the library's last words were printed and the process then ended otherwise, somebody else printed them, and
  /// nothing of what was printed can be believed.
  package mutating func weigh(_ proof: EndProof) {
    guard sawTerminalRecord || announcedEnd else { return }
    endProof = proof
    switch proof {
    case .given: break
    case .missing(let why):
      // Numbers that contradict each other are told already.
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
  /// That failures outside every test are left out.
  func sentence(of library: TestLibrary) -> String {
    let failures = CountText.counted(leftOut, "more failure")
    return
      "\(library.rawValue) recorded \(failures) outside every test, and \(leftOut == 1 ? "it was" : "they were") left out."
  }
}

/// Sentences about contradictions, bounded so that hostile output cannot fill the memory with them.
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
