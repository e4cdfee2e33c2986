import Model

/// A value of a file with the name of its key; each way to read it finds wrong what it cannot understand.
struct Field {
  let name: String
  let node: Node
  /// Where the key begins, in Unicode scalars.
  let keyStart: Int
  let findings: FileProblems
  var isElement = false

  /// The field as messages name it.
  private var label: String {
    name.isEmpty ? "the file" : isElement ? "each of '\(name.shortened)'" : "'\(name.shortened)'"
  }

  /// Finds the value wrong; gives nil, for the caller to return.
  func refuse<Value>(_ message: String) -> Value? {
    findings.add(at: node.start, message)
    return nil
  }

  /// Finds the value wrong because it is something else than expected.
  func expected<Value>(_ expectation: String) -> Value? {
    refuse("\(label) should be \(expectation), not \(node.words)")
  }

  /// Finds a key without a value wrong.
  func refusesNothing() -> Bool {
    guard node.isNothing else { return false }
    findings.add(at: keyStart, "'\(name.shortened)' has no value; give one, or leave the line out for the default")
    return true
  }

  /// A word, a path, an expression: anything on one line and without NUL.
  func text(_ expectation: String, allowsEmpty: Bool = false, allowsLines: Bool = false) -> String? {
    guard case .scalar(let text, _) = node.content, !node.isNothing, allowsEmpty || !text.isEmpty else {
      return expected(expectation)
    }
    if text.unicodeScalars.contains("\0") { return refuse("\(label) holds the character U+0000, which no value can") }
    if !allowsLines, text.contains(where: \.isNewline) {
      return refuse("\(label) holds a line break; it should be \(expectation)")
    }
    return text
  }

  func flag() -> Bool? {
    guard case .scalar(let text, isPlain: true) = node.content else { return expected("true or false") }
    switch text {
    case "true": return true
    case "false": return false
    default: return expected("true or false")
    }
  }

  func number(in range: ClosedRange<Int>) -> Int? {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .scalar(let text, _) = node.content, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int(text), range.contains(number)
    else { return expected(expectation) }
    return number
  }

  /// A share of a hundred, with or without the sign for it.
  func percentage() -> Double? {
    guard case .scalar(let text, _) = node.content,
      let value = Self.decimal(text.hasSuffix("%") ? text.dropLast() : text[...]),
      value <= 100
    else { return expected("a percentage from 0 to 100 such as 80") }
    return value
  }

  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { !$0.isEmpty && $0.count <= 9 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    return parts.count <= 2 && areDigits ? Double(text) : nil
  }

  /// One of few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type = Choice.self) -> Choice? {
    choice(among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  func choice(among words: [String]) -> String? {
    guard case .scalar(let text, _) = node.content, words.contains(text) else {
      var nearest: String?
      if case .scalar(let text, _) = node.content { nearest = EditDistance.nearest(to: text, among: words).first }
      let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
      return refuse("\(label) should be one of \(words.joined(separator: ", ")), not \(node.words)\(hint)")
    }
    return text
  }

  /// Each element read by itself, so that every wrong one is found; nil when any is wrong.
  ///
  /// - Parameter example: a list as it is written, such as `[main, "release/*"]`.
  func list<Element: Hashable>(_ example: String, allowsRepetition: Bool = false, _ read: (Field) -> Element?)
    -> [Element]?
  {
    guard case .list(let nodes) = node.content else {
      if case .scalar(let text, _) = node.content, !text.isEmpty, !node.isNothing {
        return refuse("\(label) should be a list such as \(example); write [\(text.shortened)] for one")
      }
      return expected("a list such as \(example)")
    }
    var seen: Set<Element> = []
    let elements = nodes.map { node -> Element? in
      let field = Field(name: name, node: node, keyStart: node.start, findings: findings, isElement: true)
      guard let element = read(field) else { return nil }
      return allowsRepetition || seen.insert(element).inserted
        ? element : field.refuse("'\(name)' holds this a second time")
    }
    let read = elements.compactMap(\.self)
    return read.count == elements.count ? read : nil
  }

  /// The fields of a mapping.
  ///
  /// - Parameter example: a mapping as it is written, such as `{integrations: 50}`.
  func fields(_ example: String) -> Fields? {
    guard case .mapping(let entries) = node.content else { return expected("a mapping such as \(example)") }
    return Fields(entries, name: name, start: node.start, findings)
  }

  /// Whether the value is exactly this word.
  func isWord(_ word: String) -> Bool {
    if case .scalar(word, _) = node.content { return true }
    return false
  }

  var isMapping: Bool {
    if case .mapping = node.content { return true }
    return false
  }
}
