import Model

/// The result of each destination of an integration, and the tests whose results differ between destinations.
struct DestinationsSection: ReportSection {
  private static let most = 50

  let report: ReportContext

  private var names: [String] { integration.all.compactMap(\.destination?.name) }

  /// Missing for a bot with only one way to build, and on the page of one destination.
  var record: TemplateValue {
    guard !integration.cells.isEmpty else { return .missing }
    let differing = integration.differingTests
    let issues = differing.compactMap { issue(of: $0.test, in: red(of: $0)) }
    let left = differing.count - Self.most
    return .record([
      "figures": .shown(ifAny: DestinationWords.figures(of: integration)), "rows": .list(integration.all.map(row)),
      "columns": .list(names.map { .shown($0) }),
      "hasDiffering": .flag(!differing.isEmpty),
      "hasWho": .flag(report.hasSuspect(among: issues)),
      "hasSince": .flag(issues.contains { report.age(of: $0) != nil }),
      "total": .text(DurationText.short(integration.duration)),
      "differing": .list(differing.prefix(Self.most).map(row)),
      "left": left > 0 ? .text(CountText.counted(left, "more test")) : .missing,
    ])
  }

  private func row(_ cell: Integration) -> TemplateValue {
    let own = cell.own
    let name = own.destination?.name ?? ""
    let isBuilt = own.destination?.outcome != nil
    let sentence = isBuilt ? DestinationWords.sentence(of: own) : own.reasons.first?.sentence ?? ""
    return .record([
      "glyph": .text(isBuilt ? own.glyph : "not-run"),
      "word": .text(isBuilt ? own.outcome.word(isFailedGate: own.isFailedGate) : "Not built"),
      "name": .shown(name),
      "link": own.isCell || own.earlier != nil ? .text("\(own.placeOfReport)index.html") : .missing,
      "isOptional": .flag(own.destination?.required == false),
      "sentence": .shown(own.outcome == .internalError ? own.reasons.first?.sentence ?? sentence : sentence),
      "toolchain": .shown(ToolchainName.short(own.toolchain)),
      "time": isBuilt && own.earlier == nil
        ? .text(DurationText.short(own.isCell ? own.duration : ownDuration)) : .missing,
    ])
  }

  /// The duration of the leading destination in seconds, without the others.
  private var ownDuration: Double {
    max(0, integration.duration - integration.cells.reduce(0) { $0 + $1.duration })
  }

  /// Returns the issue of a test as a destination has it.
  private func issue(of test: TestID, in cell: Integration?) -> Issue? {
    let issue = integration.issues.first { $0.test == test && !$0.status.isOver }
    return cell?.destination.flatMap { issue?.told(for: $0.name) } ?? issue
  }

  /// Returns the first destination for which a test is red.
  private func red(of test: DifferingTest) -> Integration? {
    integration.all.first { $0.destination.flatMap { test.states[$0.name] }?.isRed == true }
  }

  private func row(_ test: DifferingTest) -> TemplateValue {
    let red = red(of: test)
    let result = red?.tests.results.first { $0.id == test.test }
    let issue = issue(of: test.test, in: red)
    let failure = result?.badEnds.first ?? result?.arguments?.first { $0.state.isRed }?.failures.first
    return .record([
      "name": .shown(result?.title ?? test.test.name), "suite": .shown(test.test.suite),
      "link": .optional(red?.destination.flatMap { integration.page(of: test.test, for: $0.name) }),
      "say": failure.map { .shown(FailureLine.headline(of: $0.message)) } ?? .missing,
      "place": .shown(ifAny: (failure?.location ?? result?.location)?.short), "trace": report.trace(of: issue),
      "states": .list(
        names.map { name in
          let state = test.states[name]
          return .record([
            "label": .shown(name), "glyph": .text(state?.glyph ?? "not-run"),
            "word": .text(state?.word ?? "Not among its tests"),
          ])
        }),
    ])
  }
}

extension Integration {
  /// The integration with the outcome and the issues of its own destination only.
  var own: Integration {
    guard !cells.isEmpty, let destination, let outcome = destination.outcome else { return self }
    var own = self
    own.cells = []
    own.outcome = outcome
    own.issues = issues.compactMap { $0.told(for: destination.name) }
    return own
  }

  /// The path from the top of the whole report to what tells most of this destination, which is elsewhere for adopted
  /// results.
  var placeOfReport: String {
    let place = isCell ? "\(ReportPaths.cell(destination?.name ?? ""))/" : ""
    return (adoptedNumber.map { "../\($0)/" } ?? "") + place
  }

  /// Returns the path from the top of the whole report to the page that a test has for a destination; nil if it has none.
  func page(of test: TestID, for destination: String) -> String? {
    guard let cell = all.first(where: { $0.destination?.name == destination }),
      let result = cell.tests.results.first(where: { $0.id == test }), TestPage.isNeeded(for: result)
    else { return nil }
    return cell.placeOfReport + ReportPaths(tests: cell.tests.results.map(\.id)).page(of: test)
  }

  /// The path from the top of its report to the folder of the bot's reports.
  var wayOut: String { isCell ? "../../../" : "../" }
}

enum ToolchainName {
  /// Returns `Swift 6.3.1` for `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  static func short(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard let version = words.firstIndex(of: "version"), version + 1 < words.endIndex else { return name }
    return "Swift \(words[version + 1])"
  }
}
