import FoundationEssentials
package import Model

/// How a run of tests ended in which a function had another body.
package struct MutantRun: Hashable, Sendable {
  /// The numbers are those of `Mutants.h`.
  package enum End: UInt64, Sendable {
    case passed = 0
    case failed = 1
    case crashed = 2
    case timedOut = 3
    /// The code could not be put there.
    case notStarted = 4
  }

  /// The place of the mutant among the orders.
  package var mutant: Int
  /// Which run of it.
  package var run: Int
  package var end: End
  package var milliseconds: UInt64
  /// The test that failed first, where it said so.
  package var failedTest: TestID?

  /// - Parameter names: tests of Swift Testing by what its events call them.
  package init?(_ record: ObserverRecord, names: [String: TestID]) {
    guard record.kind == .mutantRun else { return nil }
    var fields = ObserverFields(record)
    guard let mutant = fields.number(), let run = fields.number(), let end = fields.number().flatMap(End.init),
      fields.number() != nil, let milliseconds = fields.number(), mutant < 1 << 32, run < 1 << 32
    else { return nil }
    (self.mutant, self.run, self.end, self.milliseconds) = (Int(mutant), Int(run), end, milliseconds)
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

  /// What an event calls its test; the event may have been cut.
  private static func eventID(in event: ArraySlice<UInt8>) -> String? {
    let key = Array("\"testID\":".utf8)
    guard let start = event.indices.first(where: { event[$0...].starts(with: key) }) else { return nil }
    let value = event[(start + key.count)...]
    var end = value.startIndex + 1
    while end < value.endIndex, value[end] != UInt8(ascii: "\"") { end += value[end] == UInt8(ascii: "\\") ? 2 : 1 }
    guard end < value.endIndex else { return nil }
    // What is cut, or no text, names no test.
    return try? JSONDecoder().decode(String.self, from: Data(value[...end]))
  }
}
