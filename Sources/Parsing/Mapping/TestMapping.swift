package import Model

/// Puts the map from tests to lines together from what tests counted and where the compiler put the counters.
package struct TestMapping {
  /// Who ran each piece of each file, by path.
  private typealias Runners = [String: [Span: Set<Int>]]

  /// What the tests of one process counted.
  private struct Process {
    var counted: CountedTests
    var parts: [RawProfile]
  }

  /// A piece of a file, however many functions the compiler made of it.
  private struct Span: Hashable {
    var start: SourcePosition
    var end: SourcePosition
    var isGap: Bool
  }

  private var processes: [Process] = []
  private let programs: MappedPrograms
  /// The properties whose values are made when they are first needed.
  private let values: [ValueMaker: TestMap.Value]
  /// Why some tests are missing, as sentences.
  package var gaps: [String] = []

  /// - Parameters:
  ///   - programs: those that the tests ran in.
  ///   - demangled: the readable names of the code that makes values, and of their properties.
  package init(_ programs: MappedPrograms, demangled: [String: String] = [:]) {
    self.programs = programs
    values = programs.valueMakers.compactMapValues { symbol in
      if let property = programs.valueProperties[symbol].flatMap({ demangled[$0] }).flatMap(StoredProperty.init) {
        return TestMap.Value(
          name: property.name, module: property.module, owner: property.owner, type: property.type)
      }
      return demangled[symbol].flatMap(ValueMaker.property).map { TestMap.Value(name: $0) }
    }
  }

  /// - Parameter parts: the counters of the process, as they were moved.
  package mutating func add(_ counted: CountedTests, parts: [[UInt8]]) throws {
    guard !counted.tests.isEmpty else { return }
    processes.append(Process(counted: counted, parts: try parts.map(RawProfile.init)))
  }

  /// - Parameter files: the sources that count; only their code is in the map.
  package func map(of files: [FileCoverage], _ selection: SourceSelection) -> TestMap {
    let tests = Set(processes.flatMap(\.counted.tests)).sorted { $0.description < $1.description }
    let numbers = Dictionary(uniqueKeysWithValues: zip(tests, tests.indices))
    let path = Self.paths(of: files, selection)
    // A started program makes its values anew, and no mutant is in it: so what ran there is also told apart.
    let own = runners(path) { process in
      process.counted.counts(in: process.parts).compactMap { test, counts in numbers[test].map { ($0, counts) } }
    }
    let started = runners(path) { process in
      process.counted.programs.counts.compactMap { test, counts in numbers[test].map { ($0, counts) } }
    }
    let outside = runners(path) { process in [(-1, process.counted.countsOutside(in: process.parts))] }
    var sets = NumberedSets()
    let mapped = files.compactMap { file -> (String, TestMap.File)? in
      let inProcess = own[file.path] ?? [:]
      let all = inProcess.merging(started[file.path] ?? [:]) { $0.union($1) }
      guard !all.isEmpty else { return nil }
      var found = Self.map(of: file, all, &sets)
      let runners = Self.runners(of: file, inProcess)
      if let started = started[file.path] {
        found.inProcess = Self.map(of: file, inProcess, &sets).lines
        for start in Self.runners(of: file, started).keys.sorted() {
          let index = found.functions.partitioningIndex { $0.start >= start }
          found.functions[index].inProcess = sets.number(of: runners[start] ?? [])
        }
      }
      found.once = once(in: file, runners, tests)
      var nobody = NumberedSets()
      found.outside = Self.map(of: file, outside[file.path] ?? [:], &nobody).lines.map(\.lines).joined
      return (file.path, found)
    }
    let (sorted, places) = sets.sorted
    return TestMap(
      tests: tests, sets: sorted, files: Dictionary(uniqueKeysWithValues: mapped).mapValues { $0.renumbered(places) },
      values: values(path), gaps: gaps)
  }

  /// Returns what finds the path of a source that counts, by its name in a program.
  private static func paths(of files: [FileCoverage], _ selection: SourceSelection) -> (String) -> String? {
    var paths: [String: String?] = [:]
    let counting = Set(files.map(\.path))
    return { name in
      if let known = paths[name] { return known }
      var found: String?
      if case .counted(let path, _) = selection.role(of: name), counting.contains(path) { found = path }
      paths[name] = found
      return found
    }
  }

  /// - Parameters:
  ///   - path: finds the path of a source that counts, by its name in a program.
  ///   - counts: what tests counted of each function in a process, by the number of the test.
  private func runners(
    _ path: (String) -> String?, counts: (Process) -> [(Int, [CoverageMapping.Identity: [Int: UInt64]])]
  ) -> Runners {
    var runners: Runners = [:]
    for process in processes {
      for (test, counts) in counts(process) { add(counts, of: test, to: &runners, path) }
    }
    return runners
  }

  private func add(
    _ counts: [CoverageMapping.Identity: [Int: UInt64]], of test: Int, to runners: inout Runners,
    _ path: (String) -> String?
  ) {
    for (identity, counters) in counts {
      guard let function = programs.mappings.lazy.compactMap({ $0.functions[identity] }).first else { continue }
      for (region, count) in zip(function.regions, function.counts { counters[$0] ?? 0 }) {
        guard region.kind == .code || region.kind == .gap, let path = path(function.files[region.file])
        else { continue }
        let span = Span(start: region.start, end: region.end, isGap: region.kind == .gap)
        // Also where it did not run: what is around it does not speak for it.
        if count.ran > 0, !count.ran.isUnderflow {
          runners[path, default: [:]][span, default: []].insert(test)
        } else {
          runners[path, default: [:]][span, default: []].formUnion([])
        }
      }
    }
  }

  /// What ran to make each value; nil if a process does not tell all of them, or makes one that has no name.
  ///
  /// - Parameter path: finds the path of a source that counts, by its name in a program.
  private func values(_ path: (String) -> String?) -> [TestMap.Value]? {
    var values = values
    for process in processes {
      guard process.counted.followsValues else { return nil }
      for (maker, identities) in process.counted.functions(in: process.parts) {
        guard values[maker] != nil else { return nil }
        for function in identities.flatMap({ identity in programs.mappings.compactMap { $0.functions[identity] } }) {
          for (path, lines) in function.lines(path) { values[maker]?.ran[path, default: []].append(lines) }
        }
      }
    }
    return values.values.map { value in
      var value = value
      value.ran = value.ran.mapValues(\.joined)
      return value
    }.sorted { ($0.name, $0.module ?? "", $0.owner ?? "") < ($1.name, $1.module ?? "", $1.owner ?? "") }
  }

  /// The lines of the values that a process makes once. Their own code has no counters, only the closures in them: those
  /// that several tests of one process ran are called later as well.
  ///
  /// - Parameter ran: who ran each function in these processes, by its beginning.
  private func once(in file: FileCoverage, _ ran: [SourcePosition: Set<Int>], _ tests: [TestID]) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    for function in file.functions where file.path.hasSuffix(".swift") && function.makesValueOnce {
      guard let start = function.regions.first?.start, let numbers = ran[start] else { continue }
      let runners = Set(numbers.map { tests[$0] })
      guard processes.allSatisfy({ $0.counted.tests.count(where: runners.contains) < 2 }) else { continue }
      if let last = found.last, last.upperBound >= function.line {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, function.lastLine)
      } else {
        found.append(function.line...function.lastLine)
      }
    }
    return found
  }

  private static func map(of file: FileCoverage, _ spans: [Span: Set<Int>], _ sets: inout NumberedSets) -> TestMap.File
  {
    let regions = spans.map { ($0.key, $0.value) }.sorted {
      ($0.0.start, $1.0.end) < ($1.0.start, $0.0.end)
    }
    var found: [TestMap.Lines] = []
    var parts: [TestMap.Part] = []
    /// Those that reach into the next line, from outside in.
    var open: [(Span, Set<Int>)] = []
    var next = 0
    for line in file.lines where line.state != .neverRan {
      while next < regions.count, regions[next].0.start.line < line.line {
        open.append(regions[next])
        next += 1
      }
      let start = SourcePosition(line: line.line, column: 1)
      open.removeAll { $0.0.end <= start }
      var tests = open.last?.1 ?? []
      let beginning = regions[next...].prefix { $0.0.start.line == line.line }
      for (span, runners) in beginning where !span.isGap { tests.formUnion(runners) }
      guard !tests.isEmpty else { continue }
      if Set((open.suffix(1) + beginning.filter { !$0.0.isGap }).map(\.1)).count > 1 {
        parts += Self.parts(of: line.line, open: open, beginning).map {
          .init(start: $0.start, set: sets.number(of: $0.tests))
        }
      }
      let set = sets.number(of: tests)
      if let last = found.last, last.set == set, last.lines.upperBound == line.line - 1 {
        found[found.count - 1].lines = last.lines.lowerBound...line.line
      } else {
        found.append(.init(lines: line.line...line.line, set: set))
      }
    }
    let functions = runners(of: file, spans).sorted { $0.key < $1.key }
    var mapped = TestMap.File(
      lines: found, functions: functions.map { .init(start: $0.key, set: sets.number(of: $0.value)) })
    mapped.parts = parts
    return mapped
  }

  /// Who ran each function of a file, by its beginning; those that nobody ran are missing.
  private static func runners(of file: FileCoverage, _ spans: [Span: Set<Int>]) -> [SourcePosition: Set<Int>] {
    let bodies = Dictionary(spans.filter { !$0.key.isGap }.map { ($0.key.start...$0.key.end, $0.value) }) {
      $0.union($1)
    }
    return file.functions.reduce(into: [:]) { found, function in
      guard let start = function.regions.first?.start else { return }
      let tests = function.entries.reduce(into: Set<Int>()) { tests, entry in
        tests.formUnion(bodies[function.regions[entry].start...function.regions[entry].end] ?? [])
      }
      if !tests.isEmpty { found[start, default: []].formUnion(tests) }
    }
  }

  /// The places of a line from which other tests ran it than before, beginning with the region that reaches into it.
  ///
  /// - Parameters:
  ///   - open: the regions that reach into the line, from outside in.
  ///   - beginning: those that begin on it, ascending.
  private static func parts(
    of line: Int, open: [(Span, Set<Int>)], _ beginning: ArraySlice<(Span, Set<Int>)>
  ) -> [(start: SourcePosition, tests: Set<Int>)] {
    guard !beginning.isEmpty else { return [] }
    var open = open
    var parts: [(start: SourcePosition, tests: Set<Int>)] = []
    func add(_ start: SourcePosition, _ tests: Set<Int>) {
      if parts.last?.start == start { parts.removeLast() }
      if parts.last?.tests != tests { parts.append((start, tests)) }
    }
    func close(upTo place: SourcePosition) {
      while let last = open.last, last.0.end <= place {
        open.removeLast()
        add(last.0.end, open.last?.1 ?? [])
      }
    }
    if let around = open.last { add(SourcePosition(line: line, column: 1), around.1) }
    for region in beginning {
      close(upTo: region.0.start)
      add(region.0.start, region.1)
      open.append(region)
    }
    close(upTo: SourcePosition(line: line, column: .max))
    return parts
  }
}

extension FunctionCoverage {
  /// Whether it is the value of a global or a static property of Swift: it has no code of its own that is counted, unlike
  /// the value of a property that each object makes.
  fileprivate var makesValueOnce: Bool { isOnlyFolded && folded.contains { $0.kind == .closure } }
}

extension CoverageMapping.Function {
  /// The lines of its code in each source that counts.
  fileprivate func lines(_ path: (String) -> String?) -> [String: ClosedRange<Int>] {
    var found: [String: ClosedRange<Int>] = [:]
    for region in regions where region.kind == .code {
      guard let path = path(files[region.file]) else { continue }
      let before = found[path] ?? region.start.line...region.start.line
      found[path] = min(before.lowerBound, region.start.line)...max(before.upperBound, region.end.line)
    }
    return found
  }
}

extension [ClosedRange<Int>] {
  /// The same numbers in ascending ranges that do not touch.
  fileprivate var joined: Self {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
      if let last = joined.last, last.upperBound + 1 >= next.lowerBound {
        joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, next.upperBound)
      } else {
        joined.append(next)
      }
    }
  }
}

extension TestMap.File {
  /// The same with the sets at other places.
  fileprivate func renumbered(_ places: [Int]) -> Self {
    var file = self
    file.lines = lines.map { TestMap.Lines(lines: $0.lines, set: places[$0.set]) }
    file.parts = parts.map { TestMap.Part(start: $0.start, set: places[$0.set]) }
    file.inProcess = inProcess?.map { TestMap.Lines(lines: $0.lines, set: places[$0.set]) }
    file.functions = functions.map { function in
      TestMap.Function(
        start: function.start, set: places[function.set], inProcess: function.inProcess.map { places[$0] })
    }
    return file
  }
}

/// Sets of tests, each kept once.
private struct NumberedSets {
  private(set) var all: [TestMap.TestSet] = []
  private var numbers: [Set<Int>: Int] = [:]

  /// The sets in order, where those that begin alike stand together and are compressed well, and the place of each.
  var sorted: (all: [TestMap.TestSet], places: [Int]) {
    let order = all.indices.sorted { all[$0].lexicographicallyPrecedes(all[$1]) }
    var places = Array(repeating: 0, count: order.count)
    for (place, number) in order.enumerated() { places[number] = place }
    return (order.map { all[$0] }, places)
  }

  mutating func number(of set: Set<Int>) -> Int {
    if let known = numbers[set] { return known }
    all.append(set.sorted())
    numbers[set] = all.count - 1
    return all.count - 1
  }
}
