import Glibc
import Model

/// The stack dump that LLVM prints when a compiler crashes, read line by line.
struct CompilerStackDump {
  private enum Part {
    case entries, frames
  }

  /// A compiler that crashed at a place in a source.
  struct Crash: Hashable, Sendable {
    /// What it was doing last.
    var entry: StackDumpEntry
    /// The assertion of its own that failed, as it printed it; nil if it printed none.
    var assertion: String?
  }

  private(set) var crashes: [Crash] = []
  private var innermost: StackDumpEntry?
  private var assertion: String?
  /// The line before.
  private var last = ""
  private var part: Part?
  private static let most = 100
  /// What follows a dump that was cut short.
  private static let others = ["error: ", "warning: "]

  /// Reads a line, and returns whether it is part of a dump.
  mutating func take(_ line: String) -> Bool {
    defer { last = line }
    if line == "Stack dump:" {
      endEntries()
      part = .entries
      return true
    }
    switch part {
    case .entries where Self.others.contains(where: line.hasPrefix): end()
    // An entry may quote many lines of a source.
    case .entries:
      if let entry = StackDumpEntry(line) ?? StackDumpEntry(line, behind: last) {
        innermost = entry.activity == nil ? entry.within(innermost) : entry
      }
      if Self.beginsFrames(line) { part = .frames }
      return true
    case .frames where line.firstRange(ofASCII: " 0x") != nil: return true
    case .frames: end()
    case nil: break
    }
    if Self.assertions.contains(where: { line.firstRange(ofASCII: $0) != nil }) {
      assertion = String(line.prefix(1000))
    }
    return false
  }

  /// Ends a dump, as at the end of a task.
  mutating func end() {
    endEntries()
    assertion = nil
  }

  private mutating func endEntries() {
    if let innermost {
      if crashes.count < Self.most { crashes.append(Crash(entry: innermost, assertion: assertion)) }
      assertion = nil
    }
    (innermost, part) = (nil, nil)
  }

  /// What Swift's and the C library's words for a failed assertion contain.
  private static let assertions = ["Assertion failed: ", ": Assertion `"]

  private static func beginsFrames(_ line: String) -> Bool {
    line.hasPrefix("Stack dump without symbol names")
      || (line.hasPrefix(" #0 ") && line.firstRange(ofASCII: " 0x") != nil)
  }
}

extension CompilerStackDump {
  /// Returns the diagnostics with the errors of compilers that crashed at a place in a source instead of the words that their
  /// commands ended by a signal. One that was killed leaves no dump.
  static func explained(_ found: [Diagnostic], by crashes: [Crash]) -> [Diagnostic] {
    var unnamed = crashes.count
    let others = found.filter { diagnostic in
      guard unnamed > 0, let signal = FailureEcho.signal(in: diagnostic.message), signal != SIGKILL else { return true }
      unnamed -= 1
      return false
    }
    return others + crashes.map(Diagnostic.init)
  }
}

extension StackDumpEntry {
  /// Returns the entry with what the compiler was doing around it on the same line.
  fileprivate func within(_ outer: StackDumpEntry?) -> StackDumpEntry {
    StackDumpEntry(activity: outer?.place == place ? outer?.activity : nil, place: place)
  }
}

extension Diagnostic {
  /// The error of a compiler that crashed.
  fileprivate init(_ crash: CompilerStackDump.Crash) {
    let doing = crash.entry.activity.map { " while \($0)" } ?? ""
    self.init(severity: .error, message: "compiler crashed\(doing)", location: crash.entry.place)
    isCompilerCrash = true
    if let assertion = crash.assertion { notes = [Diagnostic(severity: .note, message: assertion)] }
  }
}
