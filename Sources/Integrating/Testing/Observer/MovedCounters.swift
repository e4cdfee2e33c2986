import Parsing
import Processes

/// The coverage counters of a test process in memory without a name: only the process counts there, and its counts are
/// still there when it has died.
final class MovedCounters {
  /// More bytes than the counters of any program have.
  private static let mostBytes = 1 << 30

  /// The file from which they were mapped, as the process names it; its contents are from before the move.
  let path: String
  /// The size of the counters in bytes.
  let length: Int
  private let memory: PassedDescriptor

  /// Returns nil if the record is about something else.
  init?(_ record: ObserverRecord, in memory: consuming PassedDescriptor) {
    guard let told = CountersRecord(record), told.length <= Self.mostBytes else { return nil }
    path = told.path
    length = told.length
    self.memory = memory
  }

  /// The name of the file from which they were mapped.
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The counters as LLVM's runtime would have written them to the file.
  var contents: [UInt8] { memory.contents(first: length) }
}
