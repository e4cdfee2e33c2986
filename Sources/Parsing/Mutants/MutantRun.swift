import FoundationEssentials
package import Model

/// The result of a test run in which a function had another body.
package struct MutantRun: Hashable, Sendable {
  /// The kinds of end, with the numbers of `Mutants.h`.
  package enum End: UInt64, Sendable {
    case passed = 0
    case failed = 1
    case crashed = 2
    case timedOut = 3
    /// The code could not be inserted.
    case notStarted = 4
  }

  /// The index of the mutant in the orders.
  package var mutant: Int
  /// The index of the run among the mutant's runs.
  package var run: Int
  package var end: End
  /// The test that failed first, if it was reported.
  package var failedTest: TestID?

  /// - Parameter names: the tests of Swift Testing, by their names in events.
  package init?(_ record: ObserverRecord, names: [String: TestID]) {
    guard record.kind == .mutantRun else { return nil }
    var fields = ObserverFields(record)
    guard let mutant = fields.number(), let run = fields.number(), let end = fields.number().flatMap(End.init),
      fields.number() != nil, fields.number() != nil, mutant < 1 << 32, run < 1 << 32
    else { return nil }
    (self.mutant, self.run, self.end) = (Int(mutant), Int(run), end)
    let told = record.bytes.dropFirst(40)
    guard let kind = told.first.flatMap(ObserverRecord.Kind.init) else { return }
    switch kind {
    case .testIssue:
      var fields = ObserverFields(ObserverRecord(kind: kind, bytes: told.dropFirst()))
      failedTest = XCTestObservedCase.Name(&fields)?.id
    case .events: failedTest = Self.eventID(in: told.dropFirst()).flatMap { names[$0] }
    default: break
    }
  }

  /// Returns an event's name for its test; the event may have been truncated.
  private static func eventID(in event: ArraySlice<UInt8>) -> String? {
    guard let key = event.firstRange(ofBytes: Array("\"testID\":".utf8)) else { return nil }
    let value = event[key.upperBound...]
    var end = value.startIndex + 1
    while end < value.endIndex, value[end] != UInt8(ascii: "\"") { end += value[end] == UInt8(ascii: "\\") ? 2 : 1 }
    guard end < value.endIndex else { return nil }
    // A value that is truncated or not text names no test.
    return try? JSONDecoder().decode(String.self, from: Data(value[...end]))
  }
}
