import Model

/// The result of each destination of an integration, and the tests whose results differ between destinations.
struct DestinationsSection: ReportSection {
  private static let most = 50

  let report: ReportContext

  private var names: [String] { integration.all.compactMap(\.destination?.name) }

  /// Missing for a bot with only one way to build, and on the page of one destination.
  var record: TemplateValue {
    guard !integration.cells.isEmpty else { return .missing }
    let all = integration.differingTests
    // What is red has a row above, which names its destinations.
    let differing = all.filter { report.teller(of: $0.test) == nil }
    let left = differing.count - Self.most
    return .record([
      "figures": .shown(ifAny: DestinationWords.figures(of: integration)), "rows": .list(integration.all.map(row)),
      "columns": .list(names.map { .shown($0) }),
      "heading": differing.isEmpty ? .missing : .text(DestinationWords.differing(isRest: differing.count < all.count)),
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
        ? .text(DurationText.short(cell.ownDuration)) : .missing,
    ])
  }

  private func row(_ test: DifferingTest) -> TemplateValue {
    let result = integration.all.lazy.compactMap { $0.tests.results.first { $0.id == test.test } }.first
    return .record([
      "name": .name(result?.title ?? test.test.name), "suite": .shown(test.test.suite),
      "link": .optional(names.lazy.filter { test.states[$0] != nil }.compactMap { link(to: test.test, for: $0) }.first),
      "states": .list(names.map { mark(of: test, for: $0) }),
    ])
  }

  /// Returns how a test ended for a destination, with a link to it there.
  func mark(of test: DifferingTest, for name: String) -> TemplateValue {
    let state = test.states[name]
    return .record([
      "label": .shown(name), "glyph": .text(state?.glyph ?? "not-run"),
      "word": .text(state?.word ?? DestinationWords.noTest),
      "isPlain": .flag(state == .passed || state == .failed),
      "link": state == nil ? .missing : .optional(link(to: test.test, for: name)),
    ])
  }

  /// Returns where the report of a destination has a test; nil if it does not.
  private func link(to test: TestID, for name: String) -> String? {
    let context = ([report] + report.cells).first { $0.integration.destination?.name == name }
    guard let context else { return integration.page(of: test, for: name) }
    return context.link(to: test).map { context.integration.placeOfReport + $0 }
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

  /// How long it took for its own destination alone, in seconds.
  var ownDuration: Double { cells.isEmpty ? duration : steps.duration }

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

/// What became of the tests of one destination, beside what became of those of all.
struct TestsElsewhere {
  private static let most = 3

  /// Without other destinations.
  let own: Integration
  let words: String

  /// Returns what the sum over all destinations that count does not have, for the template `elsewhere`: where tests did not
  /// come to run, and what is not well where that does not count.
  static func records(beside integration: Integration) -> TemplateValue {
    let ran = JudgedTests(integration).counts.listed > 0
    return records(
      destinations(of: integration).filter { own in
        own.destination?.required == true ? ran && TestsResult(own).isMissed : !DestinationWords.bad(in: own).isEmpty
      })
  }

  /// Returns what the sum of the tests is made of, for the same template, where not all is well: of many destinations,
  /// those where it is not.
  ///
  /// - Parameter told: those that the heading is about.
  static func parts(of integration: Integration, but told: [Integration]) -> TemplateValue {
    let names = Set(told.map(\.destination?.name))
    let all = destinations(of: integration).filter { !names.contains($0.destination?.name) }
    let bad = all.filter { !DestinationWords.bad(in: $0).isEmpty }
    return records(bad.isEmpty || all.count > most ? bad : all)
  }

  /// Those that were built; none where there is only one way to build.
  private static func destinations(of integration: Integration) -> [Integration] {
    integration.cells.isEmpty ? [] : integration.all.map(\.own).filter { $0.destination?.outcome != nil }
  }

  private static func records(_ all: [Integration]) -> TemplateValue {
    var records = all.prefix(most).map { TestsElsewhere(own: $0, words: DestinationWords.tests(of: $0)).record }
    if all.count > most {
      let left = CountText.counted(all.count - most, "more destination")
      records.append(
        .record(["words": .text("and \(left)"), "isRed": .flag(false), "link": .text("index.html#destinations")]))
    }
    return .list(records)
  }

  private var record: TemplateValue {
    let isRed = !own.countingRedTests.isEmpty || TestsResult(own).isMissed
    return .record([
      "words": .shown(words), "isRed": .flag(isRed && own.destination?.required == true),
      "link": own.placeOfReport.isEmpty ? .missing : .text("\(own.placeOfReport)tests.html"),
    ])
  }
}

enum ToolchainName {
  /// Returns `Swift 6.3.1` for `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  static func short(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard let version = words.firstIndex(of: "version"), version + 1 < words.endIndex else { return name }
    return "Swift \(words[version + 1])"
  }
}
