/// A file in the process of being converted from bytes to fields.
struct Document {
  let findings: FileProblems
  /// Nil if the file is empty or unreadable.
  let root: Field?

  init(_ bytes: [UInt8], file: String) {
    guard bytes.count <= NodeBuilder.largestFile else {
      findings = FileProblems(file: file, SourceText([]))
      findings.add(at: 0, RegularFile.words(.tooLarge))
      root = nil
      return
    }
    let findings = FileProblems(file: file, SourceText(bytes))
    self.findings = findings
    root = NodeBuilder.build(findings).flatMap { node in
      node.isNothing ? nil : Field(name: "", node: node, keyStart: node.start, findings: findings)
    }
  }
}

/// A builder of the tree of a file's only document, within limits that no file written by a person reaches.
struct NodeBuilder: ~Copyable {
  /// The largest file to read, in bytes.
  static let largestFile = 1 << 20
  private static let deepest = 32
  private static let mostNodes = 20_000

  private var parser: YAMLParser
  private let findings: FileProblems
  private var anchors: [String: Node] = [:]
  private var openAnchors: Set<String> = []
  private var count = 0

  private init(_ findings: FileProblems) throws(YAMLParser.Failure) {
    parser = try YAMLParser(findings.source.bytes)
    self.findings = findings
  }

  /// Returns the document's value; nil if there is none, or if it cannot be read, as the findings then tell.
  static func build(_ findings: FileProblems) -> Node? {
    guard findings.source.faults.isEmpty else {
      for fault in findings.source.faults { findings.add(at: fault.offset, fault.message) }
      return nil
    }
    do {
      var builder = try NodeBuilder(findings)
      return try builder.document()
    } catch {
      let failure = SyntaxMessage(error, in: findings.source)
      findings.add(at: failure.offset, failure.text)
      return nil
    }
  }

  private mutating func document() throws(YAMLParser.Failure) -> Node? {
    var root: Node?
    while true {
      let event = try parser.next()
      switch event.kind {
      case .streamEnd: return root
      case .documentStart:
        if root != nil {
          findings.add(at: event.start, "a second document begins here; a file holds one, so write a file for each")
          return root
        }
        root = try node(try parser.next(), depth: 0)
      default: break
      }
    }
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLParser.Failure) -> Node {
    guard depth < Self.deepest else {
      throw YAMLParser.Failure(offset: event.start, problem: "nested more than \(Self.deepest) levels deep")
    }
    if case .alias(let name) = event.kind { return try expanded(name, at: event.start) }
    if let tag = event.tag {
      findings.add(at: event.start, "the tag '\(tag.shortened)' has no meaning here; leave it out")
    }
    if let anchor = event.anchor { openAnchors.insert(anchor) }
    try charge(1, at: event.start)
    let before = count
    let content: Node.Content
    switch event.kind {
    case .listStart: content = .list(try elements(depth: depth + 1))
    case .mappingStart: content = .mapping(try entries(depth: depth + 1))
    case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
    default: content = .scalar("", isPlain: true)
    }
    let node = Node(content: content, start: event.start, size: count - before + 1)
    if let anchor = event.anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = node
    }
    return node
  }

  private mutating func elements(depth: Int) throws(YAMLParser.Failure) -> [Node] {
    var elements: [Node] = []
    while true {
      let event = try parser.next()
      if case .end = event.kind { return elements }
      elements.append(try node(event, depth: depth))
    }
  }

  private mutating func entries(depth: Int) throws(YAMLParser.Failure) -> [Node.Entry] {
    var entries: [Node.Entry] = []
    var firsts: [String: Int] = [:]
    while true {
      let event = try parser.next()
      if case .end = event.kind { return entries }
      let key = try node(event, depth: depth)
      let value = try node(try parser.next(), depth: depth)
      guard case .scalar(let name, _) = key.content else {
        findings.add(at: event.start, "a key should be a word, not \(key.words)")
        continue
      }
      if let first = firsts[name] {
        findings.add(
          at: event.start,
          "the key '\(name.shortened)' stands here a second time; the first is in line \(findings.line(of: first))")
        continue
      }
      firsts[name] = event.start
      entries.append(Node.Entry(key: name, start: event.start, value: value))
    }
  }

  private mutating func expanded(_ name: String, at start: Int) throws(YAMLParser.Failure) -> Node {
    guard var node = anchors[name], !openAnchors.contains(name) else {
      let why = openAnchors.contains(name) ? "stands inside the value that it names" : "names no anchor above"
      throw YAMLParser.Failure(offset: start, problem: "the alias '*\(name.shortened)' \(why)")
    }
    try charge(node.size, at: start)
    node.start = start
    return node
  }

  private mutating func charge(_ nodes: Int, at start: Int) throws(YAMLParser.Failure) {
    count += nodes
    guard count <= Self.mostNodes else {
      throw YAMLParser.Failure(
        offset: start, problem: "more than \(Self.mostNodes) values, counting what aliases stand for")
    }
  }
}

/// A message about a file that is not valid YAML, which includes what to write instead.
struct SyntaxMessage {
  /// The position in Unicode scalars from the beginning of the file.
  let offset: Int
  let text: String

  init(_ failure: YAMLParser.Failure, in source: SourceText) {
    let character = source.scalar(at: failure.offset)
    let opening = failure.contextOffset
    switch failure.problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character that violates indentation":
      self.init(failure.offset, "a tab; YAML is indented with spaces")
    case "found character that cannot start any token":
      self.init(
        failure.offset,
        "a value cannot begin with '\(character.map { String($0).shortened } ?? "")' unless it is quoted: \"…\"")
    case "did not find expected alphabetic or numeric character" where failure.context?.hasSuffix("alias") == true:
      self.init(opening ?? failure.offset, "a value that begins with * must be quoted, such as \"*\" or \"*.md\"")
    case "found unexpected end of stream", "found unexpected document indicator":
      self.init(opening ?? failure.offset, "the quoted text that begins here has no closing quote")
    case "mapping values are not allowed in this context":
      self.init(failure.offset, "a ':' where no key can be; indent keys alike, and quote a value that holds ': '")
    case "could not find expected ':'":
      self.init(opening ?? failure.offset, "a line without ':'; expected 'key: value'")
    case "did not find expected key":
      self.init(failure.offset, "expected a key here, indented like those above it")
    case "did not find expected '-' indicator":
      self.init(failure.offset, "expected '-' here, indented like those above it")
    case "block sequence entries are not allowed in this context":
      self.init(failure.offset, "a '-' where no list can begin; begin the list on a line of its own")
    case "did not find expected ',' or ']'":
      self.init(failure.offset, "expected ',' or ']' in the list\(Self.place(opening, in: source))")
    case "did not find expected ',' or '}'":
      self.init(failure.offset, "expected ',' or '}' in the mapping\(Self.place(opening, in: source))")
    case "found unknown escape character":
      self.init(failure.offset, "not an escape; in double quotes a backslash is written \\\\, or use single quotes")
    default:
      let context = failure.context.map { " \($0)" } ?? ""
      self.init(failure.offset, "cannot be read as YAML\(context): \(failure.problem)")
    }
  }

  private init(_ offset: Int, _ text: String) {
    self.offset = offset
    self.text = text
  }

  private static func place(_ opening: Int?, in source: SourceText) -> String {
    opening.map { " that begins in line \(source.position(of: $0).line)" } ?? ""
  }
}
