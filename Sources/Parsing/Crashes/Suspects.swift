package import Model

/// A search for the tests whose functions are on a stack.
package enum Suspects {
  /// Returns the tests that frames of the package name, in their original order.
  package static func among(_ tests: [TestID], on stacks: [ThreadStack]) -> [TestID] {
    var functions: Set<String> = []
    for frame in stacks.flatMap(\.frames) where frame.isOwn { functions.insert(outermost(frame.function)) }
    return tests.filter { functions.contains(function(of: $0)) }
  }

  /// Returns the outermost function of a description such as `closure #1 in Suite.test()`.
  private static func outermost(_ description: String) -> String {
    var rest = description[...]
    for word in [" in ", " for ", " of "] {
      var start = rest.startIndex
      while let range = rest[start...].firstRange(ofASCII: word) {
        start = range.upperBound
        // A name in backticks may hold such a word.
        if rest[start...].count(where: { $0 == "`" }).isMultiple(of: 2) { rest = rest[start...] }
      }
    }
    return String(rest.dropping("static ") ?? rest).withoutBackticks
  }

  /// Returns the name of a test's function on a stack: without the module, and with dots between the suites.
  private static func function(of test: TestID) -> String {
    let name = test.withoutPlace.name
    let called = name.hasSuffix(")") ? name : name + "()"
    let suites = test.suite.split(separator: "/").joined(separator: ".")
    return (suites.isEmpty ? called : "\(suites).\(called)").withoutBackticks
  }
}
