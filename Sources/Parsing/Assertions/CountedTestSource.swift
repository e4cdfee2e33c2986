import Model
import Syntax

/// A test source with its counters, indexed so that looking up each test is cheap.
struct CountedTestSource {
  let target: String
  let functions: [TestFunctions.Function]
  /// The indices of the functions with each name, without backticks.
  private let indices: [String: [Int]]
  /// The number of calls of each function, by the byte offset of its body.
  private let calls: [Int: UInt64]
  /// The counts of the autoclosures, with their starts as byte offsets.
  private let autoclosures: [(start: Int, count: UInt64)]

  init(target: String, _ read: TestFunctions, _ bytes: [UInt8], counts: [FunctionCode]) {
    self.target = target
    functions = read.functions
    indices = Dictionary(grouping: read.functions.indices) { read.functions[$0].name.functionName }
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

  /// Returns the function with a name that is declared on a line or on one of the next lines.
  func function(named name: String, near line: Int) -> TestFunctions.Function? {
    (indices[name] ?? []).lazy.map { functions[$0] }.first { $0.isNear(line) }
  }

  /// Returns how often the function with this body was called; nil if it was not compiled.
  func count(of body: Range<Int>) -> UInt64? { calls[body.lowerBound] }

  /// Returns the highest count of the autoclosures that begin in a range; nil if there are none.
  func closureCount(in stretch: Range<Int>) -> UInt64? {
    autoclosures[autoclosures.partitioningIndex { $0.start >= stretch.lowerBound }...]
      .prefix { $0.start < stretch.upperBound }.map(\.count).max()
  }
}

extension FunctionCode {
  /// Whether the compiler generated the function from an argument: its name ends with `fu`, a number and an underscore.
  ///
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  fileprivate var isAutoclosure: Bool {
    guard symbol.hasSuffix("_") else { return false }
    let name = symbol.dropLast()
    return name.prefix(upTo: name.lastIndex { !$0.isNumber }.map { name.index(after: $0) } ?? name.endIndex)
      .hasSuffix("fu")
  }
}
