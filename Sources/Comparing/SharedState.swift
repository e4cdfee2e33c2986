import Model

/// Which tests may notice each other's runs, because a variable outlives them.
///
/// A map tells who ran code, and not who profits from a value that another test of the process had made: so who mentions
/// a variable that an affected test mentions is affected, too. What a test mentions is what the lines of the product that
/// it ran mention, and all that its file can reach of the sources of its target.
struct SharedState {
  private let past: AffectedTests.Past
  private let sources: [String: SourceNames]
  /// By test source, those whose code its tests may run.
  private var reached: [String: Set<String>] = [:]
  /// By test source, the tests that may run its code.
  private var tests: [String: Set<TestID>] = [:]
  /// What runs code although it looks like a constant.
  private let live: Set<String>
  /// What was seen to make values, by the names of their properties.
  private let made: [String: [TestMap.Value]]
  private let fixedTypes: FixedTypes
  private let scopes: ModuleScopes
  private var variables: [Shared] = []

  /// A global or a static property, with who may notice its value.
  private struct Shared {
    var variable: SourceNames.Variable
    var path: String
    /// The sources that can name it.
    var scope: Set<String>
    /// The tests that mention it; for one of a test source, those that may run its code.
    var users: Set<TestID>
    /// The lines that ran to make its value by path, as far as they are known.
    var ran: [String: [ClosedRange<Int>]]
    /// Whether the value never changes and these lines are all that made it; otherwise every user may change it.
    var isFixed: Bool

    func isNamed(by words: Set<String>, in path: String) -> Bool {
      words.contains(variable.name) && scope.contains(path)
    }

    /// Whether the value is made from that of another one: the declaration mentions it, or what ran to make it.
    func isMade(from other: Shared, in sources: [String: SourceNames]) -> Bool {
      if other.isNamed(by: variable.words, in: path) { return true }
      return ran.contains { path, ran in
        let lines = other.scope.contains(path) ? sources[path]?.lines[other.variable.name] ?? [] : []
        return lines.contains { line in ran.contains { $0.contains(line) } }
      }
    }

    /// Whether any of the lines of a source ran to make the value.
    func isMade(by lines: [ClosedRange<Int>], in path: String) -> Bool {
      ran[path]?.contains { ran in lines.contains(where: ran.overlaps) } == true
    }
  }

  /// - Parameter sources: those of the product as they were when they were mapped, those of tests as they are now.
  init(_ sources: [String: SourceNames], listed: [TestID], _ past: AffectedTests.Past, in model: PackageModel) {
    self.past = past
    self.sources = sources
    made = Dictionary(grouping: past.map.values ?? [], by: \.name)
    live = Self.live(in: sources.values, Set(made.filter { $1.contains { !$0.ran.isEmpty } }.keys))
    scopes = ModuleScopes(sources, in: model)
    fixedTypes = FixedTypes(in: sources, scopes, modules: Set(model.targets.map(\.module)))
    for target in model.targets where target.isTest { reach(target.sourcePaths.filter { sources[$0] != nil }) }
    let own = Dictionary(grouping: listed) { past.files[$0] ?? "" }
    // Of a test without a known place, any source is reached.
    let unplaced = Set(own.filter { reached[$0.key] == nil }.flatMap(\.value))
    for path in reached.keys { tests[path] = unplaced }
    for (path, places) in reached {
      for place in places { tests[place]?.formUnion(own[path] ?? []) }
    }
    for (path, names) in sources {
      for variable in names.variables { share(variable, in: path) }
    }
  }

  private mutating func share(_ variable: SourceNames.Variable, in path: String) {
    let values = values(of: variable, in: path)
    guard isShared(variable, values) else { return }
    let scope = variable.isPrivate ? [path] : scopes.sources(naming: path)
    variables.append(
      Shared(
        variable: variable, path: path, scope: scope, users: tests[path] ?? users(of: variable, in: scope),
        ran: values.reduce(into: [:]) { $0.merge($1.ran, uniquingKeysWith: +) },
        isFixed: isFixed(variable, values, in: path)))
  }

  /// What changed in a source.
  struct Change {
    /// The tests that run it.
    var tests: Set<TestID> = []
    /// What it mentions now.
    var words: Set<String> = []
    /// The lines of the functions as they were.
    var lines: [ClosedRange<Int>] = []
  }

  /// Returns the tests that run what changed in a source, with those that may notice how they run.
  func tests(noticing change: Change, in path: String) -> Set<TestID> {
    var found = change.tests
    // A variable does not outlive its process.
    for isOfSwiftTesting in [false, true] {
      let tests = change.tests.filter { $0.isOfSwiftTesting == isOfSwiftTesting }
      let users = touched(by: tests, change, in: path).flatMap(\.users)
      found.formUnion(users.filter { $0.isOfSwiftTesting == isOfSwiftTesting })
    }
    return found
  }

  /// Returns the tests of which a part runs outside of them: an overridden static set-up, or what is called by the
  /// arguments of an attribute.
  func testsRunOutside(among listed: [TestID]) -> Set<TestID> {
    let classes = classesWithSharedSetUp
    let attributed = sources.values.flatMap(\.attributed).filter { !$0.isConstant || !$0.words.isDisjoint(with: live) }
    let names = Set(attributed.map(\.name))
    return Set(
      listed.filter { test in
        let suites = test.suite.split { "/.".contains($0) }.map { $0.filter { $0 != "`" } }
        return suites.last.map(classes.contains) == true || !names.isDisjoint(with: suites + [test.name.functionName])
      })
  }

  // MARK: - Variables

  private static func live(in sources: some Sequence<SourceNames>, _ made: Set<String>) -> Set<String> {
    var live = sources.reduce(into: made) { $0.formUnion($1.computed) }
    var constants: [SourceNames.Variable] = []
    for variable in sources.flatMap(\.variables) {
      if variable.isConstant { constants.append(variable) } else { live.insert(variable.name) }
    }
    live.grow { live in
      constants.filter { !live.contains($0.name) && !$0.words.subtracting([$0.name]).isDisjoint(with: live) }
        .map(\.name)
    }
    return live
  }

  private func isShared(_ variable: SourceNames.Variable, _ values: [TestMap.Value]) -> Bool {
    !variable.isConstant || values.contains { !$0.ran.isEmpty }
      || !variable.words.subtracting([variable.name]).isDisjoint(with: live)
  }

  private func users(of variable: SourceNames.Variable, in scope: Set<String>) -> Set<TestID> {
    var users: Set<TestID> = []
    // A variable of a program that a test started is gone with it.
    for path in scope {
      guard let lines = sources[path]?.lines[variable.name] else { continue }
      if let file = past.map.files[path] {
        let numbers = lines.reduce(into: Set<Int>()) {
          $0.formUnion(past.map.inProcessTests(ofLines: $1...$1, in: file))
        }
        users.formUnion(numbers.map { past.map.tests[$0] })
      } else {
        users.formUnion(tests[path] ?? [])
      }
    }
    return users
  }

  /// Returns what was seen to make the value of a variable, or that of another one which cannot be told from it.
  private func values(of variable: SourceNames.Variable, in path: String) -> [TestMap.Value] {
    let module = scopes.module(of: path)
    return (made[variable.name] ?? []).filter {
      $0.module == nil || $0.module == module && $0.owner == variable.type
    }
  }

  /// Whether the value of a variable never changes, and all is known that ran to make it.
  private func isFixed(_ variable: SourceNames.Variable, _ values: [TestMap.Value], in path: String) -> Bool {
    guard variable.isLet, !values.isEmpty, values.allSatisfy({ $0.type.map(fixedTypes.hold) == true }) else {
      return false
    }
    // Those that are private to several files or to several functions have one name.
    let alike = scopes.sources(of: path).reduce(0) { count, other in
      count + (sources[other]?.variables.count { $0.name == variable.name && $0.type == variable.type } ?? 0)
    }
    return values.count >= alike
  }

  private func touched(by tests: Set<TestID>, _ change: Change, in path: String) -> [Shared] {
    let places = reached[path].map { own in
      reached.keys.filter { own.contains($0) || sources[$0]?.offered.isDisjoint(with: change.words) == false }
    }
    // What makes a value may run in a process of which no test was seen to run it.
    let mayRun = !tests.isEmpty || variables.contains { $0.isMade(by: change.lines, in: path) }
    var (touched, rest): ([Shared], [Shared]) = ([], [])
    for shared in variables {
      let isNamed = shared.isNamed(by: change.words, in: path) || places?.contains(shared.path) == true
      let isUsed = mayRun && isNamed || !shared.users.isDisjoint(with: tests)
      if isUsed && !shared.isFixed || shared.isMade(by: change.lines, in: path) {
        touched.append(shared)
      } else {
        rest.append(shared)
      }
    }
    // The value of one may be made from that of another.
    var next = 0
    while next < touched.count {
      let shared = touched[next]
      next += 1
      let linked = rest.partition { other in
        other.isMade(from: shared, in: sources) || !other.isFixed && shared.isMade(from: other, in: sources)
      }
      touched += rest[linked...]
      rest.removeSubrange(linked...)
    }
    return touched
  }

  // MARK: - Test sources

  /// Finds which of a target's sources the tests of each may run.
  private mutating func reach(_ paths: [String]) {
    var offering: [String: [String]] = [:]
    for path in paths {
      for word in sources[path]?.offered ?? [] { offering[word, default: []].append(path) }
    }
    let named = Dictionary(
      uniqueKeysWithValues: paths.map { path in
        (path, Set((sources[path]?.lines.keys).map { $0.flatMap { offering[$0] ?? [] } } ?? []))
      })
    for path in paths {
      var (found, open): (Set<String>, [String]) = ([path], [path])
      while let next = open.popLast() {
        let more = (named[next] ?? []).subtracting(found)
        found.formUnion(more)
        open += more
      }
      reached[path] = found
    }
  }

  // MARK: - Outside of tests

  private var classesWithSharedSetUp: Set<String> {
    let classes = sources.values.flatMap(\.classes)
    var found = Set(classes.filter(\.overridesStatic).map(\.name))
    found.grow { found in
      classes.filter { !found.contains($0.name) && !$0.words.isDisjoint(with: found) }.map(\.name)
    }
    return found
  }
}

extension TestID {
  /// Whether Swift Testing runs it, whose tests have parentheses.
  var isOfSwiftTesting: Bool { name.contains("(") }
}
