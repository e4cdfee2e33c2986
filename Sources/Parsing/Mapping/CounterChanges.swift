/// What a test process counted between two moments, as its observer tells it.
package struct CounterChanges: Hashable, Sendable {
  /// By how much one word of the counters grew.
  struct Change: Hashable {
    /// The place of the counters among those that the process moved.
    var part: Int
    var word: Int
    var growth: UInt64
  }

  private(set) var changes: [Change] = []

  /// Nil for a record of another kind.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .counted else { return nil }
    var reader = BinaryReader(record.bytes, input: "what a test counted")
    do {
      let part = try reader.shortCount()
      var word = 0
      while !reader.isAtEnd {
        word += try reader.shortCount()
        changes.append(Change(part: part, word: word, growth: try reader.shortNumber()))
      }
    } catch {
      return nil
    }
  }
}
