/// A pattern for names with slashes: branches, tags or files.
///
/// The rules are those of git's `glob` pathspecs
/// (https://git-scm.com/docs/gitglossary#Documentation/gitglossary.txt-glob):
/// - `*` is any run of characters without a slash, `?` a single character other than a slash, `[a-z]` one of a set and
///   `[!a-z]` one outside it (never a slash).
/// - `**/` at the beginning or after a slash is any number of folders, including none; `/**` at the end is everything
///   inside; other double stars are equivalent to single ones.
/// - `\` takes the next character literally.
///
/// In addition to git's rules, `{a,b}` is either of its parts, which may contain patterns and braces themselves. A
/// bracket or brace that is never closed stands for itself. The whole name must match, and case matters.
///
/// Matching takes time proportional to the length of the pattern times that of the name, whatever the pattern: all
/// paths are followed at once, never one after the other (https://swtch.com/~rsc/regexp/regexp1.html).
package struct Glob: Hashable, Sendable {
  /// A state of the automaton that reads a name.
  enum Node: Hashable, Sendable {
    case accept
    case scalar(Unicode.Scalar, next: Int)
    case notSlash(next: Int)
    case anything(next: Int)
    case set(GlobSet, next: Int)
    /// Continues with both states without reading.
    case either(Int, Int)
  }

  /// The pattern as written.
  package let pattern: String
  private let nodes: [Node]
  private let start: Int

  package init(_ pattern: String) {
    self.pattern = pattern
    var reader = GlobReader(pattern)
    var builder = GlobBuilder()
    start = builder.add(reader.parts(), before: builder.add(.accept))
    nodes = builder.nodes
  }

  /// Returns whether the whole name matches.
  package func matches(_ name: String) -> Bool {
    var states = GlobStates(nodes)
    states.enter(start)
    for scalar in name.unicodeScalars {
      guard states.step(over: scalar) else { return false }
    }
    return states.isAccepting
  }

  /// Returns whether a path or one of its parent folders matches, as in a git pathspec; a trailing slash means a
  /// folder.
  package func matches(path: String) -> Bool {
    var states = GlobStates(nodes)
    states.enter(start)
    for scalar in path.unicodeScalars {
      if scalar == "/", states.isAccepting { return true }
      guard states.step(over: scalar) else { return false }
      if scalar == "/", states.isAccepting { return true }
    }
    return states.isAccepting
  }
}

/// The current states of a glob's automaton at a position in a name.
private struct GlobStates {
  private let nodes: [Glob.Node]
  private var active: [Int] = []
  private var isActive: [Bool]
  private(set) var isAccepting = false

  init(_ nodes: [Glob.Node]) {
    self.nodes = nodes
    isActive = Array(repeating: false, count: nodes.count)
  }

  /// Adds a state and those that can be reached from it without reading.
  mutating func enter(_ first: Int) {
    var waiting = [first]
    while let state = waiting.popLast() {
      guard !isActive[state] else { continue }
      isActive[state] = true
      active.append(state)
      switch nodes[state] {
      case .either(let one, let other): waiting += [one, other]
      case .accept: isAccepting = true
      default: break
      }
    }
  }

  /// Reads one character and returns false if a match is no longer possible.
  mutating func step(over scalar: Unicode.Scalar) -> Bool {
    let before = active
    for state in before { isActive[state] = false }
    active.removeAll(keepingCapacity: true)
    isAccepting = false
    for state in before {
      switch nodes[state] {
      case .scalar(scalar, let next): enter(next)
      case .notSlash(let next) where scalar != "/": enter(next)
      case .anything(let next): enter(next)
      case .set(let set, let next) where set.contains(scalar): enter(next)
      default: break
      }
    }
    return !active.isEmpty
  }
}

/// A set of characters in brackets.
struct GlobSet: Hashable, Sendable {
  var isNegated = false
  var ranges: [ClosedRange<Unicode.Scalar>] = []

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "/" && ranges.contains { $0.contains(scalar) } != isNegated
  }
}
