/// Mutants with the test runs that try them, in the form that the observer in a test program reads; see `Mutants.h`.
package struct MutantOrders: Hashable, Sendable {
  /// The arguments of one run of the program, and its time limit.
  package struct Run: Hashable, Sendable {
    package var arguments: [String]
    package var milliseconds: Int

    package init(arguments: [String], milliseconds: Int) {
      self.arguments = arguments
      self.milliseconds = milliseconds
    }
  }

  /// Code in place of other code.
  package struct Patch: Hashable, Sendable {
    /// Where it begins, relative to the program's load address.
    package var address: UInt64
    package var code: MutantCode

    package init(address: UInt64, code: MutantCode) {
      self.address = address
      self.code = code
    }
  }

  private var rows: [[String]: Int] = [:]
  private var rowLines: [String] = []
  private var mutantLines: [String] = []
  /// The maximum number of runs for each mutant.
  package private(set) var runCounts: [Int] = []

  package init() {}

  /// The number of mutants.
  package var count: Int { mutantLines.count }

  /// Adds a mutant.
  ///
  /// - Parameters:
  ///   - patches: at different places; none for the unchanged program.
  ///   - runs: the runs that try it, one after the other until one does not pass.
  package mutating func add(_ patches: [Patch], runs: [Run]) {
    let words = runs.map { "\($0.milliseconds),\(row(of: $0.arguments))" }
    let patch = patches.map { "\(String($0.address, radix: 16)):\($0.code.bytes);" }.joined()
    runCounts.append(runs.count)
    mutantLines.append("M \(words.joined(separator: "\u{1F}"))\t\(patch)\n")
  }

  /// Returns the text without the first mutants; the rest are counted from 0 in it.
  package func text(behind first: Int = 0) -> [UInt8] { Array((rowLines + mutantLines.dropFirst(first)).joined().utf8) }

  private mutating func row(of arguments: [String]) -> Int {
    if let known = rows[arguments] { return known }
    rows[arguments] = rows.count
    rowLines.append("A \(arguments.joined(separator: "\u{1F}"))\n")
    return rows.count - 1
  }
}
