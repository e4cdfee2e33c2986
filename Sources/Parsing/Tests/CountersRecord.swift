/// What the observer tells when it has moved the counters of its process out of their file.
package struct CountersRecord: Hashable, Sendable {
  /// The length of the file, in bytes.
  package var length: Int
  /// The path of the file.
  package var path: String

  /// Reads a record of the observer; nil when it is of another kind, or cut off.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .counters else { return nil }
    var fields = ObserverFields(record)
    guard let length = fields.number(), let length = Int(exactly: length), let path = fields.text() else { return nil }
    self.length = length
    self.path = path
  }
}
