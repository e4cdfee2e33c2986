/// The observer's report that it has moved its process's counters out of their file.
package struct CountersRecord: Hashable, Sendable {
  /// The length of the file, in bytes.
  package var length: Int
  /// The path of the file.
  package var path: String

  /// Reads an observer record; returns nil if it is of another kind, or truncated.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .counters else { return nil }
    var fields = ObserverFields(record)
    guard let length = fields.number(), let length = Int(exactly: length), let path = fields.text() else { return nil }
    self.length = length
    self.path = path
  }
}
