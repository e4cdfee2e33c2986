import Model

/// Coverage as a tracefile of LCOV: https://github.com/linux-test-project/lcov/blob/master/docs/source/man/geninfo.rst
///
/// `LF` and `LH` count the `DA` records, `FNF` and `FNH` the `FN` records. Swift has no branch counters, so there are no
/// branch records.
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
    for line in file.lines { text += "DA:\(line.line),\(line.count)\n" }
    text += "LF:\(file.lines.count)\nLH:\(file.lines.count { $0.count > 0 })\nend_of_record\n"
  }

  /// LCOV takes two functions of one name for one function, so overloads that read alike are told apart by their line.
  /// A record without a name makes genhtml refuse the whole file.
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

  /// LCOV itself allows commas in names, but diff-cover splits at each and stops: a semicolon stands for them. A line
  /// feed ends the field, and a carriage return is among what is made visible.
  private static func functionName(_ name: String) -> String {
    guard !name.isEmpty else { return "unnamed" }
    let scalars = VisibleText.of(name).unicodeScalars.map { $0 == "," ? ";" : $0 == "\n" ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The name under which a reader opens the file: as it is, but for what ends a line.
  private static func path(_ path: String) -> String {
    VisibleText.of(path, hiding: { $0 == "\n" || $0 == "\r" })
  }
}
