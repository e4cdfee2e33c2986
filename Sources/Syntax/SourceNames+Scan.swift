package import Model

extension SourceNames {
  /// Finds the names in a source. Where its brackets do not match, everything declared counts as shared.
  package init(_ code: SourceCode) {
    self.init()
    guard code.isSwift else { return }
    for body in SourceOutline(code).bodies { takeForKeys(body, code) }
    var open: [Bracket] = []
    /// The type or extension whose opening brace comes next.
    var opens: Bracket?
    for index in code.tokens.indices {
      let token = code.tokens[index]
      if token.isOpening {
        let isBrace = code.isToken(index, "{")
        open.append(isBrace ? opens ?? Bracket() : Bracket())
        if isBrace { opens = nil }
      } else if token.isClosing {
        _ = open.popLast()
      } else if code.isToken(index, "#line") || code.isToken(index, "#column") {
        readsLines = true
      } else if token.isWord || token.kind == .attribute {
        note(code.name(index), in: code.lines.line(of: token.start))
        guard let declaration = Declaration(code, at: index) else { continue }
        if open.last?.offers ?? true { declaration.offer(to: &offered) }
        if let type = declaration.type {
          opens = Bracket(offers: declaration.offersMembers, types: declaration.path)
          headers[type, default: []].formUnion([declaration.word] + declaration.header)
        }
        take(
          declaration, inside: open.flatMap(\.types), in: open.last?.types.last,
          isGlobal: open.isEmpty || !code.isWhole)
      }
    }
  }

  /// Takes note of a function that a dictionary may call for its keys.
  private mutating func takeForKeys(_ body: SourceOutline.Body, _ code: SourceCode) {
    let (type, lines) = (body.types.last, body.function.body)
    if body.function.name == "==" {
      equalities.append(Equality(of: type, body: lines, words: code.words(in: body.tokens)))
    } else if body.function.name == "hash", let type {
      hashes[type, default: []].append(lines)
    }
  }

  private mutating func note(_ word: String, in line: Int) {
    if lines[word]?.last != line { lines[word, default: []].append(line) }
  }

  /// An open bracket.
  private struct Bracket {
    /// Whether what is declared in it can be named without naming a type.
    var offers = false
    /// The words of the name of the type whose members it holds.
    var types: [String] = []
  }

  /// - Parameters:
  ///   - types: the names of all types around it.
  ///   - type: the last word of the name of the type that it is a member of.
  private mutating func take(_ declaration: Declaration, inside types: [String], in type: String?, isGlobal: Bool) {
    let path = declaration.name.map { (types + [$0]).joined(separator: ".") }
    switch declaration.word {
    case "let", "var": take(property: declaration, in: type, isGlobal: isGlobal)
    case "class", "actor": classes += [path.flatMap(declaration.class)].compactMap(\.self)
    case "struct", "enum":
      if let path { values[path, default: []].formUnion(declaration.stored) }
    case "typealias":
      if let path { values[path, default: []].formUnion(declaration.statement.types) }
    case "Test", "Suite": attributed += [declaration.attributed].compactMap(\.self)
    default: break
    }
  }

  private mutating func take(property: Declaration, in type: String?, isGlobal: Bool) {
    let isGlobal = isGlobal || property.modifiers.contains("static")
    guard isGlobal || property.word == "var" else { return }
    let statement = property.statement
    if statement.isComputed {
      computed.formUnion(statement.names)
    } else if isGlobal {
      let isLet = property.word == "let"
      let isConstant = isLet && !statement.calls
      variables += statement.names.map {
        Variable(
          $0, of: type, isPrivate: property.isPrivate, isConstant: isConstant,
          isLet: isLet && statement.names.count == 1, words: statement.words)
      }
    }
  }
}

/// What begins with a keyword or an attribute.
private struct Declaration {
  private static let keywords = CodeWords.types.union(["let", "var", "func", "typealias"])

  let code: SourceCode
  let index: Int
  let word: String
  /// The words before the keyword; those with a bracket behind them, such as `private(set)`, are left out.
  private(set) var modifiers: Set<String> = []

  init?(_ code: SourceCode, at index: Int) {
    let token = code.tokens[index]
    let name = code.name(index)
    let word = token.kind == .attribute ? String(name.split(separator: ".").last ?? "") : name
    guard token.kind == .attribute ? ["Test", "Suite"].contains(word) : token.kind == .keyword,
      token.kind == .attribute || Self.keywords.contains(word)
    else { return nil }
    (self.code, self.index, self.word) = (code, index, word)
    var before = code.previous(index)
    while let position = before {
      if code.isToken(position, ")"), let partner = code.tokens[position].partner {
        before = code.previous(partner).flatMap { code.tokens[$0].kind == .keyword ? code.previous($0) : nil }
      } else if code.tokens[position].kind == .keyword {
        modifiers.insert(code.name(position))
        before = code.previous(position)
      } else {
        break
      }
    }
  }

  var isPrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }

  /// The name behind the keyword.
  var name: String? {
    code.next(index).flatMap { [.name, .type].contains(code.tokens[$0].kind) ? code.name($0) : nil }
  }

  /// Adds what other files may name.
  func offer(to offered: inout Set<String>) {
    guard code.tokens[index].kind == .keyword, !isPrivate else { return }
    if word == "let" || word == "var" {
      offered.formUnion(statement.names)
    } else if word == "extension" {
      offered.formUnion(header)
    } else if let name {
      offered.insert(name)
    }
  }

  /// Whether what is declared in it can be named without naming a type.
  var offersMembers: Bool { word == "extension" && !isPrivate }

  /// The words of the name of the type that is declared or extended; none where none is.
  var path: [String] {
    guard CodeWords.types.contains(word), name != nil, let first = code.next(index) else { return [] }
    return code.path(from: first)?.map(code.name) ?? []
  }

  /// The last one of them.
  var type: String? { path.last }

  // MARK: - Properties

  /// The declaration of a property up to its end.
  var statement: Statement { Statement(code, from: index) }

  // MARK: - Types

  /// The words from behind the keyword to the opening brace.
  var header: [String] {
    var (words, next): ([String], Int?) = ([], code.next(index))
    while let position = next, !code.isToken(position, "{") {
      if code.tokens[position].isWord { words.append(code.name(position)) }
      next = code.next(position)
    }
    return words
  }

  /// The indices of its opening brace and of what is inside; up to the end of the file if nothing closes it.
  private var inside: Range<Int> {
    let brace = code.tokens[index...].indices.first { code.isToken($0, "{") }
    return brace.flatMap { brace in code.tokens[brace].partner.map { brace..<$0 } } ?? index..<code.tokens.count
  }

  /// The words of the stored properties of a type, and of what the cases of an enumeration carry.
  var stored: Set<String> {
    let inside = inside
    var words: Set<String> = []
    var next = code.next(inside.lowerBound)
    while let position = next, position < inside.upperBound {
      if let member = Declaration(code, at: position), ["let", "var"].contains(member.word) {
        let statement = member.statement
        if !statement.isComputed, !member.modifiers.contains("static") { words.formUnion(statement.types) }
      } else if code.isToken(position, "("), isCase(before: position), let end = code.tokens[position].partner {
        words.formUnion(code.types(in: position..<end))
      }
      next = code.next(code.tokens[position].isOpening ? code.tokens[position].partner ?? position : position)
    }
    return words
  }

  /// Whether a bracket is behind the name of an enumeration's case.
  private func isCase(before opening: Int) -> Bool {
    guard let name = code.previous(opening), let before = code.previous(name) else { return false }
    return code.isToken(before, "case") || code.isToken(before, ",")
  }

  /// What is stored in a class that is final and that the compiler lets be sent to other tasks, since no stored property
  /// changes; otherwise nil.
  private var constants: Set<String>? {
    guard word == "class", modifiers.contains("final"), header.contains("Sendable"),
      !code.hasWaiver(in: index..<inside.upperBound)
    else { return nil }
    return stored
  }

  /// Returns the class or actor that is declared; nil for a member of one, such as `class func`.
  func `class`(_ path: String) -> SourceNames.Class? {
    let overridesStatic = inside.contains { index in
      guard ["func", "var"].contains(code.name(index)), let member = Declaration(code, at: index) else { return false }
      return member.modifiers.contains("override") && !member.modifiers.isDisjoint(with: ["class", "static"])
    }
    return SourceNames.Class(
      path, words: Set(header.dropFirst()), overridesStatic: overridesStatic, constants: constants)
  }

  // MARK: - Tests

  /// The test or suite that an attribute with arguments is for.
  var attributed: SourceNames.Attributed? {
    guard let opening = code.next(index), code.isToken(opening, "("), let closing = code.tokens[opening].partner,
      let keyword = code.tokens[closing...].indices.first(where: { Self.declares.contains(code.name($0)) }),
      let name = code.next(keyword).map(code.name)
    else { return nil }
    let arguments = opening + 1..<closing
    return SourceNames.Attributed(
      name, isConstant: !code.calls(in: arguments, but: Self.traits), words: code.words(in: arguments))
  }

  private static let declares: Set<String> = ["func", "struct", "class", "enum", "actor"]
  /// What the arguments of an attribute may call without running any code of the package.
  private static let traits: Set<String> = [
    "tags", "bug", "timeLimit", "minutes", "disabled", "enabled", "zip",
  ]
}

/// The declaration of one or more properties, from `let` or `var` to its end.
private struct Statement {
  private(set) var names: [String] = []
  /// Whether it has no storage.
  private(set) var isComputed = false
  private(set) var calls = false
  private(set) var words: Set<String> = []
  /// The words, with the full names of types as far as they are written.
  private(set) var types: Set<String> = []

  init(_ code: SourceCode, from keyword: Int) {
    guard let first = code.next(keyword) else { return }
    let end = Self.end(code, behind: first)
    names = Self.names(code, first)
    words = code.words(in: first..<end)
    types = code.types(in: first..<end)
    var hasValue = false
    var next: Int? = first
    while let position = next, position < end {
      if code.isToken(position, "="), !hasValue {
        hasValue = true
        calls = code.calls(in: position + 1..<end, but: SourceNames.fixedTypes)
      } else if code.isToken(position, "{"), !hasValue {
        let observers = ["willSet", "didSet"]
        isComputed = !(code.next(position).map { observers.contains(code.name($0)) } ?? false)
      } else if code.isToken(position, ","), let name = code.next(position), let sign = code.next(name),
        code.isToken(sign, "=") || code.isToken(sign, ":")
      {
        names.append(code.name(name))
      }
      next = code.next(code.tokens[position].isOpening ? code.tokens[position].partner ?? position : position)
    }
  }

  /// The name, or those of a pattern such as `(a, b)`.
  private static func names(_ code: SourceCode, _ first: Int) -> [String] {
    guard code.tokens[first].isOpening, let end = code.tokens[first].partner else { return [code.name(first)] }
    return (first..<end).filter { code.tokens[$0].kind == .name }.map(code.name)
  }

  /// The index behind the last token: a statement ends where its scope does, at a semicolon, and before a line that
  /// does not continue it.
  private static func end(_ code: SourceCode, behind first: Int) -> Int {
    var last = first
    while true {
      if code.tokens[last].isOpening { last = code.tokens[last].partner ?? last }
      guard let next = code.next(last) else { return code.tokens.count }
      let token = code.tokens[next]
      if token.isClosing || code.isToken(next, ";") { return next }
      if token.startsLine, !continues(code, last, next) { return next }
      last = next
    }
  }

  private static func continues(_ code: SourceCode, _ last: Int, _ next: Int) -> Bool {
    if code.tokens[next].kind == .sign || code.isToken(next, "{") || code.isToken(next, "else") { return true }
    switch code.tokens[last].kind {
    case .sign: return !code.isOperandEnd(last) || code.isToken(code.previous(last), "try")
    case .keyword: return ["try", "await", "as", "is", "some", "any", "else"].contains(code.name(last))
    default: return false
    }
  }
}

extension SourceCode {
  /// Returns a word without the signs around it.
  func name(_ index: Int) -> String {
    let word = word(index)
    return word.first == "`" ? String(word.dropFirst().dropLast()) : word
  }

  /// Returns the words in some tokens, those in interpolations included.
  func words(in range: Range<Int>) -> Set<String> {
    Set(range.filter { tokens[$0].isWord }.map(name))
  }

  /// Returns the words in some tokens, and the arrows of functions. Types are full names such as `Tag.Name`, with a full
  /// stop before them where one follows anything but a type, as in `Box<Int>.Name`.
  fileprivate func types(in range: Range<Int>) -> Set<String> {
    Set(
      range.compactMap { index in
        guard tokens[index].isWord else { return isToken(index, "->") ? "->" : nil }
        guard tokens[index].kind == .type else { return name(index) }
        let isMember = isToken(previous(index), ".")
        if isMember, let outer = previous(index).flatMap(previous), tokens[outer].kind == .type { return nil }
        return (isMember ? "." : "") + names(from: index).map(name).joined(separator: ".")
      })
  }

  /// Returns the index of the type whose name follows that of a type and a full stop.
  private func nestedType(in index: Int) -> Int? {
    guard tokens[index].kind == .type, let stop = next(index), isToken(stop, "."), let inner = next(stop),
      tokens[inner].kind == .type
    else { return nil }
    return inner
  }

  /// Returns the indices of the names in `Outer.Inner`; nil where anything but a type follows a full stop.
  fileprivate func path(from first: Int) -> [Int]? {
    let path = names(from: first)
    return isToken(next(path[path.count - 1]), ".") ? nil : path
  }

  /// Returns the indices of a name and of those of the types that follow it, each behind a full stop.
  func names(from first: Int) -> [Int] {
    var names = [first]
    while let inner = nestedType(in: names[names.count - 1]) { names.append(inner) }
    return names
  }

  /// Whether the compiler is told not to hold that values can be sent to other tasks.
  fileprivate func hasWaiver(in range: Range<Int>) -> Bool {
    range.contains { isToken($0, "@unchecked") || isToken($0, "nonisolated") }
  }

  /// Whether a sign may end a type or a value.
  fileprivate func isOperandEnd(_ index: Int) -> Bool {
    ["?", "!", ">"].contains(UnicodeScalar(last(index))) && !isToken(index, "->")
  }

  /// Whether anything is called, or a closure stands, in some tokens.
  ///
  /// - Parameter known: what may be called.
  fileprivate func calls(in range: Range<Int>, but known: Set<String>) -> Bool {
    range.contains { index in
      switch tokens[index].kind {
      case .interpolation: return true
      case .opening:
        if isToken(index, "{") { return true }
        guard let before = previous(index) else { return false }
        switch tokens[before].kind {
        case .name, .type: return !known.contains(name(before))
        case .keyword: return ["init", "self", "Self"].contains { isToken(before, $0) }
        case .directive, .closing, .interpolationEnd: return true
        case .sign: return isOperandEnd(before)
        default: return false
        }
      default: return false
      }
    }
  }
}
