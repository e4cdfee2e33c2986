/// Mutants with the runs of tests that try them, as the observer in a test program reads them; `Mutants.h` has the form.
package struct MutantOrders: Hashable, Sendable {
  /// The arguments of one run of the program, and how long it may take.
  package struct Run: Hashable, Sendable {
    package var arguments: [String]
    package var milliseconds: Int

    package init(arguments: [String], milliseconds: Int) {
      self.arguments = arguments
      self.milliseconds = milliseconds
    }
  }

  private var rows: [[String]: Int] = [:]
  private var rowLines: [String] = []
  private var mutantLines: [String] = []
  /// Of each mutant, how many runs it survives at most.
  package private(set) var runCounts: [Int] = []

  package init() {}

  /// How many mutants there are.
  package var count: Int { mutantLines.count }

  /// Adds a mutant.
  ///
  /// - Parameters:
  ///   - address: where its function begins, counted from where the program is loaded; nil for the program as it is.
  ///   - runs: those that try it, one after the other until one does not pass.
  package mutating func add(_ code: MutantCode?, at address: UInt64?, runs: [Run]) {
    let words = runs.map { "\($0.milliseconds),\(row(of: $0.arguments))" }
    var patch = ""
    if let code, let address { patch = "\(String(address, radix: 16)):\(code.bytes);" }
    runCounts.append(runs.count)
    mutantLines.append("M \(words.joined(separator: "\u{1F}"))\t\(patch)\n")
  }

  /// The text that has the mutants behind the first ones, which are counted from 0 in it.
  package func text(behind first: Int = 0) -> [UInt8] { Array((rowLines + mutantLines.dropFirst(first)).joined().utf8) }

  private mutating func row(of arguments: [String]) -> Int {
    if let known = rows[arguments] { return known }
    rows[arguments] = rows.count
    rowLines.append("A \(arguments.joined(separator: "\u{1F}"))\n")
    return rows.count - 1
  }
}
