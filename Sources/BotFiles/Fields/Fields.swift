/// The fields of a mapping, handed out by key. Keys that are never requested are unknown.
final class Fields {
  /// The start of the mapping, in Unicode scalars.
  let start: Int
  let findings: FileProblems
  private let entries: [Node.Entry]
  /// The mapping's name in messages; empty for the file itself.
  private let name: String
  private var known: [String] = []

  init(_ entries: [Node.Entry], name: String, start: Int, _ findings: FileProblems) {
    self.entries = entries
    self.name = name
    self.start = start
    self.findings = findings
  }

  /// Returns the field for a key, which is known from then on.
  func field(_ key: String) -> Field? {
    known.append(key)
    guard let entry = entries.first(where: { $0.key == key }) else { return nil }
    return Field(name: key, node: entry.value, keyStart: entry.start, findings: findings)
  }

  /// Replaces a value with the one in the file, if there is a valid one; returns the field, valid or not.
  @discardableResult
  func take<Value>(_ key: String, into target: inout Value, _ read: (Field) -> Value?) -> Field? {
    update(key, &target) { field, _ in read(field) }
  }

  /// Replaces an optional value with the one in the file, if there is a valid one; returns the field, valid or not.
  @discardableResult
  func take<Value>(_ key: String, into target: inout Value?, _ read: (Field) -> Value?) -> Field? {
    update(key, &target) { field, old in read(field) ?? old }
  }

  /// Replaces a value with the result of merging it with the file's; returns the field, valid or not.
  @discardableResult
  func update<Value>(_ key: String, _ target: inout Value, _ read: (Field, Value) -> Value?) -> Field? {
    let field = field(key)
    if let field, !field.reportsMissingValue(), let value = read(field, target) { target = value }
    return field
  }

  /// Reports the keys that were never requested as problems.
  ///
  /// - Parameters:
  ///   - advice: Returns advice about a key that belongs elsewhere; nil to suggest the nearest known one.
  ///   - refusal: Returns the whole message about a key that exists, but not here.
  func finish(_ advice: (String) -> String? = { _ in nil }, refusal: (String) -> String? = { _ in nil }) {
    for entry in entries where !known.contains(entry.key) {
      let place = name.isEmpty ? "" : " in '\(name.shortened)'"
      let hint = advice(entry.key).map { "; \($0)" } ?? NameAdvice.text(entry.key, among: known)
      findings.add(at: entry.start, refusal(entry.key) ?? "unknown key '\(entry.key.shortened)'\(place)\(hint)")
    }
  }

  /// Every entry as a field, for a mapping whose keys are names chosen by people.
  var all: [Field] {
    entries.map { Field(name: $0.key, node: $0.value, keyStart: $0.start, findings: findings) }
  }

  var isEmpty: Bool { entries.isEmpty }
}
