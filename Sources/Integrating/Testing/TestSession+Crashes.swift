import Glibc
import Model
import Parsing
import Processes

extension TestSession {
  /// More than any report is; the file was written beside code that is not trusted.
  private static let mostBytes = 16 << 20

  /// What the Swift runtime is told to do when a process crashes: to write a report for machines into a folder.
  ///
  /// Nil for toolchains before 6.2, which know no such report, and where the folder's name would be taken apart.
  func backtraceSettings(in handed: HandedFolder) throws -> String? {
    guard toolchain.version >= Toolchain.Version(major: 6, minor: 2), !handed.folder.path.contains(",") else {
      return nil
    }
    let folder = try handed.crashes.create()
    return [
      "enable=yes", "color=no", "interactive=no", "format=json", "threads=crashed", "registers=none",
      "images=mentioned", "output-to=\(folder.path)/",
    ].joined(separator: ",")
  }

  /// How a process died; nil when it did not, or when nothing more than its ending is known.
  ///
  /// Children, such as those of exit tests, leave reports as well: the process's own is the one of its number.
  func crash(of process: String, _ handed: HandedFolder, _ trace: ProcessTrace) -> CrashReport? {
    let ending = ProcessEnding(trace.result)
    if let excess = resources.excess(trace.result) { return CrashReport(reason: excess, signal: ending.signal) }
    if let crash = crash(in: trace, ending) { return crash }
    let name = reportName(in: handed.crashes, trace.pid, ending)
    guard let name, let (backtrace, bytes) = read(name, in: handed.crashes) else {
      let words = Self.areLast(before: ending) ? trace.lastWords : nil
      return words.map { CrashReport(reason: $0.text, signal: ending.signal, statedPlace: $0.place) }
    }
    return CrashReport(
      reason: trace.lastWords?.text ?? (ending.signal == nil ? backtrace.description : nil) ?? ending.words,
      signal: ending.signal, statedPlace: trace.lastWords?.place, thread: backtrace.thread,
      otherThreads: backtrace.otherThreads, file: keep(bytes, as: "crashes/\(process)", name))
  }

  /// Keeps a report where no test can reach it, and returns its path in what is kept; nil where it cannot be kept.
  private func keep(_ bytes: [UInt8], as folder: String, _ name: String) -> String? {
    // The report is for reading only, and a full disk is told elsewhere.
    guard (try? results.folder(folder).create().create(name, bytes)) != nil else { return nil }
    return "results/\(folder)/\(name)"
  }

  /// How a sanitizer ended the process; leaks are looked for when everything is over.
  private func crash(in trace: ProcessTrace, _ ending: ProcessEnding) -> CrashReport? {
    guard ending.cause == .itself, ending.status != .exited(0),
      let report = trace.sanitizerReports.last(where: { $0.isFatal && $0.sanitizer != "LeakSanitizer" })
    else { return nil }
    return CrashReport(reason: report.message, signal: ending.signal, thread: report.stacks.first)
  }

  /// The reports with functions named as in the source.
  func inWords(_ reports: [SanitizerReport]) -> [SanitizerReport] {
    let symbols = reports.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }.sorted()
    guard !symbols.isEmpty else { return reports }
    // Without the demangler's answer the functions keep the names of the object files.
    let answer = try? ask("swift-demangle", ["--simplified"], Demangling.input(for: symbols))
    guard let answer, let names = try? Demangling.parse(answer, for: symbols) else { return reports }
    return reports.map { $0.naming(names) }
  }

  /// Whether the process ended by a signal that it, or its runtime, sends itself after a message.
  private static func areLast(before ending: ProcessEnding) -> Bool {
    ending.cause == .itself && [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(ending.signal)
  }

  private func reportName(in folder: Folder, _ pid: Int32?, _ ending: ProcessEnding) -> String? {
    let names = folder.names().filter { $0.hasSuffix(".json") }
    if let pid { return names.last { $0.contains("-\(pid)-") } }
    return ending.signal != nil && names.count == 1 ? names.first : nil
  }

  /// The report; nil when it is none, since a process may write there what it likes.
  private func read(_ name: String, in folder: Folder) -> (report: BacktraceReport, bytes: [UInt8])? {
    guard let bytes = folder.read(name, limit: Self.mostBytes),
      let report = try? BacktraceReport.read(bytes, relativise: { paths.relative($0) })
    else { return nil }
    return (report, bytes)
  }
}

extension TestSession {
  /// The outermost process of the executable; the kernel tells its path without links.
  func testProcess(in members: [ProcessTree.Member]) -> ProcessTree.Member? {
    let paths = [executable, PackagePaths.resolved(executable)]
    return members.first { paths.contains($0.executable) }
  }
}
