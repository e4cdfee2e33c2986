import Model

struct LogPage: ReportSection, Page {
  static let template = "log"
  let book: LogBook
  /// The page number, from 1.
  let number: Int
  let report: ReportContext

  var path: String { ReportPaths.log(book.step, page: number) }

  var frame: PageFrame {
    PageFrame(
      title: "\(title) of \(integration.bot) \(integration.number)", root: "../", section: .logs,
      trail: [.init("Logs", path: "index.html#logs"), .init(title)], facts: report.facts)
  }

  /// The values of the page; escape codes on one page do not affect the next.
  var record: [String: TemplateValue] {
    let lines = book.pages[number - 1]
    var writer = LogLine()
    let remarks = LogRemarks(book, lines, of: integration.tests.results, silenced: Set(integration.silencedTests.keys))
    let next = remarks.next
    let found = found(remarks.findings)
    let isShort = lines.count <= Self.mostOpen
    let errors = self.found(remarks.findings.filter { $0.kind != .warning })
    let folds = folds(of: lines, remarks)
    let red = LogRemarks.passedThoughRed(integration.tests.results, in: lines)
    let quiet = found.isEmpty || isShort ? [] : quietCommands(in: lines, remarks)
    return [
      "heading": .shown(LogWords.heading(title, (found.map(\.words) + notRun).nonEmpty ?? [verdict])),
      "command": .shown("martlet log \(name) \(book.step.rawValue)"), "isOfBot": .flag(!integration.isFromShell),
      "size": .text(ByteText.short(book.size)),
      "count": .text(CountText.counted(book.lineCount, "line")),
      "found": .list(
        found.map { kind in
          .record([
            "words": .text(LogWords.first(onLine: kind.number, of: kind.count)), "number": .text("\(kind.number)"),
            "glyph": .text(kind.glyph),
          ])
        }),
      "errors": .text(CountText.list(errors.map(\.words))),
      "findings": .text(LogWords.only(places(in: lines, remarks))),
      "hasFindings": .flag(!found.isEmpty && !isShort),
      "hasErrors": .flag(!errors.isEmpty && errors.count < found.count),
      "range": .text(range(of: lines)),
      "pager": pager, "logs": logs, "elsewhere": .list(elsewhere),
      "omitted": .optional(book.omitted.map(LogWords.omitted)),
      "index": index(remarks), "all": .text(book.pages.count > 1 ? "Whole page" : "Whole log"),
      "groups": .list(
        folds.map { group in
          .record([
            "fold": group.isFolded ? .shown(group.contents(red: red)) : .missing,
            "lines": .list(
              group.lines.map { line in
                .record([
                  "number": .text("\(line.number)"), "isContinued": .flag(line.isContinued),
                  "kind": .text(remarks.kind(of: line).rawValue),
                  "isFlaky": .flag(remarks.isAmber(line.number)), "isQuiet": .flag(quiet.contains(line.number)),
                  "isLong": .flag(!line.isFinding && line.bytes.count > Self.longLine),
                  "label": label(of: line), "html": .html(html(of: line, &writer)),
                  "note": line.isContinued ? .missing : .shown(ifAny: remarks.notes[line.number]),
                  "isStop": .flag(!line.isContinued && next[line.number] != nil),
                  "next": line.isContinued ? .missing : next[line.number]?.map { .text("\($0)") } ?? .missing,
                ])
              }),
          ])
        }),
    ]
  }

  /// What a command begins.
  private func label(of line: LogBook.Line) -> TemplateValue {
    guard line.kind == .command, !line.isContinued, let part = LogKinds.part(of: line.bytes) else { return .missing }
    return .shown(LogWords.label(part))
  }

  /// Returns the markup of a line; empty where its label says all.
  private func html(of line: LogBook.Line, _ writer: inout LogLine) -> SafeHTML {
    if line.kind == .command, case .announcement = LogKinds.part(of: line.bytes) { return SafeHTML() }
    if line.kind == .end, let end = LogKinds.end(line.bytes) {
      var html = SafeHTML()
      html.append(escaping: LogWords.end(of: end, in: book.step))
      return html
    }
    return line.kind == .command ? html(ofCommand: line.bytes, &writer) : html(of: line.bytes, &writer)
  }

  /// Returns the markup of a command, which breaks between its words and behind the commas of a list, but not in a flag,
  /// which has dashes.
  private func html(ofCommand command: ArraySlice<UInt8>, _ writer: inout LogLine) -> SafeHTML {
    let comma = UInt8(ascii: ",")
    var html = SafeHTML()
    for (index, word) in command.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).enumerated() {
      if index > 0 { html.append(" ") }
      let hasDash = word.contains(UInt8(ascii: "-"))
      if hasDash { html.append("<span class=whole>") }
      for (place, part) in word.split(separator: comma, omittingEmptySubsequences: false).enumerated() {
        if place > 0 { html.append(",<wbr>") }
        html.append(writer.html(of: part))
      }
      if hasDash { html.append("</span>") }
    }
    return html
  }

  /// Returns the markup of text of the log, with a link from the place that it names.
  private func html(of text: ArraySlice<UInt8>, _ writer: inout LogLine) -> SafeHTML {
    guard let place = report.logPlaces.first(in: text) else { return writer.html(of: text) }
    var html = writer.html(of: text[..<place.range.lowerBound])
    html.append("<a href=\"../")
    html.append(escaping: place.address)
    html.append("\">")
    html.append(writer.html(of: text[place.range]))
    html.append("</a>")
    html.append(writer.html(of: text[place.range.upperBound...]))
    return html
  }

  /// Returns how many there are of each kind of finding, with the line of the first.
  private func found(_ findings: [LogFinding]) -> [(words: String, count: Int, number: Int, glyph: String)] {
    LogFinding.Kind.allCases.compactMap { kind in
      let some = findings.filter { $0.kind == kind }
      return some.first.map { (LogWords.found(kind, some), some.count, $0.number, kind.glyph) }
    }
  }

  /// The integration as the command line names it, with the destination unless it is the leading one.
  private var name: String {
    let cell = integration.isCell ? integration.destination.map { ":\($0.name)" } : nil
    return "\(integration.bot)/\(integration.number)\(cell ?? "")"
  }

  /// The maximum number of links into the page.
  private static let mostJumps = 10
  /// The bytes beyond which only the beginning of a line is shown unless it is asked for.
  private static let longLine = 400
  /// A page with no more lines is whole at a glance: nothing is folded or left out.
  private static let mostOpen = 40

  /// Returns on how many lines of a page a finding stands.
  private func places(in lines: [LogBook.Line], _ remarks: LogRemarks) -> Int {
    lines.count { line in
      [.error, .warning].contains(remarks.kind(of: line))
        && (line.isHead || remarks.running.contains(line.number) && !line.isContinued)
    }
  }

  /// Returns the numbers of the commands before whose next one nothing is found.
  private func quietCommands(in lines: [LogBook.Line], _ remarks: LogRemarks) -> Set<Int> {
    var quiet: Set<Int> = []
    var (isQuiet, isAbove) = (true, false)
    for line in lines.reversed() {
      if line.kind == .command {
        if isQuiet { quiet.insert(line.number) }
        isAbove = true
      } else {
        if isAbove { (isQuiet, isAbove) = (true, false) }
        if [.error, .warning].contains(remarks.kind(of: line)) { isQuiet = false }
      }
    }
    return quiet
  }

  private func folds(of lines: [LogBook.Line], _ remarks: LogRemarks) -> [LogFold] {
    let told = Set(remarks.notes.keys).union([remarks.crashed?.entryNumber].compactMap(\.self))
    return lines.count > Self.mostOpen
      ? LogFold.folds(of: lines, told: told) : [LogFold(isFolded: false, lines: lines[...])]
  }

  static func heading(of step: Step) -> String {
    switch step {
    case .building: "Build log"
    case .testing: "Test log"
    case .beforeTriggers: "Before-trigger log"
    case .afterTriggers: "After-trigger log"
    default: "\(step.word) log"
    }
  }

  private var title: String {
    let destination = isOfDestination ? integration.destination.map { " for \($0.name)" } : nil
    let name = Self.heading(of: book.step) + (destination ?? "")
    return number == 1 ? name : "\(name), page \(number)"
  }

  /// Whether other destinations have such a log, too.
  private var isOfDestination: Bool {
    integration.isCell || !integration.cells.isEmpty && [.building, .testing].contains(book.step)
  }

  /// What is not well in those of the other destinations, for the template `elsewhere`.
  private var elsewhere: [TemplateValue] {
    guard isOfDestination, number == 1 else { return [] }
    return report.cells.compactMap { cell in
      guard let destination = cell.integration.destination,
        let other = cell.books.first(where: { $0.step == book.step }),
        let words = LogWords.elsewhere(other, of: cell.integration)
      else { return nil }
      return .record([
        "words": .shown("\(destination.name): \(words)"),
        "isRed": .flag(destination.required && other.count(of: .error) > 0),
        "link": .text("../\(cell.integration.placeOfReport)\(ReportPaths.log(book.step))"),
      ])
    }
  }

  private func range(of lines: [LogBook.Line]) -> String {
    guard let first = lines.first, let last = lines.last else { return "empty" }
    return "lines \(CountText.plain(first.number)) to \(CountText.plain(last.number))"
  }

  /// How many tests have no line in the log of the tests, on its first page; empty for none. Those of a class that did not
  /// begin are a finding.
  private var notRun: [String] {
    guard book.step == .testing, number == 1 else { return [] }
    let results = integration.tests.results
    let kept = results.keptFromBeginning
    let count = results.count { $0.state == .notRun && $0.quit == nil && kept[$0.id] == nil }
    return count > 0 ? [LogWords.notRun(count)] : []
  }

  /// What is said of a page without findings.
  private var verdict: String {
    if book.step == .mutating, case .known(let report)? = integration.coverage.coverage?.mutants,
      let result = MutantWords.result(of: report)
    {
      return result
    }
    let record = integration.steps.first { $0.name == book.step }
    let isClean =
      book.found.isEmpty && (record?.exitStatus ?? 0) == 0 && record?.signal == nil
      && (book.step != .testing || integration.tests.results.allSatisfy { !$0.state.isRed && $0.state != .notRun })
      && !(book.isOfTriggers && integration.issues.contains { $0.kind == .triggerError && $0.status.isOpen })
    let hasRemarks = book.pages.joined().contains { LogKinds.isOfBuildSystem($0.bytes) }
    return LogWords.verdict(of: book.step, isClean: isClean, isPart: book.pages.count > 1, hasRemarks: hasRemarks)
  }

  /// Links to the logs of the integration, if there are several.
  private var logs: TemplateValue {
    guard report.books.count > 1 else { return .missing }
    return .record([
      "entries": .list(
        report.books.map { other in
          .record([
            "word": .text(other.step.word), "link": .text("../\(ReportPaths.log(other.step))"),
            "isHere": .flag(other.step == book.step),
          ])
        })
    ])
  }

  private var pager: TemplateValue {
    let pages = book.pages.indices.map { "../\(ReportPaths.log(book.step, page: $0 + 1))" }
    return Pager.record(pages, current: number - 1, of: "the log")
  }

  /// Returns links to the first errors on the page; missing if there are none.
  private func index(_ remarks: LogRemarks) -> TemplateValue {
    // What turned the integration red stands, and of many has room, before what passed in the end.
    let errors = remarks.findings.filter { $0.kind != .warning }
    // How a script ended is in the heading.
    guard errors.contains(where: { $0.kind != .failedRun }) else { return .missing }
    let told = (errors.filter(\.kind.decides) + errors.filter { !$0.kind.decides }).prefix(Self.mostJumps)
    let inOrder = [told.filter(\.kind.decides), told.filter { !$0.kind.decides }].flatMap { findings in
      findings.sorted { $0.number < $1.number }
    }
    let rows = inOrder.map { finding in
      // What died says so, and links say more than a note.
      let isTold = finding.kind.isEnd || !finding.runs.isEmpty
      let place = finding.place.flatMap { sources.link(to: $0.file, line: $0.line) }
      let runs = finding.runs.map(\.run)
      let serial = finding.kind == .serial ? LogWords.run(.mapping) : nil
      let run = runs.first.map { LogWords.run($0, of: runs) } ?? serial
      let others = finding.runs.dropFirst().map { run, number in
        TemplateValue.record(["word": .text(LogWords.run(run, of: runs)), "number": .text("\(number)")])
      }
      let hasStack = finding.test.flatMap { report.tests[$0] }?.crash?.thread != nil
      let test = finding.test.flatMap { report.link(to: $0) }
      let crash = remarks.crashed?.number == finding.number ? remarks.crashed?.entry : nil
      var writer = LogLine()
      return TemplateValue.record([
        "number": .text("\(finding.number)"), "isQuoted": .flag(!finding.kind.isEnd),
        "html": .html(html(of: Array(finding.text.utf8)[...], &writer)),
        "place": .place(finding.place),
        "placeLink": .optional(place.map { "../\($0)" }),
        "testLink": .optional(test.map { "../\($0)" }),
        "testWord": .text(hasStack ? "backtrace" : "test page"),
        "note": isTold ? .missing : .shown(ifAny: remarks.notes[finding.number]),
        "noteLink": .optional(crash.flatMap { report.logPlaces.address(of: $0.place) }.map { "../\($0)" }),
        "first": .optional(
          [finding.isSilenced ? LogWords.silenced : nil, run].compactMap(\.self).nonEmpty?.joined(separator: ", ")),
        "others": .list(others),
      ])
    }
    return .record(["rows": .list(rows)])
  }
}
