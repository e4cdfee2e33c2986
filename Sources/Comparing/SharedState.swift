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
  /// Values that code of the package was seen to make, such as that of an operator or a literal.
  private let made: Set<String>
  /// The types that the package declares.
  private let types: Set<String>
  /// The types whose values nobody can change through a `let`.
  private let values: Set<String>
  /// The properties of the product that are stored once, by name.
  private let stored: [String: [SourceNames.Variable]]
  /// The properties that run code each time, behind the names of their types.
  private let computed: Set<String>
  private var groups: [Group] = []

  /// A variable of the product, or all those of a test source.
  private struct Group {
    /// Nil for those of a test source.
    var variable: SourceNames.Variable?
    var path: String
    /// The tests that mention it.
    var users: Set<TestID>
    /// The lines that ran to make its value by path, as far as they are known.
    var ran: [String: [ClosedRange<Int>]]
    /// Whether the value never changes and these lines are all that made it; otherwise every user may change it.
    var isFixed = false

    func isNamed(by words: Set<String>, in path: String) -> Bool {
      variable.map { words.contains($0.name) && isVisible(in: path) } ?? false
    }

    private func isVisible(in path: String) -> Bool { variable?.isPrivate != true || path == self.path }

    /// Whether the value is made from that of another variable: the declaration mentions it, or what ran to make it.
    func isMade(from other: Group, in sources: [String: SourceNames]) -> Bool {
      guard let name = other.variable?.name else { return false }
      if let variable, other.isNamed(by: variable.words, in: path) { return true }
      return ran.contains { path, ran in
        let lines = other.isVisible(in: path) ? sources[path]?.lines[name] ?? [] : []
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
    made = Set((past.map.values ?? []).filter { !$0.ran.isEmpty }.map(\.name))
    live = Self.live(in: sources.values, made)
    types = sources.values.reduce(into: []) { $0.formUnion($1.classes.map(\.name) + Array($1.values.keys)) }
    values = Self.values(in: sources.values)
    let product = sources.filter { model.target(holding: $0.key)?.isTest != true }.values
    stored = Dictionary(grouping: product.flatMap(\.variables), by: \.name)
    computed = product.reduce(into: []) { $0.formUnion($1.computed) }
    for target in model.targets where target.isTest { reach(target.sourcePaths.filter { sources[$0] != nil }) }
    let own = Dictionary(grouping: listed) { past.files[$0] ?? "" }
    // Of a test without a known place, any source is reached.
    let unplaced = Set(own.filter { reached[$0.key] == nil }.flatMap(\.value))
    for path in reached.keys { tests[path] = unplaced }
    for (path, places) in reached {
      for place in places { tests[place]?.formUnion(own[path] ?? []) }
    }
    for (path, names) in sources {
      let shared = names.variables.filter { isShared($0) }
      if let tests = tests[path] {
        let ran = linesRan(toMake: shared.map(\.name))
        if !shared.isEmpty { groups.append(Group(path: path, users: tests, ran: ran)) }
      } else {
        groups += shared.map {
          Group(
            variable: $0, path: path, users: users(of: $0, in: path), ran: linesRan(toMake: [$0.name]),
            isFixed: isFixed($0))
        }
      }
    }
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
        return suites.last.map(classes.contains) == true || !names.isDisjoint(with: suites + [test.functionName])
      })
  }

  // MARK: - Variables

  /// The types of the standard library and of Foundation whose values never change through a `let`.
  private static let standardValues = SourceNames.fixedTypes.union([
    "Array", "ArraySlice", "Bool", "CBool", "CChar", "CDouble", "CFloat", "CInt", "CLong", "CShort", "CUnsignedChar",
    "CUnsignedInt", "CUnsignedLong", "CUnsignedShort", "Character", "ClosedRange", "CodingUserInfoKey",
    "ContiguousArray", "Date", "DateComponents", "Dictionary", "Double", "Duration", "Float", "Int", "Int8", "Int16",
    "Int32", "Int64", "Optional", "Range", "Result", "Self", "Set", "StaticString", "String", "Substring", "UInt",
    "UInt8", "UInt16", "UInt32", "UInt64", "UUID", "Void",
  ])

  /// Finds the types whose values never change through a `let`: nothing is stored in them but values of such types.
  ///
  /// A class of another module, a type parameter and a closure may hold anything.
  private static func values(in sources: some Sequence<SourceNames>) -> Set<String> {
    let classes = sources.flatMap(\.classes)
    var fixed = sources.reduce(into: [:]) { $0.merge($1.values) { $0.union($1) } }
    fixed.merge(classes.compactMap { type in type.constants.map { (type.name, $0) } }) { $0.union($1) }
    let mutable = classes.filter { $0.constants == nil }.map(\.name)
    for name in mutable { fixed[name] = nil }
    var known = standardValues.union(fixed.keys).subtracting(mutable)
    var isGrowing = true
    while isGrowing {
      let found = fixed.filter { !holdsOnly(known, $0.value) }.keys
      for name in found { fixed[name] = nil }
      known.subtract(found)
      isGrowing = !found.isEmpty
    }
    return known
  }

  /// Whether all types among some words are known.
  private static func holdsOnly(_ known: Set<String>, _ words: Set<String>) -> Bool {
    words.allSatisfy { $0 != "->" && $0.first?.isUppercase != true || known.contains($0) }
  }

  private static func live(in sources: some Sequence<SourceNames>, _ made: Set<String>) -> Set<String> {
    var live = sources.reduce(into: made) { $0.formUnion($1.computed) }
    var constants: [SourceNames.Variable] = []
    for variable in sources.flatMap(\.variables) {
      if variable.isConstant { constants.append(variable) } else { live.insert(variable.name) }
    }
    var isGrowing = true
    while isGrowing {
      let found = constants.filter {
        !live.contains($0.name) && !$0.words.subtracting([$0.name]).isDisjoint(with: live)
      }
      live.formUnion(found.map(\.name))
      isGrowing = !found.isEmpty
    }
    return live
  }

  private func isShared(_ variable: SourceNames.Variable) -> Bool {
    !variable.isConstant || made.contains(variable.name)
      || !variable.words.subtracting([variable.name]).isDisjoint(with: live)
  }

  private func users(of variable: SourceNames.Variable, in path: String) -> Set<TestID> {
    var users: Set<TestID> = []
    for (other, names) in sources where !variable.isPrivate || other == path {
      guard let lines = names.lines[variable.name] else { continue }
      if let file = past.map.files[other] {
        let numbers = lines.reduce(into: Set<Int>()) { $0.formUnion(past.map.tests(ofLines: $1...$1, in: file)) }
        users.formUnion(numbers.map { past.map.tests[$0] })
      } else {
        users.formUnion(tests[other] ?? [])
      }
    }
    return users
  }

  /// Returns the lines that ran to make the values of variables with these names, as far as they are known.
  private func linesRan(toMake names: [String]) -> [String: [ClosedRange<Int>]] {
    let made = (past.map.values ?? []).filter { names.contains($0.name) }
    return made.reduce(into: [:]) { $0.merge($1.ran, uniquingKeysWith: +) }
  }

  /// Whether the value of a variable never changes, and all is known that ran to make it.
  private func isFixed(_ variable: SourceNames.Variable) -> Bool {
    guard let values = past.map.values, isValue(variable) else { return false }
    // A value that the compiler made runs nothing, and what it was made from cannot be told.
    return values.count { $0.name == variable.name } >= stored[variable.name]?.count ?? 0
  }

  /// Whether the value of a variable never changes.
  ///
  /// - Parameter seen: the names that it is another one for.
  private func isValue(_ variable: SourceNames.Variable, seen: Set<String> = []) -> Bool {
    if let type = variable.letType {
      // What is in the brackets of the standard library's types may change in itself.
      return isValue(type) && (!Self.standardValues.contains(type) || Self.holdsOnly(values, variable.words))
    }
    guard let alias = variable.alias, !computed.contains(alias), !seen.contains(alias) else { return false }
    let parts = alias.split(separator: ".").map(String.init)
    let others = stored[parts[1]]?.filter { $0.type == parts[0] } ?? []
    return !others.isEmpty && others.allSatisfy { isValue($0, seen: seen.union([alias])) }
  }

  /// Whether a type, which may be nested in others of the package, has values that never change.
  private func isValue(_ type: String) -> Bool {
    var path = type.split(separator: ".").map(String.init)
    return path.popLast().map(values.contains) == true && path.allSatisfy(types.contains)
  }

  private func touched(by tests: Set<TestID>, _ change: Change, in path: String) -> [Group] {
    let places = reached[path].map { own in
      reached.keys.filter { own.contains($0) || sources[$0]?.offered.isDisjoint(with: change.words) == false }
    }
    // What makes a value may run in a process of which no test was seen to run it.
    let mayRun = !tests.isEmpty || groups.contains { $0.isMade(by: change.lines, in: path) }
    var (touched, rest): ([Group], [Group]) = ([], [])
    for group in groups {
      let isNamed = group.isNamed(by: change.words, in: path) || places?.contains(group.path) == true
      let isUsed = mayRun && isNamed || !group.users.isDisjoint(with: tests)
      if isUsed && !group.isFixed || group.isMade(by: change.lines, in: path) {
        touched.append(group)
      } else {
        rest.append(group)
      }
    }
    // The value of one may be made from that of another.
    var next = 0
    while next < touched.count {
      let group = touched[next]
      next += 1
      let linked = rest.partition { other in
        other.isMade(from: group, in: sources) || !other.isFixed && group.isMade(from: other, in: sources)
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
    var isGrowing = true
    while isGrowing {
      let heirs = classes.filter { !found.contains($0.name) && !$0.words.isDisjoint(with: found) }
      found.formUnion(heirs.map(\.name))
      isGrowing = !heirs.isEmpty
    }
    return found
  }
}

extension TestID {
  /// Whether Swift Testing runs it, whose tests have parentheses.
  fileprivate var isOfSwiftTesting: Bool { name.contains("(") }

  /// The name without argument labels and backticks.
  fileprivate var functionName: String {
    name.first == "`" ? String(name.dropFirst().prefix { $0 != "`" }) : String(name.prefix { $0 != "(" })
  }
}
