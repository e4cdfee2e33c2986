extension TestReport {
  /// Takes the names and places of tests that did not run, and the names of their suites, from the document of an earlier
  /// integration: Swift Testing tells them only of tests that it runs.
  ///
  /// - Parameter isUnchanged: whether a file is as it was, so that places in it still hold.
  package mutating func recall(_ earlier: IntegrationRecord, isUnchanged: (_ file: String) -> Bool) {
    let missing = results.indices.filter { results[$0].state == .notRun }
    guard !missing.isEmpty else { return }
    let known = earlier.tests.cases.keyed(by: \.id)
    var unchanged: [String: Bool] = [:]
    for index in missing {
      guard let test = known[results[index].id] else { continue }
      if results[index].displayName == nil { results[index].displayName = test.displayName }
      if results[index].suiteName == nil { results[index].suiteName = test.suiteName }
      guard results[index].location == nil, let file = test.file, let line = test.line else { continue }
      let holds = unchanged[file] ?? isUnchanged(file)
      unchanged[file] = holds
      if holds { results[index].location = SourceLocation(file: file, line: line) }
    }
  }
}
