package import Model

/// Finds the tests in whose functions a stack is.
package enum Suspects {
  /// The tests of a list that frames of the package name, in the order of the list.
  package static func among(_ tests: [TestID], on stacks: [ThreadStack]) -> [TestID] {
    var functions: Set<String> = []
    for frame in stacks.flatMap(\.frames) where frame.isOwn { functions.insert(outermost(frame.function)) }
    return tests.filter { functions.contains(function(of: $0)) }
  }

  /// `closure #1 in Suite.test()` without what stands in front of the function itself.
  private static func outermost(_ description: String) -> String {
    var rest = description[...]
    for word in [" in ", " for ", " of "] {
      while let range = rest.range(of: word, in: rest.startIndex) { rest = rest[range.upperBound...] }
    }
    return String(rest.dropping("static ") ?? rest)
  }

  /// A test's function as a stack names it: without the module, with dots between the suites.
  private static func function(of test: TestID) -> String {
    let name = SwiftTestingNames.withoutPlace(test.name)
    let called = name.hasSuffix(")") ? name : name + "()"
    let suites = test.suite.split(separator: "/").joined(separator: ".")
    return suites.isEmpty ? called : "\(suites).\(called)"
  }
}
