import Model
import Parsing
import Processes

struct EndedTestProcess {
  /// The name under which its files are kept.
  var name: String
  var run: ParsedTestRun
  var ending: ProcessEnding
  /// Whether the time of all tests together was up before it ended.
  var isCutOff: Bool
  var counters: CountersProof
  /// How it died, if the runtime said so.
  var crash: CrashReport?
  /// What it was doing when its time was up.
  var hang: HangReport?
}

/// The evidence that the counters of a test process are genuine.
enum CountersProof {
  /// They came through the private channel.
  case handedOver
  /// They should have come through it but did not, so anything could have been written into their file.
  case withheld
  /// There is none, for example because no observer can be made.
  case none
}

/// What was noticed about a test process besides its results.
struct ProcessTrace {
  var result = ProcessResult(end: .notStarted, why: .canceled)
  /// The process's number as the process itself sees it.
  var pid: Int32?
  var lastWords: LastWords.Message?
  var sanitizerReports: [SanitizerReport] = []
  /// What was read of it at a limit.
  var processSnapshot: ProcessSnapshot?
}

extension ProcessEnding {
  init(_ result: ProcessResult) {
    let cause: Cause =
      switch result.why {
      // Exceeding these limits was its own doing.
      case .byItself, .tooMuchMemory, .tooManyProcesses, .tooMuchDisk: .itself
      case .canceled: .cancellation
      case .timedOut, .silent, .overdue: .timeLimit
      }
    switch result.end {
    case .exited(let status): self.init(.exited(status), cause: cause)
    case .signaled(let signal): self.init(.signaled(signal), cause: cause)
    case .notStarted: self.init(.exited(0), cause: .cancellation)
    }
  }
}
