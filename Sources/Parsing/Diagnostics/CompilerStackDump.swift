import Glibc
import Model

/// The stack dump that LLVM prints when a compiler crashes, read line by line.
struct CompilerStackDump {
  private enum Part {
    case entries, frames
  }

  /// What each compiler that crashed was doing last at a place in a source.
  private(set) var crashes: [StackDumpEntry] = []
  private var innermost: StackDumpEntry?
  private var part: Part?
  private static let most = 100
  /// What follows a dump that was cut short.
  private static let others = ["error: ", "warning: "]

  /// Reads a line, and returns whether it is part of a dump.
  mutating func take(_ line: String) -> Bool {
    if line == "Stack dump:" {
      end()
      part = .entries
      return true
    }
    switch part {
    case .entries where Self.others.contains(where: line.hasPrefix): end()
    // An entry may quote many lines of a source.
    case .entries:
      if let entry = StackDumpEntry(line) { innermost = entry.activity == nil ? entry.within(innermost) : entry }
      if Self.beginsFrames(line) { part = .frames }
      return true
    case .frames where line.firstRange(ofASCII: " 0x") != nil: return true
    case .frames: end()
    case nil: break
    }
    return false
  }

  /// Ends a dump, as at the end of a task.
  mutating func end() {
    if let innermost, crashes.count < Self.most { crashes.append(innermost) }
    (innermost, part) = (nil, nil)
  }

  private static func beginsFrames(_ line: String) -> Bool {
    line.hasPrefix("Stack dump without symbol names")
      || (line.hasPrefix(" #0 ") && line.firstRange(ofASCII: " 0x") != nil)
  }
}

extension CompilerStackDump {
  /// Returns the diagnostics with the errors of compilers that crashed at a place in a source instead of the words that their
  /// commands ended by a signal. One that was killed leaves no dump.
  static func explained(_ found: [Diagnostic], by crashes: [StackDumpEntry]) -> [Diagnostic] {
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
  init(_ crash: StackDumpEntry) {
    let doing = crash.activity.map { " while \($0)" } ?? ""
    self.init(severity: .error, message: "compiler crashed\(doing)", location: crash.place)
  }
}
