/// The names of signals on pages, by Linux's numbers.
enum SignalText {
  /// Returns the number, the name and the meaning: `signal 4 (SIGILL, illegal instruction)`.
  static func of(_ signal: Int32) -> String {
    names[signal].map { "signal \(signal) (\($0.name), \($0.meaning))" } ?? "signal \(signal)"
  }

  /// Returns the name alone, such as `SIGILL`, or the number of one without.
  static func name(of signal: Int32) -> String { names[signal]?.name ?? "signal \(signal)" }

  private static let names: [Int32: (name: String, meaning: String)] = [
    1: ("SIGHUP", "hang-up"), 2: ("SIGINT", "interrupt"), 3: ("SIGQUIT", "quit"), 4: ("SIGILL", "illegal instruction"),
    5: ("SIGTRAP", "trap"), 6: ("SIGABRT", "abort"), 7: ("SIGBUS", "bus error"), 8: ("SIGFPE", "arithmetic error"),
    9: ("SIGKILL", "killed"),
    11: ("SIGSEGV", "invalid memory access"), 13: ("SIGPIPE", "broken pipe"), 15: ("SIGTERM", "termination"),
    24: ("SIGXCPU", "processor limit"),
    25: ("SIGXFSZ", "file size limit"),
  ]
}
