package import Model

/// The progress and the diagnostics in the output of `swift build`, read line by line.
///
/// Standard output and standard error may be added to one log in the order in which they were written, or each to a log
/// of its own; `DiagnosticMerge` removes duplicates. How the bytes are divided into chunks makes no difference.
package struct BuildLog {
  /// The latest progress; nil before the build reported any.
  package private(set) var progress: BuildProgress?
  /// Whether the build began to fetch something from elsewhere.
  package private(set) var fetches = false
  /// The last lines that were neither progress nor part of a message, for a build that fails without an error.
  package private(set) var lastWords: [String] = []

  /// Whether no output so far can explain why a build failed.
  package var gaveNoReason: Bool { reason == nil && !found.contains { $0.severity == .error } }

  /// Why a build failed, if no error says so: what a program said that crashed, otherwise the last words.
  package var reason: Diagnostic? {
    if let crash = ProcessStream.allCases.compactMap({ crashes[$0]?.error }).first { return relativised(crash) }
    let words = lastWords.joined(separator: "\n")
    return words.isEmpty ? nil : Diagnostic(severity: .error, message: words)
  }

  /// Whether an error so far is located in a source.
  package var blamesSource: Bool { found.contains { $0.severity == .error && $0.location != nil } }

  /// The test targets in which the build did not look for XCTest tests, in the order in which it said so.
  package private(set) var unsearchedTargets: [String] = []

  /// Whether a program reported a full disk or an exhausted quota.
  package private(set) var saysDiskIsFull = false

  private static let longestLine = 1 << 16
  private static let mostLastWords = 20
  private static let mostLines = 60

  /// The message that the next lines may belong to.
  private enum Open {
    case nothing
    /// A message of the compiler, its source excerpt below it.
    case located(Excerpt)
    /// A message of the package manager or of a tool, possibly of several lines.
    case text
    /// What a linker prints.
    case linking
    /// A command that failed.
    case command
  }

  private let relativise: @Sendable (String) -> String?
  private var found: [Diagnostic] = []
  /// The index of the last message; nil if there was no room for it.
  private var current: Int?
  /// What printed each of them.
  private var printers: [BuildPlan.Printer] = []
  /// The source whose inclusions lead to the next message.
  private var including: String?
  /// The file of the last message, and the source that was compiled then; clang tells of inclusions once for each file.
  private var last: (file: String, source: String)?
  private var room: DiagnosticRoom
  private var open = Open.nothing
  private var lines: [ProcessStream: [UInt8]] = [:]
  private var crashes: [ProcessStream: PrintedCrash] = [:]
  private var dumps: [ProcessStream: CompilerStackDump] = [:]
  private var stream = ProcessStream.standardOutput
  private var linesOfMessage = 0
  /// The line below a message; it is source code if a line of markers follows.
  private var held: String?

  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(bounds: Bounds = .standard, relativise: @escaping @Sendable (String) -> String?) {
    room = DiagnosticRoom(bounds)
    self.relativise = relativise
  }

  /// Adds the next bytes of output. SwiftPM's own build system passes on what its tasks print to standard output.
  package mutating func append(_ bytes: some Sequence<UInt8>, from stream: ProcessStream = .standardOutput) {
    if stream != self.stream { endHeld() }
    self.stream = stream
    var line = lines[stream] ?? []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        end(&line)
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
    lines[stream] = line
  }

  /// Ends the output, and returns its diagnostics in their original order, each once.
  ///
  /// Lines that merely repeat that something failed are omitted if a diagnostic says what.
  package mutating func finish() -> [Diagnostic] {
    for stream in ProcessStream.allCases where lines[stream]?.isEmpty == false { append("\n".utf8, from: stream) }
    endHeld()
    open = .nothing
    for stream in ProcessStream.allCases { dumps[stream]?.end() }
    let dumped = ProcessStream.allCases.flatMap { dumps[$0]?.crashes ?? [] }
    var seen: Set<Diagnostic> = []
    let once = CompilerStackDump.explained(found, by: dumped).map(relativised).filter { seen.insert($0).inserted }
    return FailureEcho.removed(from: once) + room.rest
  }

  /// The warnings so far, with everything that printed each.
  package var warnings: [(warning: Diagnostic, printer: BuildPlan.Printer)] {
    zip(found, printers).filter { $0.0.severity == .warning }.map { (relativised($0), $1) }
      + room.rest.filter { $0.severity == .warning }.map { ($0, .task(nil, source: nil)) }
  }

  private mutating func end(_ line: inout [UInt8]) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    take(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }

  /// The C library's messages for a full disk and for an exhausted quota.
  private static let fullDisk = ["No space left on device", "Disk quota exceeded"]

  private mutating func endHeld() {
    guard let source = held else { return }
    held = nil
    read(source, afterMessage: false)
  }

  /// Holds back a line that may be a source line printed by clang, which may contain anything.
  private mutating func take(_ said: String) {
    let line = ToolLine.text(said)
    guard !ToolLine.isOfBuildSystem(line) else { return }
    if held != nil, ToolLine.isMarking(line) { return held = nil }
    endHeld()
    read(line, afterMessage: true)
  }

  /// - Parameter afterMessage: whether the line may be the source below the last message.
  private mutating func read(_ line: String, afterMessage: Bool) {
    if afterMessage, case .located(var excerpt) = open, excerpt.isUnbegun, excerpt.take(line) == nil,
      BuildProgress(line: line) == nil
    {
      held = line
      return
    }
    saysDiskIsFull = saysDiskIsFull || Self.fullDisk.contains { line.firstRange(ofASCII: $0) != nil }
    if let progress = BuildProgress(line: line) {
      self.progress = progress
      crashes[stream]?.end()
      dumps[stream]?.end()
      fetches = fetches || progress.isFetching
      if progress.done != nil { endTask(progress.words) }
      open = .nothing
    } else if crashes[stream, default: PrintedCrash()].take(line, relativise: relativise)
      || dumps[stream, default: CompilerStackDump()].take(line)
    {
      return
    } else if case .located(var excerpt) = open, let part = excerpt.take(line) {
      open = .located(excerpt)
      take(part, of: excerpt.file)
    } else if let linker = LinkerLine(line, inSection: isLinking) {
      take(linker)
    } else if let headline = Headline(line) {
      take(headline)
    } else {
      takeRest(line)
    }
  }

  private var isLinking: Bool { if case .linking = open { true } else { false } }

  private mutating func take(_ part: Excerpt.Line, of file: String?) {
    switch part {
    case .source: return
    case .note(let message, let line, let column):
      guard let file else { return }
      let location = SourceLocation(file: file, line: line, column: column)
      attach(Diagnostic(severity: .note, message: message, location: location))
    case .origin(let file, let line):
      guard let current, found[current].location == nil else { return }
      found[current].location = SourceLocation(file: file, line: line)
    case .expansion(let line):
      guard let current, found[current].location?.column == nil else { return }
      found[current].location?.line = line
    }
  }

  private mutating func take(_ headline: Headline) {
    linesOfMessage = 0
    defer { including = nil }
    let diagnostic = Diagnostic(
      severity: headline.severity, message: headline.message, location: headline.location,
      category: headline.category, isLinker: headline.beginsLinking)
    guard headline.severity != .note else { return take(note: diagnostic, isExpansion: headline.isExpansion) }
    if let target = ToolLine.unsearchedTarget(in: headline.message) { unsearchedTargets.append(target) }
    keep(diagnostic)
    if FailureEcho.endsCommand(headline.message) || FailureEcho.signal(in: headline.message) != nil {
      open = .command
    } else if headline.beginsLinking {
      open = .linking
    } else if headline.location != nil || headline.isExpansion {
      open = .located(Excerpt(file: headline.location?.file, isExpansion: headline.isExpansion))
    } else {
      open = .text
    }
  }

  /// Keeps a message if there is room.
  private mutating func keep(_ diagnostic: Diagnostic) {
    if let file = diagnostic.location?.file, including != nil || last?.file != file {
      last = (file, including ?? file)
    }
    current = nil
    guard let kept = room.keep(diagnostic) else { return }
    current = found.count
    found.append(kept)
    let source = diagnostic.location == nil ? nil : last?.source
    printers.append(stream == .standardError ? .packageManager : .task(nil, source: source))
  }

  /// Gives the messages since the last task the name of the one that ended: a task's output precedes its name.
  private mutating func endTask(_ task: String) {
    last = nil
    for index in printers.indices.reversed() {
      switch printers[index] {
      case .task(nil, let source): printers[index] = .task(task, source: source)
      case .task: return
      case .packageManager, .resolution: continue
      }
    }
  }

  /// Handles the headline of a note. Notes in other files have headlines of their own; a note about an inclusion
  /// precedes the message it belongs to, and a note inside an expansion has no location.
  private mutating func take(note: Diagnostic, isExpansion: Bool) {
    let file = note.location?.file
    let hasPlace = file?.hasPrefix("<") == false
    open = .located(Excerpt(file: hasPlace ? file : nil, isExpansion: isExpansion))
    if hasPlace { attach(note) }
  }

  /// Adds a note to the last message; an excerpt repeats the note that it illustrates.
  private mutating func attach(_ note: Diagnostic) {
    guard let current, found[current].location != nil, !found[current].isLinker else { return }
    let isKnown = found[current].notes.contains {
      $0.message == note.message && $0.location?.line == note.location?.line
        && $0.location?.column == note.location?.column
    }
    if !isKnown, room.takes(note.message, behind: "") { found[current].notes.append(note) }
  }

  private mutating func take(_ line: LinkerLine) {
    open = .linking
    switch line {
    case .message(let diagnostic):
      linesOfMessage = 0
      keep(diagnostic)
    case .continuation(let text):
      if let current, found[current].isLinker { extend(current, by: text) }
    case .ignored: return
    }
  }

  private mutating func takeRest(_ line: String) {
    if case .command = open { return }
    including = including ?? Headline.including(line)
    let isBlank = line.allSatisfy(\.isWhitespace)
    if case .text = open, let current, !isBlank {
      let isIndented = line.first == " " || line.first == "\t"
      if isIndented || found[current].severity == .error { return extend(current, by: line) }
    }
    if !isLinking { open = .nothing }
    guard !isBlank, !Headline.isAside(line) else { return }
    lastWords.append(line)
    if lastWords.count > Self.mostLastWords { lastWords.removeFirst() }
  }

  private mutating func extend(_ index: Int, by line: some StringProtocol) {
    linesOfMessage += 1
    guard linesOfMessage <= Self.mostLines, room.takes(line, behind: found[index].message) else { return }
    found[index].message += "\n\(line)"
  }
}

extension BuildLog {
  /// Returns the diagnostic with the package's paths made relative, in its locations and in the text of tools.
  private func relativised(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    if let location = diagnostic.location {
      diagnostic.location?.file = relativise(location.file) ?? location.file
    }
    if diagnostic.location == nil || diagnostic.isLinker {
      diagnostic.message = relativised(diagnostic.message)
    }
    diagnostic.notes = diagnostic.notes.map(relativised)
    return diagnostic
  }

  private func relativised(_ text: String) -> String {
    var result = ""
    var path = ""
    func flush() {
      result += path.hasPrefix("/") ? relativise(path) ?? path : path
      path = ""
    }
    for character in text {
      if " \n\t:()[],'\"`‘’".contains(character) {
        flush()
        result.append(character)
      } else {
        path.append(character)
      }
    }
    flush()
    return result
  }
}

/// The lines of source that the compiler prints below a message, with notes drawn into them.
///
/// ```
///  9 | let a = f(1)
///    |         |- error: missing argument
///    |         `- note: declared here
/// ```
struct Excerpt {
  enum Line: Equatable {
    /// A source line, or markers that add nothing.
    case source
    /// A note; the column counts UTF-8 bytes from 1.
    case note(String, line: Int, column: Int?)
    /// The file and line whose macro was expanded.
    case origin(file: String, line: Int)
    /// The line with the macro.
    case expansion(line: Int)
  }

  /// The file that the excerpt shows; nil if unknown.
  private(set) var file: String?
  private let isExpansion: Bool
  private var number = 0
  private var source: Substring = ""
  private var isInFrame = false

  /// Whether no numbered source line has been read yet.
  var isUnbegun: Bool { number == 0 && !isInFrame }

  init(file: String?, isExpansion: Bool) {
    self.file = file
    self.isExpansion = isExpansion
  }

  /// Reads a line after the message; returns nil if it is not part of the excerpt.
  mutating func take(_ line: String) -> Line? {
    if isExpansion, let origin = Self.origin(line) {
      file = origin.file
      return .origin(file: origin.file, line: origin.line)
    }
    guard line.first == " " || line.first == "\t" || line.first?.isNumber == true else { return nil }
    let inner = line.drop { $0 == " " }
    if inner.hasPrefix("+---") {
      isInFrame.toggle()
      return .source
    }
    guard !isInFrame, let bar = line.firstIndex(of: "|") else { return line.first == " " ? .source : nil }
    let gutter = line[..<bar].filter { $0 != " " }
    let text = line[bar...].dropFirst(2)
    guard gutter.isEmpty else {
      guard let number = Int(gutter) else { return line.first == " " ? .source : nil }
      self.number = number
      source = text
      return .source
    }
    return note(in: text)
  }

  /// Returns the origin of an expansion, which is printed before its excerpt.
  private static func origin(_ line: String) -> SourceLocation? {
    guard line.hasPrefix("`- "), line.hasSuffix(": note: expanded code originates here"),
      let end = line.firstRange(of: ": note: ")
    else { return nil }
    return SourceLocation(printed: line[..<end.lowerBound].dropFirst(3))
  }

  private func note(in text: Substring) -> Line {
    let marks = ["`- note: ", "|- note: "].compactMap { text.firstRange(of: $0) }
    guard number > 0, let mark = marks.min(by: { $0.lowerBound < $1.lowerBound }) else { return .source }
    let message = text[mark.upperBound...]
    if isExpansion, message.hasPrefix("in expansion of macro ") { return .expansion(line: number) }
    return .note(String(message), line: number, column: column(text[..<mark.lowerBound].count))
  }

  /// Markers are aligned by characters, whereas columns count bytes.
  private func column(_ characters: Int) -> Int? {
    guard characters <= source.count else { return nil }
    return source.prefix(characters).utf8.count + 1
  }
}
