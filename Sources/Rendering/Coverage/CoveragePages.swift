package import Model
import Syntax

/// All pages about source: the coverage of the package, a page for each counted file, and one for each other source
/// that a failure points to.
package struct CoveragePages: Sendable {
  let report: SharedIntegration
  /// The integration since which no file changed; nil if some did, or if that is unknown.
  let unchangedSince: Int?
  private let failedGates: [FailedGate]
  /// The sources that changed since the baseline and are again as the coverage is compared with them.
  private let restored: Set<String>
  private let facts: ReportFacts
  private let library: TemplateLibrary
  private let tree: CoverageTree?
  private let cut: TreeCut?
  private let shortPaths: ShortPaths
  /// The counted files in the order of the coverage page, then the others by path.
  private let plans: [SourcePlan]
  private let indices: [String: Int]
  private let verdicts: [String: SourceVerdict]
  /// The indices of the plans that arrows lead to, ascending.
  private let gaps: [Int]
  /// The tests whose lines are known, each with the address of its row relative to a source page.
  private let tests: [SourceTests.Named]

  /// - Parameters:
  ///   - shown: the paths of the counted files that get a page; nil for all.
  ///   - longestTree: the maximum bytes of rows on a page about many files.
  ///   - testPage: the page of a test, relative to the top of the report; nil for a test without one.
  ///   - testRow: the address of a test in the list of all tests.
  package init(
    _ report: Report, facts: ReportFacts, library: TemplateLibrary, shown: Set<String>? = nil,
    longestTree: Int = TreeCut.longestPage, testPage: (TestID) -> String? = { _ in nil },
    testRow: (TestID) -> String = { _ in "" }
  ) {
    self.report = SharedIntegration(report)
    unchangedSince = report.unchangedSince
    failedGates = report.integration.failedGates
    restored = report.restored
    self.facts = facts
    self.library = library
    let notes = FailureNotes(report.integration.tests, testRow: { "../\(testRow($0))" }) {
      testPage($0).map { "../\($0)" }
    }
    verdicts = notes.summaries
    let targets = Self.targets(in: report)
    let coverage = report.integration.coverage.coverage
    tree = coverage.map { CoverageTree($0, baseline: report.integration.baseline, changes: report.integration.changes) }
    cut = tree.map { TreeCut($0, longest: longestTree) }
    let map = coverage?.testMap?.value
    let titles = report.integration.tests.results.filter { $0.displayName != nil }.keyed(by: \.id, \.title)
    tests = (map?.tests ?? []).map { SourceTests.Named(id: $0, address: "../\(testRow($0))", title: titles[$0]) }
    let failed = Self.failedAttempt(in: report.integration, testPage: testPage, testRow: testRow)
    let files = (coverage?.files ?? []).keyed(by: \.path)
    let earlier = report.integration.linesOfEarlierChanges
    // Names are claimed in path order, so that they do not depend on the figures.
    var names = PageNames(folder: .counted)
    let short = ShortPaths(files.keys)
    shortPaths = short
    let listed = files.values.filter { shown?.contains($0.path) ?? true }.sorted { $0.path < $1.path }
    let pages = listed.map { names.claim($0.path) }
    let counted = zip(listed, pages).map { file, page in
      SourcePlan(
        path: file.path, fileName: short[file.path], coverage: file, bytes: report.sources[file.path],
        remarks: SourceRemarks(
          bubbles: notes.bubbles[file.path] ?? [:], targets: targets[file.path] ?? [],
          marks: ChangeMarks(of: file.path, in: report.integration.changes, earlier: earlier[file.path] ?? [:]),
          history: SourceHistory(
            removed: report.integration.changes?.removed[file.path] ?? [], origins: report.origins[file.path] ?? [],
            time: facts.time),
          tests: SourceTests(
            of: file, in: map, code: report.sources[file.path].map { SourceCode($0, path: file.path) },
            failed: failed[file.path]),
          mutants: MutantRemarks(of: file.path, in: coverage?.mutants?.value)), page: page, names: &names)
    }.keyed(by: \.path)
    let inOrder = tree?.files.compactMap { $0.path.flatMap { counted[$0] } } ?? []
    let plans = inOrder + Self.others(report, notes, targets: targets, counted: Set(counted.keys))
    self.plans = plans
    gaps = plans.indices.filter { plans[$0].isCounted && !plans[$0].stops.isEmpty }
    indices = Dictionary(plans.enumerated().map { ($1.path, $0) }) { first, _ in first }
  }

  /// Returns what only the failed attempt of a flaky test ran, by path.
  private static func failedAttempt(
    in integration: Integration, testPage: (TestID) -> String?, testRow: (TestID) -> String
  ) -> [String: SourceTests.FailedAttempt] {
    for test in integration.tests.results {
      let lines = integration.linesOfFailedAttempt(of: test)
      guard !lines.isEmpty else { continue }
      let address = testPage(test.id).map { "\($0)#different" } ?? testRow(test.id)
      let named = SourceTests.Named(
        id: test.id, address: "../\(address)", title: test.displayName == nil ? nil : test.title)
      return Dictionary(grouping: lines, by: \.file).mapValues { .init(test: named, lines: Set($0.map(\.line))) }
    }
    return [:]
  }

  /// Returns the lines, by path, that are linked from tests, diagnostics, issues, their changes, hints, markers, crash frames, the
  /// list of lines that run by chance and the comparison with another integration.
  private static func targets(in report: Report) -> [String: Set<Int>] {
    let integration = report.integration
    var targets: [String: Set<Int>] = [:]
    func add(_ place: SourceLocation?) {
      if let place { targets[place.file, default: []].insert(place.line) }
    }
    for place in integration.diagnostics.map(\.location) + integration.findings.map(\.location) { add(place) }
    for exclusion in integration.coverage.coverage?.exclusions ?? [] {
      if let line = exclusion.firstLine { targets[exclusion.path, default: []].insert(line) }
    }
    let mutants = integration.coverage.coverage?.mutants?.value
    for unchecked in (mutants?.unchecked ?? []) + (mutants?.uncheckedConditions ?? []) {
      targets[unchecked.path, default: []].insert(unchecked.start.line)
    }
    for marker in integration.coverage.coverage?.idleMarkers ?? [] {
      targets[marker.path, default: []].insert(marker.line)
    }
    for line in integration.changes?.comparison.value?.linesByChance ?? [] { add(line) }
    for file in ([report.comparison].compactMap(\.self) + report.otherComparisons.values).flatMap(\.coverage.files) {
      targets[file.path, default: []].formUnion(file.allPlaces.map(\.first))
    }
    let issues = Set(integration.issues.map(\.id))
    for suspect in integration.issues.flatMap(\.suspects) { add(suspect.place) }
    for record in integration.issueRecords {
      if issues.contains(record.id) { for suspect in record.suspects ?? [] { add(suspect.place) } }
      for hunk in record.hunks(of: integration.number) { add(hunk.linked) }
    }
    for entry in integration.practice?.hints.flatMap(\.entries) ?? [] {
      if let file = entry.file, let line = entry.line { targets[file, default: []].insert(line) }
    }
    for result in integration.tests.results {
      for place in [result.location, result.quit?.calledFrom] { add(place) }
      for argument in result.arguments ?? [] { add(argument.failures.first?.location) }
    }
    for method in integration.tests.neverRun { add(method.location) }
    for test in integration.tests.unlisted { add(SourceLocation(file: test.file, line: test.line)) }
    for frame in integration.tests.results.flatMap({ $0.stacks.flatMap(\.frames) }) { add(frame.location) }
    return targets
  }

  /// Returns the address of a source or of one of its lines, relative to the top of the report; nil if no page shows
  /// it.
  package func link(to path: String, line: Int?) -> String? {
    indices[path].map { plans[$0].address(ofLine: line) }
  }

  /// Returns the address of a source at a line that a log names, or of its page if the line has no row of its own.
  func link(to path: String, near line: Int) -> String? { indices[path].map { plans[$0].address(near: line) } }

  /// All pages: first the one about all files, then those of the files.
  var parts: [ReportPart] {
    [ReportPart { [try overview()] }] + orders + directories + sourceParts
  }

  var sourceParts: [ReportPart] {
    plans.indices.map { index in
      ReportPart(paths: plans[index].pages) { prepared(file: index, $0) }
    }
  }

  /// Renders the page about all counted files.
  package func overview() throws(TemplateError) -> ReportPart.File {
    let sources = plans.keyed(by: \.path)
    // Many rows may refer to one file, and highlighting is slow.
    var coloured: [String: HighlightedSource?] = [:]
    let page = CoverageOverview(
      integration: report.integration, unchangedSince: unchangedSince, failedGates: failedGates, tree: tree, cut: cut,
      isListWhole: { tree.map { FileList(fileRows($0), by: .uncovered).isWhole } ?? false }, names: shortPaths,
      link: { link(to: $0, line: $1) },
      shown: { sources[$0]?.coverage },
      source: { path in
        if let known = coloured[path] { return known }
        let source = sources[path]?.source
        coloured[path] = .some(source)
        return source
      }, text: { sources[$0]?.bytes })
    return ReportPart.File(
      path: "coverage.html", bytes: try library.render("coverage", in: page.frame(facts), page.record))
  }

  private func fileRows(_ tree: CoverageTree) -> FileRows { FileRows(tree) { link(to: $0, line: nil) } }

  /// The pages that list all counted files, one per order.
  private var orders: [ReportPart] {
    guard let tree, tree.files.count > 1 else { return [] }
    return [
      ReportPart {
        let rows = fileRows(tree)
        return try rows.orders.map { order in
          let list = FileList(rows, by: order)
          return ReportPart.File(
            path: order.path, bytes: try library.render("coverage-files", in: list.frame(facts), list.record))
        }
      }
    ]
  }

  /// The pages of targets and directories with rows that are not on the page about all files.
  var directories: [ReportPart] {
    guard let cut else { return [] }
    return cut.branches.enumerated().map { index, branch in
      ReportPart {
        try branch.pages.indices.map { part in
          let page = DirectoryPage(
            index: index, part: part, cut: cut, report: report, link: { link(to: $0, line: $1) })
          return ReportPart.File(
            path: branch.pages[part],
            bytes: try library.render("coverage-directory", in: page.frame(facts), page.record))
        }
      }
    }
  }

  /// Returns the pages of one source, by its index among the plans; calls are independent of each other.
  private func prepared(file index: Int, _ hash: PageHash?) -> ReportPart.Prepared {
    let plan = plans[index]
    let surroundings = surroundings(of: index)
    let verdict = verdicts[plan.path] ?? SourceVerdict()
    let suspects = suspects(in: plan.path)
    let gates = failedGates.filter { $0.gate.lines?.contains { $0.file == plan.path } == true }
    let pages = plan.pages.indices.map {
      SourcePage(
        plan: plan, part: $0, surroundings: surroundings, report: report, tests: tests, verdict: verdict,
        suspects: suspects, failedGates: gates, isRestored: plan.isCounted && restored.contains(plan.path))
    }
    let words = pages.map { $0.frame(facts).record(with: $0.words) }
    let key = hash.map { hash in
      var hash = hash
      hash.combine(library.key.text)
      plan.combine(into: &hash)
      for (page, words) in zip(pages, words) { page.combine(words, into: &hash) }
      return hash.key
    }
    return ReportPart.Prepared(key: key) {
      let source = plan.source
      let listing = source.flatMap(plan.listing)
      var files: [ReportPart.File] = []
      for (page, words) in zip(pages, words) {
        let record = words.merging(page.pictures(of: source, listing)) { words, _ in words }
        files.append(
          ReportPart.File(path: plan.pages[page.part], bytes: try library.render("source", .record(record))))
      }
      return files
    }
  }

  /// Returns the neighbours of a page, which are of the same kind: counted files, or other sources.
  private func surroundings(of index: Int) -> SourcePage.Surroundings {
    let plan = plans[index]
    func neighbour(_ index: Int) -> SourcePlan? {
      guard plans.indices.contains(index), plans[index].kind == plan.kind else { return nil }
      return plans[index].hasCoverage == plan.hasCoverage ? plans[index] : nil
    }
    var surroundings = SourcePage.Surroundings(previous: neighbour(index - 1), next: neighbour(index + 1))
    // Navigation from gap to gap covers only counted files.
    guard plan.kind == nil else { return surroundings }
    surroundings.directory = cut?.directory(ofFile: plan.path)
    // Files without gaps have the index of the next one with gaps.
    let next = gaps.partitioningIndex { $0 >= index }
    let isGap = next < gaps.count && gaps[next] == index
    let after = isGap ? next + 1 : next
    surroundings.previousGap = next > 0 ? plans[gaps[next - 1]] : nil
    surroundings.nextGap = after < gaps.count ? plans[gaps[after]] : nil
    return surroundings
  }
}

extension Report {
  /// The integration with which the change is compared, if no file changed since; nil if some did, or if that is
  /// unknown.
  fileprivate var unchangedSince: Int? {
    guard integration.workingTree == nil, let comparison, comparison.commits.changeNoFile,
      integration.changes?.patch.value?.origin == .integration(comparison.before.number)
    else { return nil }
    return comparison.before.number
  }

  /// The sources that changed since the baseline and do not differ from the integration since which lines count as
  /// changed; empty if that is the baseline.
  fileprivate var restored: Set<String> {
    guard let changes = integration.changes, let patch = changes.patch.value,
      integration.otherOrigin(of: patch) != nil
    else { return [] }
    let package = PackagePlace(integration.packagePath)
    let touched = (comparison?.commits.added ?? []).flatMap(\.files).map { package.fromPackage($0.path) }
    let others = Set(patch.files.map(\.path) + patch.unmapped.map(\.path))
    return Set(touched).filter {
      !others.contains($0) && patch.newLines[$0]?.isEmpty != false && changes.removed[$0]?.isEmpty != false
    }
  }
}

extension FileCoverage {
  /// Returns the same file without what is told of lines that ran, and of some others, which are in no figure either.
  fileprivate func ofNeverRan(outside bodies: [ClosedRange<Int>]) -> FileCoverage {
    var file = self
    let other = file.lines.filter { line in bodies.contains { $0.contains(line.line) } }
    file.totals.lines = LineTally(
      total: totals.lines.total - other.count, covered: totals.lines.covered - other.count { $0.state != .neverRan })
    file.lines.removeAll { line in line.state != .neverRan || bodies.contains { $0.contains(line.line) } }
    (file.deadStretches, file.functions, file.conditions, file.incidental) = ([], [], [], [])
    return file
  }
}

extension CoveragePages {
  /// Returns the uncounted sources with known text, followed by those that only a failure leads to.
  static func others(
    _ report: Report, _ notes: FailureNotes, targets: [String: Set<Int>], counted: Set<String>
  ) -> [SourcePlan] {
    let short = shortPaths(of: report, notes)
    let uncounted = (report.integration.coverage.coverage?.uncounted.sources ?? []).filter {
      report.sources[$0.coverage.path] != nil && !counted.contains($0.coverage.path)
    }
    var tests = PageNames(folder: .tests)
    var packages = PageNames(folder: .packages, leavingOut: "../")
    var dependencies = PageNames(folder: .dependencies, leavingOut: ".build/checkouts/")
    var rest = PageNames(folder: .others, leavingOut: ".build/")
    func claim<Claimed>(_ kind: UncountedSources.Kind, _ claim: (inout PageNames) -> Claimed) -> Claimed {
      switch kind {
      case .test: claim(&tests)
      case .sibling: claim(&packages)
      case .dependency: claim(&dependencies)
      case .generated, .unlisted: claim(&rest)
      }
    }
    let known = counted.union(uncounted.map(\.coverage.path))
    let failed = notes.bubbles.keys.sorted().filter { !known.contains($0) && report.sources[$0] != nil }
    let pages = uncounted.map { source in claim(source.kind) { $0.claim(source.coverage.path) } }
    let pagesOfFailed = failed.map { tests.claim($0) }
    let plans = zip(uncounted, pages).map { source, page in
      let path = source.coverage.path
      return claim(source.kind) { names in
        SourcePlan(
          path: path, fileName: short[path],
          coverage: source.kind == .test ? neverRan(of: source.coverage, report, notes) : source.coverage,
          bytes: report.sources[path],
          remarks: SourceRemarks(
            bubbles: notes.bubbles[path] ?? [:], verdicts: source.kind == .test ? notes.verdicts[path] ?? [:] : [:],
            targets: targets[path] ?? [], marks: ChangeMarks(of: path, in: report.integration.changes)),
          kind: source.kind, page: page, names: &names)
      }
    }
    return plans
      + zip(failed, pagesOfFailed).map { path, page in
        SourcePlan(
          path: path, fileName: short[path], coverage: nil, bytes: report.sources[path],
          remarks: SourceRemarks(bubbles: notes.bubbles[path] ?? [:]), page: page, names: &tests)
      }
  }

  /// Returns what is worth a look of a test source: what never ran, but for the skipped tests, which were not meant to.
  private static func neverRan(of file: FileCoverage, _ report: Report, _ notes: FailureNotes) -> FileCoverage {
    guard let skipped = notes.skipped[file.path], let text = report.sources[file.path] else {
      return file.ofNeverRan(outside: [])
    }
    let code = SourceCode(text, path: file.path)
    return file.ofNeverRan(outside: skipped.compactMap(code.bodyLines))
  }

  /// Returns the displayed names of all sources that the pages mention.
  private static func shortPaths(of report: Report, _ notes: FailureNotes) -> ShortPaths {
    let coverage = report.integration.coverage.coverage
    let uncounted = (coverage?.uncounted.sources ?? []).map(\.coverage.path)
    return ShortPaths((coverage?.files ?? []).map(\.path) + uncounted + notes.bubbles.keys)
  }
}

extension CoveragePages {
  /// Returns who probably turned tests red that failed in a file, by line.
  func suspects(in path: String) -> [Int: TemplateValue] {
    let issues = report.integration.issues.filter {
      $0.status != .resolved && $0.kind.isOfRedTest && $0.location?.file == path
    }
    let records = report.integration.issueRecords.keyed(by: \.id)
    return issues.reduce(into: [:]) { found, issue in
      guard let own = issue.location, found[own.line] == nil, let suspect = issue.suspects.named.first else { return }
      let place = suspect.place
      let isHere = place?.file == own.file && place?.line == own.line
      found[own.line] = .record([
        "who": .shown(suspect.name), "sure": .optional(suspect.sureness(of: issue)),
        "deed": .text(suspect.verb(in: records[issue.id]?.suspectedHunk)),
        "changed": .shown(ifAny: isHere ? "this line" : place?.short),
        "changedLink": .optional(
          isHere ? nil : place.flatMap { link(to: $0.file, line: $0.line) }.map { "../\($0)" }),
      ])
    }
  }
}
