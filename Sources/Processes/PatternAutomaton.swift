/// An automaton that finds any of several patterns in a stream of bytes.
///
/// https://doi.org/10.1145/360825.360855 (Aho and Corasick, 1975)
struct PatternAutomaton: Sendable {
  /// The classes of the bytes in the patterns; 0 for every other byte.
  private var classes = [Int](repeating: 0, count: 256)
  private var width = 1
  /// The next state, by state and class of byte.
  private var table: [Int32] = []
  /// For each state, the number of last bytes that form the beginning of a pattern.
  private(set) var depths: [Int] = []
  /// For each state, the length of the longest pattern that ends there; 0 for none.
  private(set) var matches: [Int] = []

  init(_ patterns: some Sequence<[UInt8]>) {
    let patterns = Array(patterns).sorted { $0.lexicographicallyPrecedes($1) }
    for byte in patterns.joined() where classes[Int(byte)] == 0 {
      classes[Int(byte)] = width
      width += 1
    }
    _ = addState(depth: 0)
    for pattern in patterns where !pattern.isEmpty { add(pattern) }
    link()
  }

  var isEmpty: Bool { depths.count == 1 }

  var longest: Int { depths.max() ?? 0 }

  static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Returns the state after one more byte; the first state is 0.
  func next(_ state: Int, _ byte: UInt8) -> Int {
    Int(table[state * width + classes[Int(byte)]])
  }

  private mutating func addState(depth: Int) -> Int {
    table += [Int32](repeating: -1, count: width)
    depths.append(depth)
    matches.append(0)
    return depths.count - 1
  }

  private mutating func add(_ pattern: [UInt8]) {
    var state = 0
    for (index, byte) in pattern.enumerated() {
      let place = state * width + classes[Int(byte)]
      if table[place] < 0 {
        let new = addState(depth: index + 1)
        table[place] = Int32(new)
      }
      state = Int(table[place])
    }
    matches[state] = pattern.count
  }

  /// Fills in the transitions for mismatches, which lead to the longest suffix of the bytes read that begins another
  /// pattern.
  private mutating func link() {
    var fallbacks = [Int](repeating: 0, count: depths.count)
    var queue = [0]
    var done = 0
    while done < queue.count {
      let state = queue[done]
      done += 1
      matches[state] = max(matches[state], matches[fallbacks[state]])
      for letter in 0..<width {
        let place = state * width + letter
        let fallback = state == 0 ? 0 : Int(table[fallbacks[state] * width + letter])
        if table[place] < 0 {
          table[place] = Int32(fallback)
        } else {
          fallbacks[Int(table[place])] = fallback
          queue.append(Int(table[place]))
        }
      }
    }
  }
}
