/// The fields of one mapping, handed out by key; what nobody asked for is an unknown key.
final class Fields {
  /// Where the mapping begins, in Unicode scalars.
  let start: Int
  let findings: FileProblems
  private let entries: [Node.Entry]
  /// What the mapping is called in messages; empty for the file itself.
  private let name: String
  private var known: [String] = []

  init(_ entries: [Node.Entry], name: String, start: Int, _ findings: FileProblems) {
    self.entries = entries
    self.name = name
    self.start = start
    self.findings = findings
  }

  /// The field of a key, which is known from now on.
  func field(_ key: String) -> Field? {
    known.append(key)
    guard let entry = entries.first(where: { $0.key == key }) else { return nil }
    return Field(name: key, node: entry.value, keyStart: entry.start, findings: findings)
  }

  /// Replaces a value by the one that the file gives, if it gives one that can be read.
  func take<Value>(_ key: String, into target: inout Value, _ read: (Field) -> Value?) {
    if let field = field(key), !field.refusesNothing(), let value = read(field) { target = value }
  }

  /// The same for a value that may be missing.
  func take<Value>(_ key: String, into target: inout Value?, _ read: (Field) -> Value?) {
    if let field = field(key), !field.refusesNothing(), let value = read(field) { target = value }
  }

  /// Replaces a value by what the file makes of it.
  func update<Value>(_ key: String, _ target: inout Value, _ read: (Field, Value) -> Value?) {
    if let field = field(key), !field.refusesNothing(), let value = read(field, target) { target = value }
  }

  /// Finds the keys that were never asked for wrong.
  ///
  /// - Parameters:
  ///   - advice: what to say about a key that belongs elsewhere; nil for the nearest known one.
  ///   - refusal: the whole message about a key that exists, but not here.
  func finish(_ advice: (String) -> String? = { _ in nil }, refusal: (String) -> String? = { _ in nil }) {
    for entry in entries where !known.contains(entry.key) {
      let place = name.isEmpty ? "" : " in '\(name.shortened)'"
      let hint = advice(entry.key).map { "; \($0)" } ?? NameAdvice.text(entry.key, among: known)
      findings.add(at: entry.start, refusal(entry.key) ?? "unknown key '\(entry.key.shortened)'\(place)\(hint)")
    }
  }

  /// Every entry as a field, for a mapping whose keys are names that people choose.
  var all: [Field] {
    entries.map { Field(name: $0.key, node: $0.value, keyStart: $0.start, findings: findings) }
  }

  var isEmpty: Bool { entries.isEmpty }
}
