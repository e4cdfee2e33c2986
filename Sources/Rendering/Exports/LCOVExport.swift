import Model

/// Coverage as an LCOV tracefile: https://github.com/linux-test-project/lcov/blob/master/docs/source/man/geninfo.rst
///
/// `LF` and `LH` count the `DA` records, `FNF` and `FNH` the `FN` records, `BRF` and `BRH` the `BRDA` records. Swift
/// has no branch counters, so only other languages have branch records.
enum LCOVExport {
  static func text(_ coverage: CoverageDocument) -> String {
    var text = ""
    for file in coverage.files { write(file, to: &text) }
    return text
  }

  private static func write(_ file: CoverageDocument.File, to text: inout String) {
    text += "TN:\nSF:\(path(file.path))\n"
    let functions = uniquelyNamed(file.functions)
    for function in functions { text += "FN:\(function.line),\(function.name)\n" }
    for function in functions { text += "FNDA:\(function.count),\(function.name)\n" }
    text += "FNF:\(functions.count)\nFNH:\(functions.count { $0.count > 0 })\n"
    writeBranches(of: file, to: &text)
    for line in file.lines { text += "DA:\(line.line),\(line.count)\n" }
    text += "LF:\(file.lines.count)\nLH:\(file.lines.count { $0.count > 0 })\nend_of_record\n"
  }

  /// Writes the branches, numbered as by llvm-cov: the conditions of a line are its blocks, and the branch numbers
  /// continue from block to block; the first branch of a condition is the true one.
  ///
  /// LCOV rejects branches that were taken on a line that never ran. This can be so for a case label if another case
  /// matched.
  private static func writeBranches(of file: CoverageDocument.File, to text: inout String) {
    guard let branches = file.conditions.branches else { return }
    let ran = Set(file.lines.lazy.filter { $0.count > 0 }.map(\.line))
    var (line, block, taken) = (0, 0, 0)
    for condition in file.conditions {
      block = condition.line == line ? block + 1 : 0
      line = condition.line
      let wasReached = condition.branches.covered > 0 && ran.contains(line)
      if wasReached { taken += condition.branches.covered }
      for (side, count) in [condition.trueCount, condition.falseCount].enumerated() {
        text += "BRDA:\(line),\(block),\(2 * block + side),\(wasReached ? "\(count)" : "-")\n"
      }
    }
    text += "BRF:\(branches.total)\nBRH:\(taken)\n"
  }

  /// Returns the functions with unique names: LCOV takes two functions of one name for the same function, so overloads
  /// with equal names get their lines added. A record without a name makes genhtml reject the whole file.
  private static func uniquelyNamed(_ functions: [CoverageDocument.Function]) -> [CoverageDocument.Function] {
    let uses = Dictionary(functions.map { (functionName($0.name), $0.name.isEmpty ? 2 : 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    return functions.map { function in
      var function = function
      let plain = functionName(function.name)
      let base = uses[plain, default: 0] > 1 ? "\(plain) at line \(function.line)" : plain
      var name = base
      var number = 2
      while !seen.insert(name).inserted {
        name = "\(base) #\(number)"
        number += 1
      }
      function.name = name
      return function
    }
  }

  /// Returns the name without commas: LCOV itself allows them, but diff-cover splits at each and stops, so they become
  /// semicolons. A line feed would end the field, and carriage returns are made visible.
  private static func functionName(_ name: String) -> String {
    guard !name.isEmpty else { return "unnamed" }
    let scalars = VisibleText.of(name).unicodeScalars.map { $0 == "," ? ";" : $0 == "\n" ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the name under which a reader opens the file, unchanged except for line ends.
  private static func path(_ path: String) -> String {
    VisibleText.of(path, hiding: { $0 == "\n" || $0 == "\r" })
  }
}
