import Model
import Parsing
import Processes

/// A test process that is over, with what it said and how it ended.
struct EndedTestProcess {
  /// The name under which it kept its files.
  var name: String
  var run: ParsedTestRun
  var ending: ProcessEnding
  var counters: CountersProof
  /// How it died, where the runtime said so.
  var crash: CrashReport?
  /// What it was doing when its time was up.
  var hang: HangReport?
}

/// What vouches for the counters of a test process.
enum CountersProof {
  /// They came by the private channel.
  case handedOver
  /// They should have come by it and did not, so anything could have been written into their file.
  case withheld
  /// Nothing, as where no observer can be made.
  case none
}

/// What was noticed of a test process beside its results.
struct ProcessTrace {
  var result = ProcessResult(end: .notStarted, why: .canceled)
  /// The process's number as it sees it itself.
  var pid: Int32?
  /// The message with which it ended.
  var lastWords: LastWords.Message?
  /// What a sanitizer said.
  var sanitizerReports: [SanitizerReport] = []
  /// What was read of it at a limit.
  var processSnapshot: ProcessSnapshot?
}

extension ProcessEnding {
  init(_ result: ProcessResult) {
    let cause: Cause =
      switch result.why {
      // What it took was its own doing.
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
