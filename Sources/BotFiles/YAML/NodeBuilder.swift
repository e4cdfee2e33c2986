/// Makes a tree of a file's only document, within bounds that no file written by a person meets.
struct NodeBuilder: ~Copyable {
  /// The largest file that is read, in bytes.
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

  /// The document's value; nil when there is none, or when it cannot be read, which is then among the findings.
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
