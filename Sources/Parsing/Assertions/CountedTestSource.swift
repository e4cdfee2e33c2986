import Model
import Syntax

/// One test source with its counters, arranged so that each test costs little to look up.
struct CountedTestSource {
  let target: String
  let functions: [TestFunctions.Function]
  /// The indices of the functions of each name, backticks left out.
  private let indices: [String: [Int]]
  /// How often the function was called whose body begins at a byte.
  private let calls: [Int: UInt64]
  /// The counts of the autoclosures, by the byte at which they begin.
  private let autoclosures: [(start: Int, count: UInt64)]

  init(target: String, _ read: TestFunctions, _ bytes: [UInt8], counts: [FunctionCode]) {
    self.target = target
    functions = read.functions
    indices = Dictionary(grouping: read.functions.indices) { read.functions[$0].name.filter { $0 != "`" } }
    let lines = SourceLines(bytes).starts
    var calls: [Int: UInt64] = [:]
    var autoclosures: [(start: Int, count: UInt64)] = []
    for code in counts {
      guard let position = code.regions.first?.start, lines.indices.contains(position.line &- 1) else { continue }
      let start = lines[position.line - 1] &+ position.column &- 1
      if calls[start] == nil { calls[start] = code.count }
      if code.isAutoclosure { autoclosures.append((start, code.count)) }
    }
    self.calls = calls
    self.autoclosures = autoclosures.sorted { $0.start < $1.start }
  }

  /// The function of a name that is declared on a line, or on one of the next.
  func function(named name: String, near line: Int) -> TestFunctions.Function? {
    (indices[name] ?? []).lazy.map { functions[$0] }.first { $0.isNear(line) }
  }

  /// How often the function with this body was called; nil when it was not compiled.
  func count(of body: Range<Int>) -> UInt64? { calls[body.lowerBound] }

  /// The highest count of the autoclosures that begin in a stretch; nil when there is none.
  func closureCount(in stretch: Range<Int>) -> UInt64? {
    autoclosures[autoclosures.partitioningIndex { $0.start >= stretch.lowerBound }...]
      .prefix { $0.start < stretch.upperBound }.map(\.count).max()
  }
}

extension FunctionCode {
  /// Whether the compiler made it of an argument: its name ends with `fu`, a number and an underscore.
  ///
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  fileprivate var isAutoclosure: Bool {
    guard symbol.hasSuffix("_") else { return false }
    let name = symbol.dropLast()
    return name.prefix(upTo: name.lastIndex { !$0.isNumber }.map { name.index(after: $0) } ?? name.endIndex)
      .hasSuffix("fu")
  }
}
