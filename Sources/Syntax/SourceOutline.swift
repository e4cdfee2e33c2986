package import Model

/// The declarations of a Swift source, and the bodies of its functions apart from them.
struct SourceOutline {
  struct Body {
    var function: SourceEdit.Function
    /// What is between its braces.
    var tokens: Range<Int>
    /// Its `func`; nil for what is no function with a name.
    var keyword: Int?
    /// The names of the types around it.
    var types: [String]
  }

  /// What the next brace opens.
  private enum Kind {
    case function, accessors, type
    /// Something that is not looked into.
    case other
  }

  /// What came since the last brace.
  private struct Start {
    var kind = Kind.other
    var first: Int?
    /// Whether the next word is the name of what is declared.
    var namesNext = false
    var name: String?
    var keyword: Int?
    /// The names of the types around it.
    var types: [String] = []
    /// Whether every brace opens an accessor of what is declared.
    var isOfAccessors = false
  }

  private static let accessors: Set<String> = [
    "get", "set", "willSet", "didSet", "_read", "_modify", "read", "modify", "unsafeAddress", "unsafeMutableAddress",
    "mutating", "nonmutating", "borrow", "mutate", "init",
  ]

  let code: SourceCode
  /// In the order of the source.
  private(set) var bodies: [Body] = []
  /// All tokens outside of the bodies but comments.
  private var declarations: [Int] = []

  init(_ code: SourceCode) {
    self.code = code
    scan(code.tokens.indices, from: Start())
  }

  /// Returns the first place where the declarations differ; nil where they are the same.
  func firstDifference(from other: SourceOutline) -> Int? {
    let pairs = zip(declarations, other.declarations)
    let index = pairs.enumerated().first { !code.isAlike($0.element.0, to: other.code, $0.element.1) }?.offset
    if let index { return index }
    let (count, otherCount) = (declarations.count, other.declarations.count)
    return count == otherCount && bodies.count == other.bodies.count ? nil : min(count, otherCount)
  }

  func line(ofDeclaration index: Int) -> Int {
    declarations.isEmpty ? 1 : line(of: declarations[min(index, declarations.count - 1)])
  }

  private func line(of index: Int) -> Int { code.lines.line(of: code.tokens[index].start) }

  /// Looks at the declarations of a scope, or at the accessors of a property or a subscript.
  ///
  /// - Parameter fresh: what is known at the beginning, and again behind each brace.
  private mutating func scan(_ range: Range<Int>, from fresh: Start) {
    var start = fresh
    var index = range.lowerBound
    while index < range.upperBound {
      defer { index += 1 }
      if code.tokens[index].kind == .comment { continue }
      declarations.append(index)
      start.first = start.first ?? index
      guard code.tokens[index].isOpening, let end = code.tokens[index].partner else {
        if !fresh.isOfAccessors { note(index, &start) }
        continue
      }
      if code.isToken(index, "{") {
        if fresh.isOfAccessors { add(index, end, start) } else { open(index, end, start) }
        start = fresh
      } else {
        keep(index + 1..<end)
      }
      declarations.append(end)
      index = end
    }
  }

  private mutating func keep(_ range: Range<Int>) {
    declarations += range.filter { code.tokens[$0].kind != .comment }
  }

  /// Takes a word into account that says what is being declared.
  private func note(_ index: Int, _ start: inout Start) {
    switch code.tokens[index].kind {
    case .attribute: break
    case .directive:
      start.kind = .other
    case .name, .keyword, .type:
      if start.namesNext {
        start.namesNext = false
        start.name = code.name(index)
        return
      }
      if code.isToken(code.previous(index), ".") { return }
      switch code.word(index) {
      case "func": (start.kind, start.namesNext, start.keyword) = (.function, true, index)
      case "init", "deinit": (start.kind, start.name, start.keyword) = (.function, nil, nil)
      case "var": (start.kind, start.namesNext) = (.accessors, true)
      case "subscript": start.kind = .accessors
      case let word where CodeWords.types.contains(word): (start.kind, start.keyword) = (.type, index)
      case "let", "case", "import", "typealias", "associatedtype", "operator", "precedencegroup", "macro":
        start.kind = .other
      default: break
      }
    default:
      // The name of an operator.
      if start.namesNext { start.name = code.word(index) }
      start.namesNext = false
      // A property with a value is stored.
      if start.kind == .accessors, code.isToken(index, "=") { start.kind = .other }
    }
  }

  /// Looks into what a brace opens.
  private mutating func open(_ index: Int, _ end: Int, _ start: Start) {
    let inside = index + 1..<end
    switch start.kind {
    case .function: add(index, end, start)
    case .type: scan(inside, from: Start(types: start.types + [start.keyword.flatMap { nameOfType(at: $0) } ?? ""]))
    case .accessors:
      let first = inside.first { code.tokens[$0].kind != .comment }
      guard let first, code.tokens[first].kind == .attribute || Self.accessors.contains(code.word(first)) else {
        return add(index, end, start)
      }
      var accessors = start
      (accessors.first, accessors.isOfAccessors) = (nil, true)
      scan(inside, from: accessors)
    case .other: keep(inside)
    }
  }

  /// The last word of the name behind the keyword of a type.
  private func nameOfType(at keyword: Int) -> String? {
    let first = code.tokens.indices[(keyword + 1)...].first { code.tokens[$0].isWord }
    return first.flatMap { code.names(from: $0).last }.map(code.name)
  }

  private mutating func add(_ index: Int, _ end: Int, _ start: Start) {
    let opening = line(of: index)
    let function = SourceEdit.Function(
      start.name, head: line(of: start.first ?? index)...opening, body: opening...line(of: end))
    bodies.append(
      Body(
        function: function, tokens: index + 1..<end,
        keyword: start.kind == .function ? start.keyword : nil, types: start.types))
  }
}

extension SourceEdit {
  /// Compares two versions of a Swift source.
  ///
  /// What is not surely the body of a function counts as a declaration. That of a function which the compiler copies
  /// into its callers, as it may for `@inlinable`, is none: the copies have the function's own counters.
  package init(from old: SourceCode, to new: SourceCode) {
    guard old.isSwift, new.isSwift, old.isWhole, new.isWhole else {
      self = .declarations(line: 1)
      return
    }
    let (before, after) = (SourceOutline(old), SourceOutline(new))
    if let index = before.firstDifference(from: after) {
      self = .declarations(line: before.line(ofDeclaration: index))
      return
    }
    var (changed, moved): ([Function], [Function]) = ([], [])
    for (before, after) in zip(before.bodies, after.bodies) {
      var function = before.function
      if !old.isAlike(before.tokens, to: new, after.tokens) {
        function.words = old.words(in: before.tokens).union(new.words(in: after.tokens))
        changed.append(function)
      } else if function.body != after.function.body {
        moved.append(function)
      }
    }
    self = .bodies(changed, moved: moved)
  }
}

extension SourceCode {
  /// Whether tokens of two sources are the same code.
  func isAlike(
    _ some: some Sequence<Int>, to other: SourceCode, _ others: some Sequence<Int>
  ) -> Bool {
    let own = some.filter { tokens[$0].kind != .comment }
    let others = others.filter { other.tokens[$0].kind != .comment }
    return own.count == others.count && zip(own, others).allSatisfy { isAlike($0, to: other, $1) }
  }

  /// Whether two tokens are the same to the compiler, for which lines and the space around an operator count, too.
  fileprivate func isAlike(_ index: Int, to other: SourceCode, _ otherIndex: Int) -> Bool {
    text(index) == other.text(otherIndex) && tokens[index].startsLine == other.tokens[otherIndex].startsLine
      && isApartOrCommented(index) == other.isApartOrCommented(otherIndex)
  }

  fileprivate func isApartOrCommented(_ index: Int) -> Bool {
    isApart(before: tokens[index].start) || index > 0 && tokens[index - 1].kind == .comment
  }
}
