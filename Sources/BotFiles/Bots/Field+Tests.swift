import Model

extension Field {
  func testSettings(_ base: TestSettings) -> TestSettings? {
    var tests = base
    if isWord("none") {
      tests.areExpected = false
      return tests
    }
    guard let fields = fields(expecting: "none or a mapping such as {timeout: 5m}") else { return nil }
    tests.areExpected = true
    fields.take("filter", into: &tests.filter) { $0.list("[GreeterTests]") { $0.regularExpression() } }
    fields.take("skip", into: &tests.skip) { $0.list("[SlowTests]") { $0.regularExpression() } }
    fields.take("timeout", into: &tests.limits.test) { $0.duration() }
    // Unless it was chosen to be shorter.
    if base.limits.silence >= base.limits.test { tests.limits.allowSilence() }
    fields.take("silence", into: &tests.limits.silence) { $0.duration() }
    fields.take("step", into: &tests.limits.step) { $0.duration() }
    fields.take("retries", into: &tests.retries) { $0.number(in: TestSettings.possibleRetries) }
    fields.take("slow", into: &tests.slow) { $0.duration() }
    fields.take("names", into: &tests.names) { $0.isWord("") ? "" : $0.regularExpression() }
    fields.take("isolation", into: &tests.isolation) { $0.flag() }
    fields.take("first", into: &tests.first) { $0.choice() }
    fields.take("only", into: &tests.only) { $0.choice() }
    let every = fields.take("every", into: &tests.every) { $0.number(in: 2...1000) }
    fields.finish()
    if let every, !every.node.isNothing, tests.only == .off {
      return every.refuse("'every' has everything run every so often, and needs 'only: affected'")
    }
    if tests.only == .off { tests.every = TestSettings().every }
    return tests
  }

  func coverageSettings(_ base: CoverageSettings) -> CoverageSettings? {
    var coverage = base
    if isWord("off") {
      coverage.isMeasured = false
      return coverage
    }
    guard let fields = fields(expecting: "off or a mapping such as {exclude: [\"Sources/Generated/**\"]}") else {
      return nil
    }
    coverage.isMeasured = true
    fields.take("exclude", into: &coverage.exclude) {
      $0.list("[\"Sources/Generated/**\"]") { $0.pathGlob("Sources/Generated/**") }
    }
    fields.take("incidental", into: &coverage.incidental) { $0.flag() }
    fields.take("map", into: &coverage.map) { $0.flag() }
    fields.take("mutants", into: &coverage.mutants) { $0.choice() }
    fields.take("blame", into: &coverage.blame) { $0.flag() }
    fields.take("gates", into: &coverage.gates) { $0.coverageGates() }
    fields.finish()
    return coverage
  }

  func coverageGates() -> [CoverageGate]? { list("[patch-fully-covered]") { $0.coverageGate() } }

  private func coverageGate() -> CoverageGate? {
    if isMapping {
      guard let fields = fields("{patch: 80}") else { return nil }
      let patch = fields.field("patch")
      fields.finish()
      guard let patch else { return fields.isEmpty ? expected("a gate such as {patch: 80}") : nil }
      return patch.percentage().map { .patch(atLeast: $0) }
    }
    if isWord("patch") { return refuse("the gate 'patch' needs a percentage; write {patch: 80}") }
    let words = CoverageGate.Form.allCases.filter { $0.gate != nil }.map(\.rawValue)
    return choice(among: words).flatMap(CoverageGate.init(rule:))
  }

  /// Reads `off` to disable all hints, or a mapping with the hints to disable.
  func practice(_ base: Bot.Practice) -> Bot.Practice? {
    var practice = base
    if isWord("off") {
      practice.off = PracticeHint.Name.allCases
      return practice
    }
    guard let fields = fields(expecting: "off or a mapping such as {off: [fast, names]}") else { return nil }
    fields.take("off", into: &practice.off) { $0.list("[fast, names]") { $0.choice() } }
    fields.finish()
    return practice
  }
}
