struct GlobReader {
  indirect enum Part: Hashable {
    case scalar(Unicode.Scalar)
    case one
    case star
    /// Any number of folders, each with its trailing slash.
    case folders
    case everything
    case set(GlobSet)
    case either([[Part]])
  }

  /// The maximum nesting of braces; deeper ones stand for themselves.
  private static let deepest = 16

  private let text: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  /// The positions of opening braces that are closed, and of the braces that close them.
  private var openers: Set<Int> = []
  private var closers: Set<Int> = []

  init(_ pattern: String) {
    text = Array(pattern.unicodeScalars)
    findBraces()
    place = 0
  }

  /// Finds the pairs of braces in one pass, so that parsing never has to backtrack.
  private mutating func findBraces() {
    var open: [Int] = []
    while place < text.count {
      switch text[place] {
      case "\\": place += 1
      case "[" where set() != nil: continue
      case "{": open.append(place)
      case "}":
        guard let opener = open.popLast(), open.count < Self.deepest else { break }
        openers.insert(opener)
        closers.insert(place)
      default: break
      }
      place += 1
    }
  }

  /// Parses the parts up to the end, or up to the comma or brace that ends the current alternative.
  mutating func parts() -> [Part] {
    var parts: [Part] = []
    while place < text.count {
      let scalar = text[place]
      if depth > 0, scalar == "," || closers.contains(place) { break }
      switch scalar {
      case "*": parts.append(stars())
      case "?":
        place += 1
        parts.append(.one)
      case "[": parts.append(set() ?? literal())
      case "{" where openers.contains(place): parts.append(braces())
      case "\\" where place + 1 < text.count:
        place += 1
        parts.append(literal())
      default: parts.append(literal())
      }
    }
    return parts
  }

  private mutating func literal() -> Part {
    defer { place += 1 }
    return .scalar(text[place])
  }

  private mutating func stars() -> Part {
    let first = place
    while place < text.count, text[place] == "*" { place += 1 }
    let isAtStart = first == 0 || text[first - 1] == "/" || (depth > 0 && "{,".unicodeScalars.contains(text[first - 1]))
    guard place - first == 2, isAtStart else { return .star }
    if place == text.count || (depth > 0 && ",}".unicodeScalars.contains(text[place])) { return .everything }
    guard text[place] == "/" else { return .star }
    place += 1
    return .folders
  }

  /// Parses a set, or returns nil without reading anything if the bracket is not closed.
  private mutating func set() -> Part? {
    var set = GlobSet()
    var next = place + 1
    if next < text.count, text[next] == "!" || text[next] == "^" {
      set.isNegated = true
      next += 1
    }
    let first = next
    while next < text.count, text[next] != "]" || next == first {
      if text[next] == "\\", next + 1 < text.count { next += 1 }
      let low = text[next]
      if next + 2 < text.count, text[next + 1] == "-", text[next + 2] != "]" {
        if low <= text[next + 2] { set.ranges.append(low...text[next + 2]) }
        next += 3
      } else {
        set.ranges.append(low...low)
        next += 1
      }
    }
    guard next < text.count else { return nil }
    place = next + 1
    return .set(set)
  }

  private mutating func braces() -> Part {
    depth += 1
    defer { depth -= 1 }
    var alternatives: [[Part]] = []
    repeat {
      place += 1
      alternatives.append(parts())
    } while place < text.count && text[place] == ","
    place += 1
    return .either(alternatives)
  }
}

/// A builder that turns the parts of a glob into the states of an automaton, from the end to the beginning.
struct GlobBuilder {
  private(set) var nodes: [Glob.Node] = []

  mutating func add(_ node: Glob.Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds states that read the parts and continue with `next`, and returns the first.
  mutating func add(_ parts: [GlobReader.Part], before next: Int) -> Int {
    parts.reversed().reduce(next) { add($1, before: $0) }
  }

  private mutating func add(_ part: GlobReader.Part, before next: Int) -> Int {
    switch part {
    case .scalar(let scalar): return add(.scalar(scalar, next: next))
    case .one: return add(.notSlash(next: next))
    case .set(let set): return add(.set(set, next: next))
    case .star: return addLoop(before: next) { .notSlash(next: $0) }
    case .everything: return addLoop(before: next) { .anything(next: $0) }
    case .folders:
      let slash = add(.scalar("/", next: next))
      return add(.either(next, addLoop(before: slash) { .anything(next: $0) }))
    case .either(let alternatives):
      return alternatives.map { add($0, before: next) }.reduce(nil) { (joined: Int?, start) in
        joined.map { add(.either($0, start)) } ?? start
      } ?? next
    }
  }

  /// Adds a state that reads any number of what `reading` reads and then continues with `next`.
  private mutating func addLoop(before next: Int, reading: (Int) -> Glob.Node) -> Int {
    let loop = add(.either(next, next))
    nodes[loop] = .either(next, add(reading(loop)))
    return loop
  }
}
