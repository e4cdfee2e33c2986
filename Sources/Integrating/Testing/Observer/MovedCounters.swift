import Parsing
import Processes

/// The coverage counters of a test process in memory that has no name: nobody but the process counts there, and what it
/// had counted is still there when it dies.
final class MovedCounters {
  /// More than any program's counters are.
  private static let mostBytes = 1 << 30

  /// The file that they were mapped from, as the process names it; what it holds is of the time before.
  let path: String
  /// How many bytes they are.
  let length: Int
  private let memory: PassedDescriptor

  /// Nil where the record tells of something else.
  init?(_ record: ObserverRecord, in memory: consuming PassedDescriptor) {
    guard let told = CountersRecord(record), told.length <= Self.mostBytes else { return nil }
    path = told.path
    length = told.length
    self.memory = memory
  }

  /// The name of that file.
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The counters as LLVM's runtime would have written them into the file.
  var contents: [UInt8] { memory.contents(first: length) }
}
