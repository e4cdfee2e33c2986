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
  /// The types that the package declares.
  private let types: Set<String>
  /// The types whose values nobody can change through a `let`.
  private let values: Set<String>
  private var groups: [Group] = []

  /// A variable of the product, or all those of a test source.
  private struct Group {
    /// Nil for those of a test source.
    var variable: SourceNames.Variable?
    var path: String
    /// The tests that mention it.
    var users: Set<TestID>
    /// The tests that made its value, where that never changes; nil if every user may change it.
    var makers: Set<TestID>?

    func isNamed(by words: Set<String>, in path: String) -> Bool {
      variable.map { words.contains($0.name) && (!$0.isPrivate || path == self.path) } ?? false
    }

    func isMade(from other: Group) -> Bool { variable.map { other.isNamed(by: $0.words, in: path) } ?? false }
  }

  /// - Parameter sources: those of the product as they were when they were mapped, those of tests as they are now.
  init(_ sources: [String: SourceNames], listed: [TestID], _ past: AffectedTests.Past, in model: PackageModel) {
    self.past = past
    self.sources = sources
    live = Self.live(in: sources.values)
    types = sources.values.reduce(into: []) { $0.formUnion($1.classes.map(\.name) + Array($1.values.keys)) }
    values = Self.values(in: sources.values)
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
        if !shared.isEmpty { groups.append(Group(path: path, users: tests)) }
      } else {
        groups += shared.map {
          Group(variable: $0, path: path, users: users(of: $0, in: path), makers: makers(of: $0, in: path))
        }
      }
    }
  }

  /// Returns tests with those that may notice how they run.
  ///
  /// - Parameters:
  ///   - words: what they now mention besides.
  ///   - path: where these words stand.
  func tests(sharingWith tests: Set<TestID>, mentioning words: Set<String>, in path: String) -> Set<TestID> {
    // A variable does not outlive its process.
    let libraries = Dictionary(grouping: tests, by: \.isOfSwiftTesting)
    return libraries.reduce(into: tests) { found, tests in
      let users = touched(by: Set(tests.value), words, in: path).flatMap(\.users)
      found.formUnion(users.filter { $0.isOfSwiftTesting == tests.key })
    }
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
    "Array", "Bool", "Character", "Date", "Dictionary", "Double", "Int", "Set", "String", "UUID",
  ])
  /// What changes although it may be stored in a `let`, in a value that can be sent to other tasks, too.
  private static let standardVariables: Set<String> = [
    "Atomic", "ManagedAtomic", "Mutex", "NSCache", "NSLock", "NSMutableArray", "NSMutableDictionary", "NSMutableSet",
    "NSMutableString", "OSAllocatedUnfairLock", "UnsafeMutableBufferPointer", "UnsafeMutablePointer",
    "UnsafeMutableRawBufferPointer", "UnsafeMutableRawPointer",
  ]

  /// Finds the types whose values never change through a `let`: nothing that is stored in them does.
  private static func values(in sources: some Sequence<SourceNames>) -> Set<String> {
    let classes = sources.flatMap(\.classes)
    var open = sources.reduce(into: [:]) { $0.merge($1.values) { $0.union($1) } }
    open.merge(classes.compactMap { type in type.constants.map { (type.name, $0) } }) { $0.union($1) }
    var changing = standardVariables.union(classes.filter { $0.constants == nil }.map(\.name))
    var isGrowing = true
    while isGrowing {
      let found = open.filter { changing.contains($0.key) || !$0.value.isDisjoint(with: changing) }.keys
      changing.formUnion(found)
      for name in found { open[name] = nil }
      isGrowing = !found.isEmpty
    }
    return standardValues.subtracting(changing).union(open.keys)
  }

  private static func live(in sources: some Sequence<SourceNames>) -> Set<String> {
    var live = sources.reduce(into: Set<String>()) { $0.formUnion($1.computed) }
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
    !variable.isConstant || !variable.words.subtracting([variable.name]).isDisjoint(with: live)
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

  /// Returns the tests that ran what makes the value of a `let`, if the map tells any.
  private func makers(of variable: SourceNames.Variable, in path: String) -> Set<TestID>? {
    guard let type = variable.letType, isValue(type), let file = past.map.files[path],
      let lines = sources[path]?.lines[variable.name]
    else { return nil }
    let made = file.once.filter { lines.contains(where: $0.contains) }
    let numbers = made.reduce(into: Set<Int>()) { $0.formUnion(past.map.tests(ofLines: $1, in: file)) }
    return numbers.isEmpty ? nil : Set(numbers.map { past.map.tests[$0] })
  }

  /// Whether a type, which may be nested in others of the package, has values that never change.
  private func isValue(_ type: String) -> Bool {
    var path = type.split(separator: ".").map(String.init)
    return path.popLast().map(values.contains) == true && path.allSatisfy(types.contains)
  }

  private func touched(by tests: Set<TestID>, _ words: Set<String>, in path: String) -> [Group] {
    let places = reached[path].map { own in
      reached.keys.filter { own.contains($0) || sources[$0]?.offered.isDisjoint(with: words) == false }
    }
    var (touched, rest): ([Group], [Group]) = ([], [])
    for group in groups {
      let isNamed = group.isNamed(by: words, in: path) || places?.contains(group.path) == true
      if group.makers == nil && isNamed || !(group.makers ?? group.users).isDisjoint(with: tests) {
        touched.append(group)
      } else {
        rest.append(group)
      }
    }
    // The value of one may be made from that of another, which leaves no trace in the map.
    var next = 0
    while next < touched.count {
      let group = touched[next]
      next += 1
      let linked = rest.partition { $0.isMade(from: group) || $0.makers == nil && group.isMade(from: $0) }
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
