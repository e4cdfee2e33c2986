/// Runs the instructions of a template, and of those that it includes, into one buffer.
///
/// Nested sections, inclusions and blocks are kept in arrays rather than on the thread's stack, so no template can
/// overflow it.
struct TemplateRenderer {
  /// The maximum nesting depth of inclusions and replaced blocks.
  static let depthLimit = 100

  let library: TemplateLibrary
  let mode: TemplateLibrary.Mode
  var escaping = TemplateEscaping.html
  var output: [UInt8] = []
  /// The values in which names are looked up, innermost last.
  var contexts: [TemplateValue]
  private var loops: [Loop] = []

  // The running template, and its indentation.
  private(set) var template: Template
  private var next = 0
  private var end: Int
  private var indentation = Indentation()
  /// The index of the innermost scope, whose blocks replace others here.
  private var scope: Int?

  /// The calls to resume when an included template or a replacing block is done.
  private(set) var calls: [Call] = []
  private var scopes: [Scope] = []
  /// The length of the output at which a line of another template has already begun, so that it needs no indentation.
  private var lineBegunAt: Int?

  private struct Loop {
    var start: Int
    /// Empty for a section that runs once.
    var items: [TemplateValue]
    var index = 0
    var hasContext: Bool
  }

  /// The blocks that one parent tag passes.
  private struct Scope {
    var template: Template
    var blocks: [String: Int]
    /// The index of the scope that was passed to the template with the parent tag.
    var outer: Int?
  }

  struct Call {
    var template: Template
    /// The offset of the tag that made the call.
    var offset: Int
    fileprivate var next: Int
    fileprivate var end: Int
    fileprivate var indentation: Indentation
    fileprivate var scope: Int?
    fileprivate var scopeCount: Int
  }

  init(library: TemplateLibrary, template: Template, data: TemplateValue, mode: TemplateLibrary.Mode) {
    self.library = library
    self.template = template
    self.mode = mode
    contexts = [data]
    end = template.instructions.count
    output.reserveCapacity(template.bytes.count * 2)
  }

  mutating func render() throws(TemplateError) -> [UInt8] {
    while true {
      if next == end {
        guard let call = calls.popLast() else { return output }
        resume(call)
        continue
      }
      // A local reference for many steps, each of which would otherwise count references.
      let template = template
      repeat { try takeStep(of: template) } while next != end && template === self.template
    }
  }

  private mutating func takeStep(of template: Template) throws(TemplateError) {
    let instruction = template.instructions[next]
    next += 1
    switch instruction {
    case .text(let range, let startsLine): write(range, startsLine: startsLine, of: template)
    case .variable(let path, let isEscaped): try write(template.paths[path], isEscaped: isEscaped)
    case .section(let path, let end): try enter(template.paths[path], end: end)
    case .inverted(let path, let end): if try lookUp(template.paths[path]).isSomething { next = end }
    case .endSection: repeatOrLeave()
    case .inclusion(let inclusion): try include(template.inclusions[inclusion])
    case .block(let block): try replace(template.blocks[block])
    }
  }
}

// MARK: - Sections

extension TemplateRenderer {
  private mutating func enter(_ path: Template.Path, end: Int) throws(TemplateError) {
    let value = try lookUp(path)
    guard value.isSomething else {
      next = end
      return
    }
    switch value {
    case .list(let items):
      contexts.append(items[0])
      loops.append(Loop(start: next, items: items, hasContext: true))
    case .flag: loops.append(Loop(start: next, items: [], hasContext: false))
    default:
      contexts.append(value)
      loops.append(Loop(start: next, items: [], hasContext: true))
    }
  }

  private mutating func repeatOrLeave() {
    let last = loops.count - 1
    loops[last].index += 1
    if loops[last].index < loops[last].items.count {
      contexts[contexts.count - 1] = loops[last].items[loops[last].index]
      next = loops[last].start
    } else if loops.removeLast().hasContext {
      contexts.removeLast()
    }
  }
}

// MARK: - Inclusions and blocks

extension TemplateRenderer {
  private mutating func include(_ inclusion: Template.Inclusion) throws(TemplateError) {
    let caller = template
    let indentation = Indentation(prefix: inclusion.indentation.map(prefix) ?? [])
    next = inclusion.end
    guard let included = library[inclusion.name] else {
      if mode == .lenient { return }
      throw failure(
        at: inclusion.offset, "there is no template called \"\(inclusion.name)\"",
        advice: library.advice(for: inclusion.name))
    }
    let outer = scope
    try call(included, 0..<included.instructions.count, from: inclusion.offset, indentation)
    if !inclusion.arguments.isEmpty {
      scopes.append(Scope(template: caller, blocks: inclusion.arguments, outer: outer))
      scope = scopes.count - 1
    }
  }

  /// Runs the outermost block that replaces this one, or continues with the block's own content.
  private mutating func replace(_ block: Template.Block) throws(TemplateError) {
    var found: (scope: Scope, index: Int)?
    var candidate = scope
    while let index = candidate {
      if let block = scopes[index].blocks[block.name] { found = (scopes[index], block) }
      candidate = scopes[index].outer
    }
    guard let found, case .block(let named) = found.scope.template.instructions[found.index] else { return }
    let content = found.scope.template.blocks[named]
    let place = block.contentIndentation ?? block.indentation
    let indentation = Indentation(prefix: place.map(prefix) ?? [], dropped: content.contentIndentation?.count ?? 0)
    next = block.end
    try call(found.scope.template, (found.index + 1)..<content.end, from: block.offset, indentation)
    // The content refers to the blocks passed to its own template; otherwise a block could replace itself for ever.
    scope = found.scope.outer
    if !block.isStandalone {
      lineBegunAt = output.count
    } else if !content.contentStartsLine {
      output.append(contentsOf: indentation.prefix)
    }
  }

  private mutating func call(
    _ other: Template, _ range: Range<Int>, from offset: Int, _ indentation: Indentation
  ) throws(TemplateError) {
    if calls.count == Self.depthLimit {
      throw failure(
        at: offset, "templates include each other more than \(Self.depthLimit) deep",
        advice: "Let the data end the recursion: put the tag into a section that is empty at the last level.")
    }
    calls.append(
      Call(
        template: template, offset: offset, next: next, end: end, indentation: self.indentation, scope: scope,
        scopeCount: scopes.count))
    template = other
    next = range.lowerBound
    end = range.upperBound
    self.indentation = indentation
  }

  private mutating func resume(_ call: Call) {
    template = call.template
    next = call.next
    end = call.end
    indentation = call.indentation
    scope = call.scope
    scopes.removeLast(scopes.count - call.scopeCount)
  }
}

// MARK: - Text

extension TemplateRenderer {
  /// The treatment of leading white space in a template's lines.
  fileprivate struct Indentation {
    /// The prefix of each line.
    var prefix: [UInt8] = []
    /// The amount of the line's own white space that is dropped.
    var dropped = 0
  }

  private mutating func write(_ range: Range<Int>, startsLine: Bool, of template: Template) {
    if indentation.prefix.isEmpty && indentation.dropped == 0 {
      template.bytes.withUnsafeBufferPointer { output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
      return
    }
    var start = range.lowerBound
    var isLineStart = startsLine
    repeat {
      if isLineStart {
        if output.count != lineBegunAt { output.append(contentsOf: indentation.prefix) }
        start = dropIndentation(start..<range.upperBound)
      }
      let line = template.bytes[start..<range.upperBound]
      let end = line.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? range.upperBound
      output.append(contentsOf: template.bytes[start..<end])
      start = end
      isLineStart = true
    } while start < range.upperBound
  }

  /// Returns the offset at which a line begins without the dropped white space.
  private func dropIndentation(_ range: Range<Int>) -> Int {
    var start = range.lowerBound
    let limit = min(range.upperBound, start + indentation.dropped)
    while start < limit, template.bytes[start] == UInt8(ascii: " ") || template.bytes[start] == UInt8(ascii: "\t") {
      start += 1
    }
    return start
  }

  /// Returns the line prefix for content that follows white space of the current template.
  private func prefix(_ whiteSpace: Range<Int>) -> [UInt8] {
    indentation.prefix + template.bytes[whiteSpace].dropFirst(indentation.dropped)
  }
}

extension TemplateRenderer {
  /// Finds a value: its first name from the innermost context outwards, the other names step by step within it.
  ///
  /// Anything within a missing value is missing too. In lenient mode, so is anything that cannot be found.
  func lookUp(_ path: Template.Path) throws(TemplateError) -> TemplateValue {
    guard let first = path.names.first else { return contexts[contexts.count - 1] }
    guard var value = lookUp(first) else {
      if mode == .lenient { return .missing }
      throw unknown(first, path)
    }
    guard path.names.count > 1 else { return value }
    for (index, name) in path.names.enumerated().dropFirst() {
      switch value {
      case .missing: return .missing
      case .record(let record):
        if let below = record[name] {
          value = below
          continue
        }
        if mode == .lenient { return .missing }
        let owner = path.names[..<index].joined(separator: ".")
        throw failure(
          at: path.offset, "\"\(owner)\" has nothing called \"\(name)\"",
          advice: KnownNames("Known here", record.keys).advice(for: name))
      default:
        if mode == .lenient { return .missing }
        let owner = path.names[..<index].joined(separator: ".")
        throw failure(
          at: path.offset, "\"\(owner)\" is \(value.kind) and has nothing called \"\(name)\"",
          advice: "Use \"\(owner)\" itself, or make it a record.")
      }
    }
    return value
  }

  private func lookUp(_ name: String) -> TemplateValue? {
    var index = contexts.count
    while index > 0 {
      index -= 1
      if case .record(let record) = contexts[index], let value = record[name] { return value }
    }
    return nil
  }

  private func unknown(_ name: String, _ path: Template.Path) -> TemplateError {
    var known: Set<String> = []
    for case .record(let record) in contexts { known.formUnion(record.keys) }
    return failure(
      at: path.offset, "nothing in the data is called \"\(name)\"",
      advice: KnownNames("Known here", known).advice(for: name))
  }

  /// Returns an error at a place in the running template.
  func failure(at offset: Int, _ reason: String, advice: String) -> TemplateError {
    let inclusions = calls.reversed().map { call in
      let place = TemplateError.Position(offset: call.offset, in: call.template.bytes)
      return "\(call.template.origin):\(place.line):\(place.column)"
    }
    return TemplateError(
      file: template.origin, position: TemplateError.Position(offset: offset, in: template.bytes),
      inclusions: inclusions, reason: reason, advice: advice)
  }
}

extension TemplateRenderer {
  mutating func write(_ path: Template.Path, isEscaped: Bool) throws(TemplateError) {
    switch try lookUp(path) {
    case .missing: return
    case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: "\(number)".utf8)
    case .text(let text):
      if isEscaped {
        escaping.append(text, to: &output)
      } else if mode == .lenient {
        output.append(contentsOf: text.utf8)
      } else {
        throw failure(
          at: path.offset, "\"\(path.text)\" is a text, and only values typed as safe HTML may be put in unescaped",
          advice: "Write {{\(path.text)}}.")
      }
    case .html(let html):
      if !isEscaped {
        output.append(contentsOf: html.bytes)
      } else if mode == .lenient {
        HTMLEscaper.append(html.bytes, to: &output)
      } else {
        throw failure(
          at: path.offset, "\"\(path.text)\" is safe HTML, and two braces would escape it again",
          advice: "Write {{{\(path.text)}}}.")
      }
    case .command(let text):
      if isEscaped { escaping.append(text, to: &output) } else { output += SafeHTML.command(text).bytes }
    case .name(let text):
      if isEscaped { escaping.append(VisibleText.of(text), to: &output) } else { output += SafeHTML.name(text).bytes }
    case .heading(let text):
      if isEscaped {
        escaping.append(VisibleText.of(text), to: &output)
      } else {
        output += SafeHTML.heading(text).bytes
      }
    case .list, .record: try refuse(path)
    }
  }

  /// Rejects lists and records, which have no text of their own.
  private func refuse(_ path: Template.Path) throws(TemplateError) {
    if mode == .lenient { return }
    throw failure(
      at: path.offset, "\"\(path.text)\" is \(try lookUp(path).kind) and cannot be put in as text",
      advice: "Open it with {{#\(path.text)}} and put in what it holds.")
  }
}

extension TemplateValue {
  /// Whether a section shows this value.
  var isSomething: Bool {
    switch self {
    case .missing: false
    case .flag(let flag): flag
    case .text(let text), .command(let text), .name(let text), .heading(let text): !text.isEmpty
    case .html(let html): !html.bytes.isEmpty
    case .list(let items): !items.isEmpty
    case .number, .record: true
    }
  }
}
