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
    let quiet = found.isEmpty || isShort ? [] : quietCommands(in: lines, remarks)
    return [
      "heading": .text(LogWords.heading(title, found.isEmpty ? [verdict] : found.map(\.words))),
      "command": .shown("martlet log \(name) \(book.step.rawValue)"), "isOfBot": .flag(!integration.isFromShell),
      "size": .text(ByteText.short(book.size)),
      "count": .text(CountText.counted(book.lineCount, "line")),
      "found": .list(
        found.map { .record(["words": .text($0.words), "number": .text("\($0.number)"), "glyph": .text($0.glyph)]) }),
      "errors": .text(CountText.list(errors.map(\.words))),
      "findings": .text(LogWords.only(places(in: lines, remarks))),
      "hasFindings": .flag(!found.isEmpty && !isShort),
      "hasErrors": .flag(!errors.isEmpty && errors.count < found.count),
      "range": .text(range(of: lines)),
      "pager": pager, "logs": logs,
      "omitted": .optional(book.omitted.map(LogWords.omitted)),
      "index": index(remarks), "all": .text(book.pages.count > 1 ? "Whole page" : "Whole log"),
      "groups": .list(
        folds.map { group in
          .record([
            "fold": group.isFolded ? .shown(group.contents) : .missing,
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
      html.append(escaping: LogWords.end(of: end))
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
  private func found(_ findings: [LogFinding]) -> [(words: String, number: Int, glyph: String)] {
    LogFinding.Kind.allCases.compactMap { kind in
      let some = findings.filter { $0.kind == kind }
      return some.first.map { (LogWords.found(kind, some), $0.number, kind.glyph) }
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
    let name = Self.heading(of: book.step)
    return number == 1 ? name : "\(name), page \(number)"
  }

  private func range(of lines: [LogBook.Line]) -> String {
    guard let first = lines.first, let last = lines.last else { return "empty" }
    return "lines \(CountText.plain(first.number)) to \(CountText.plain(last.number))"
  }

  /// What is said of a page without findings.
  private var verdict: String {
    let record = integration.steps.first { $0.name == book.step }
    let isOfTriggers = [.beforeTriggers, .afterTriggers].contains(book.step)
    let isClean =
      book.found.isEmpty && (record?.exitStatus ?? 0) == 0 && record?.signal == nil
      && (book.step != .testing || integration.tests.results.allSatisfy { !$0.state.isRed && $0.state != .notRun })
      && !(isOfTriggers && integration.issues.contains { $0.kind == .triggerError && $0.status.isOpen })
    return LogWords.verdict(of: book.step, isClean: isClean, isPart: book.pages.count > 1)
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
    // Of many, what turned the integration red has room before what passed in the end.
    let errors = remarks.findings.filter { $0.kind != .warning }
    let told = (errors.filter(\.kind.decides) + errors.filter { !$0.kind.decides }).prefix(Self.mostJumps)
    let rows = told.sorted { $0.number < $1.number }.map { finding in
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
    return rows.isEmpty ? .missing : .record(["rows": .list(rows)])
  }
}

extension LogLine {
  /// Returns a line without its escape codes, cut between words at 200 characters, with an ellipsis; so is one that goes on.
  static func plain(_ text: String, goesOn: Bool = false) -> String {
    var (plain, isEscape) = ("", false)
    for scalar in text.unicodeScalars {
      if scalar.value == 0x1B { isEscape = true }
      if !isEscape { plain.unicodeScalars.append(scalar) }
      if isEscape, scalar.properties.isAlphabetic { isEscape = false }
    }
    let head = plain.prefix(200)
    if head.endIndex == plain.endIndex { return goesOn ? "\(plain)…" : plain }
    return "\(head[..<(head.lastIndex(of: " ") ?? head.endIndex)])…"
  }
}

/// Converts the bytes of a log to markup: escape codes become styles, and unprintable bytes become visible.
struct LogLine {
  /// The styles set by the escape codes so far, since they carry over to the next line.
  private var color: UInt8 = 0
  private var isBold = false

  /// Returns the markup of one line, without its line feed.
  ///
  /// The colours are those of SGR, ECMA-48 section 8.3.117:
  /// https://ecma-international.org/publications-and-standards/standards/ecma-48/
  mutating func html(of line: ArraySlice<UInt8>) -> SafeHTML {
    var html = SafeHTML()
    var start = line.startIndex
    var at = line.startIndex
    while at < line.endIndex {
      guard line[at] == 0x1B else {
        at += 1
        continue
      }
      append(line[start..<at], to: &html)
      at = skipEscape(in: line, from: at)
      start = at
    }
    append(line[start..<line.endIndex], to: &html)
    return html
  }

  private func append(_ bytes: ArraySlice<UInt8>, to html: inout SafeHTML) {
    guard !bytes.isEmpty else { return }
    let isStyled = color != 0 || isBold
    if isStyled {
      html.append("<span class=\"")
      switch color {
      case 1: html.append("a-red")
      case 2: html.append("a-green")
      case 3: html.append("a-yellow")
      case 4: html.append("a-blue")
      case 5: html.append("a-magenta")
      case 6: html.append("a-cyan")
      default: break
      }
      html.append(isBold ? " a-bold\">" : "\">")
    }
    Self.appendShown(bytes, to: &html)
    if isStyled { html.append("</span>") }
  }

  /// Appends valid text as it is, and each invalid byte as a number in a separate element.
  private static func appendShown(_ bytes: ArraySlice<UInt8>, to html: inout SafeHTML) {
    let plain = bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 }
    if plain { return html.append(escaping: Array(bytes)) }
    var (start, at) = (bytes.startIndex, bytes.startIndex)
    func flush(_ length: Int, to html: inout SafeHTML) {
      html.append(escaping: Array(bytes[start..<at]))
      at += length
      start = at
    }
    while at < bytes.endIndex {
      if (0x20..<0x7F).contains(bytes[at]) || bytes[at] == 0x09 {
        at += 1
      } else if let (scalar, length) = firstScalar(of: bytes[at...].prefix(4)) {
        guard VisibleText.isHidden(scalar) else {
          at += length
          continue
        }
        flush(length, to: &html)
        html.append(escaping: scalar.value < 0x20 ? controls[Int(scalar.value)] : VisibleText.picture(of: scalar))
      } else {
        let byte = bytes[at]
        flush(1, to: &html)
        html.append(invalid[Int(byte)])
      }
    }
    flush(0, to: &html)
  }

  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
  }

  /// What is shown of each control character; a log may consist of them.
  private static let controls = (UInt8.min..<0x20).map { VisibleText.picture(of: Unicode.Scalar($0)) }

  /// What is shown of each byte that is no text.
  private static let invalid = (UInt8.min...UInt8.max).map { byte in
    var html = SafeHTML("<i class=\"byte\">")
    html.append(escaping: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
    html.append("</i>")
    return html
  }

  /// Returns the index after the escape code that begins at the given one; styles are applied, other codes are dropped.
  private mutating func skipEscape(in line: ArraySlice<UInt8>, from start: Int) -> Int {
    var at = start + 1
    guard at < line.endIndex else { return at }
    switch line[at] {
    case UInt8(ascii: "["):
      at += 1
      let parameters = at
      while at < line.endIndex, (0x20...0x3F).contains(line[at]) { at += 1 }
      guard at < line.endIndex else { return at }
      if line[at] == UInt8(ascii: "m") { setStyle(line[parameters..<at]) }
      return (0x40...0x7E).contains(line[at]) ? at + 1 : at
    case UInt8(ascii: "]"):
      while at < line.endIndex, line[at] != 0x07, line[at] != 0x1B { at += 1 }
      guard at < line.endIndex, line[at] == 0x1B else { return min(at + 1, line.endIndex) }
      return at + 1 < line.endIndex && line[at + 1] == UInt8(ascii: "\\") ? at + 2 : at
    case 0x30...0x7E:
      return at + 1
    default:
      return at
    }
  }

  private mutating func setStyle(_ parameters: ArraySlice<UInt8>) {
    let codes = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    for code in codes {
      switch code {
      case 0: (color, isBold) = (0, false)
      case 1: isBold = true
      case 22: isBold = false
      case 31...36: color = UInt8(code - 30)
      case 91...96: color = UInt8(code - 90)
      case 30, 37, 39, 90, 97: color = 0
      case 38, 48: return  // colours by number: the remaining codes are their components
      default: break
      }
    }
  }
}
