package import Model

/// A filter for the sanitizer reports in a process's standard error.
///
/// The formats are those of compiler-rt
/// ([AddressSanitizer](https://clang.llvm.org/docs/AddressSanitizer.html),
/// [ThreadSanitizer](https://github.com/google/sanitizers/wiki/ThreadSanitizerReportFormat)): a headline, stacks with
/// one heading each, and a summary. Functions have the names in the object files. Other threads go on to write while a
/// report is written, so its lines are told by their form, and all others are passed over.
package struct SanitizerReports: Sendable {
  private static let mostReports = 50
  /// Those of two accesses, of what they access, and of where it and the threads come from.
  private static let mostStacks = 6
  private static let mostFrames = 128

  private let relativise: @Sendable (String) -> String?
  private var lines = LineSplitter(limit: 16_384)
  private var reports: [SanitizerReport] = []
  private var isOpen = false
  /// The heading of the next stack.
  private var heading: Heading?
  private var isInStack = false

  private struct Heading {
    var name: String
    /// The thread that made the access, which differs in each run.
    var thread: String?

    var whole: String { [name, thread].compactMap(\.self).joined(separator: ", ") }
  }

  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(relativise: @escaping @Sendable (String) -> String?) {
    self.relativise = relativise
  }

  /// Adds the next bytes of standard error.
  package mutating func consume(_ bytes: some Sequence<UInt8>) {
    for line in lines.consume(bytes) { take(line) }
  }

  /// Returns the first fifty reports, in their order.
  package mutating func finish() -> [SanitizerReport] {
    if let line = lines.finish() { take(line) }
    return reports
  }

  private static let marks = ["ERROR: ", "WARNING: "].map { Array($0.utf8) }

  private mutating func take(_ line: [UInt8]) {
    // Most lines belong to no report, and need not become text.
    if isOpen || Self.marks.contains(where: { line[...].firstRange(ofBytes: $0) != nil }) { take(line.text) }
  }

  private mutating func take(_ line: String) {
    if let report = SanitizerReport(headline: line) {
      isOpen = reports.count < Self.mostReports
      if isOpen { reports.append(report) }
      (heading, isInStack) = (nil, false)
    } else if isOpen {
      if line.hasPrefix("SUMMARY: ") { return isOpen = false }
      continueReport(line)
    }
  }

  private mutating func continueReport(_ line: String) {
    let text = line.drop { $0 == " " }
    guard line.hasPrefix("    #") else {
      if Self.isHeading(text) { heading = Self.heading(text) }
      return
    }
    let last = reports.count - 1
    if text.hasPrefix("#0 ") { begin(in: last) }
    guard isInStack else { return }
    let stack = reports[last].stacks.count - 1
    let count = reports[last].stacks[stack].frames.count
    guard count < Self.mostFrames, let frame = frame(text, number: count) else { return }
    reports[last].stacks[stack].frames.append(frame)
  }

  /// Begins the next stack of a report under the heading read last, unless it has enough.
  private mutating func begin(in report: Int) {
    let told = heading
    heading = nil
    isInStack = reports[report].stacks.count < Self.mostStacks
    guard isInStack else { return }
    if reports[report].stacks.isEmpty, let name = told?.name, name.contains(" of size ") {
      reports[report].access = name
    }
    reports[report].stacks.append(ThreadStack(name: told?.whole, frames: []))
  }

  /// How the headings of stacks begin, in lower case and without `previous` or `previously`.
  private static let headings = [
    "read of size ", "write of size ", "atomic read of size ", "atomic write of size ", "modifying access of ",
    "read access of ", "freed by ", "allocated by ", "thread t", "address 0x", "location is ", "mutex m",
    "as if synchronized ", "direct leak of ", "indirect leak of ",
  ]

  private static func isHeading(_ text: Substring) -> Bool {
    var text = text.prefix(64).lowercased()[...]
    for word in ["previous ", "previously "] where text.hasPrefix(word) { text = text.dropFirst(word.count) }
    return headings.contains { text.hasPrefix($0) }
  }

  /// Parses `Write of size 8 at 0x7b08 by thread T2 (mutexes: write M1):` or
  /// `Thread T2 'exe' (tid=10, running) created by main thread at:`, without addresses and ids.
  private static func heading(_ text: Substring) -> Heading {
    let line = text.hasSuffix(":") ? text.dropLast() : text
    if let address = line.firstRange(ofASCII: " at 0x") {
      let words = line[address.upperBound...].split(separator: " ").dropFirst()
      let maker = words.first == "by" ? words.dropFirst().prefix { !$0.hasPrefix("(") } : []
      return Heading(
        name: String(line[..<address.lowerBound]), thread: maker.isEmpty ? nil : maker.joined(separator: " "))
    }
    let words = line.split(separator: " ")
    guard words.count > 1, words[0] == "Thread", let maker = line.firstRange(ofASCII: " created by ") else {
      return Heading(name: String(line))
    }
    let origin = line[maker.lowerBound...]
    return Heading(name: "Thread \(words[1])\(origin.hasSuffix(" at") ? origin.dropLast(3) : origin)")
  }

  /// Parses `#0 0x562f in overrun /path/file.c:6:11` or `#0 overrun /path/file.c:6:11 (Program+0x1) (BuildId: …)`.
  private func frame(_ text: Substring, number: Int) -> StackFrame? {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
    if words.first?.hasPrefix("0x") == true, words.dropFirst().first == "in" { words = words.dropFirst(2) }
    let rest = words.joined(separator: " ")
    let ends = [" /", " (", " <"].compactMap { rest.firstRange(ofASCII: $0)?.lowerBound }
    let end = ends.min() ?? rest.endIndex
    let function = String(rest[..<end])
    guard !function.isEmpty, !function.hasPrefix("0x") else { return nil }
    let place = String(rest[end...].drop { $0 == " " })
    guard place.hasPrefix("/") else { return StackFrame(number: number, function: function) }
    let path = place.firstRange(ofASCII: " (").map { place[..<$0.lowerBound] } ?? place[...]
    let printed = SourceLocation(printed: path)
    let location = printed.flatMap {
      SourceLocation(inPackage: $0.file, line: $0.line, column: $0.column, relativise)
    }
    // Without a line, the path is all that is printed.
    let file = location == nil ? relativise(printed?.file ?? String(path)) : nil
    return StackFrame(number: number, function: function, location: location, file: file)
  }
}

extension SanitizerReport {
  /// The names of the functions in the object files, each once.
  package var symbols: Set<String> { Set(stacks.flatMap { $0.frames.map(\.function) }) }

  /// Returns the report with readable function names.
  package func naming(_ names: [String: String]) -> SanitizerReport {
    var report = self
    for stack in stacks.indices {
      for frame in stacks[stack].frames.indices {
        let symbol = stacks[stack].frames[frame].function
        report.stacks[stack].frames[frame].function = names[symbol] ?? symbol
      }
    }
    return report
  }
}

extension ParsedTestRun {
  /// Assigns reports to the tests that their stacks name, or otherwise to the tests that were running.
  ///
  /// A report makes its test fail, even if the test passed; a report that ended the process is presented as a crash.
  package mutating func join(_ reports: [SanitizerReport]) {
    for report in reports {
      guard let index = index(of: report) else {
        looseReports.append(report)
        continue
      }
      if results[index].sanitizerReports.contains(where: report.isRepetition) { continue }
      results[index].sanitizerReports.append(report)
      if openTests.contains(results[index].id) { continue }
      results[index].state = .failed
      results[index].failures.append(TestFailure(location: report.location, message: report.story))
    }
  }

  private func index(of report: SanitizerReport) -> Int? {
    if let suspect = Suspects.among(results.map(\.id), on: report.stacks).first {
      return results.firstIndex { $0.id == suspect }
    }
    if report.isFatal, openTests.count == 1 { return results.firstIndex { $0.id == openTests[0] } }
    let printers = results.indices.filter { results[$0].transcript.contains { $0.text == report.headline } }
    return printers.count == 1 ? printers[0] : nil
  }
}
