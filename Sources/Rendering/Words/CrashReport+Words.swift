import Model

extension CrashReport {
  /// The calls that are known of a crash where no line of the package is: the innermost one, and the innermost one of the tests'
  /// own program; nil for any other crash.
  var calls: String? {
    innermost.map { inner, caller in "in \(inner)\(caller.map { ", called from \($0)" } ?? "")" }
  }

  /// The same as names.
  var innermost: (call: String, caller: String?)? {
    guard location == nil, let frames = thread?.frames, let inner = frames.first else { return nil }
    let own = frames.first(where: \.isOfTests)
    return (
      Self.shortened(inner.function), own.flatMap { $0.number == inner.number ? nil : Self.shortened($0.function) }
    )
  }

  /// The names of the calls; empty where a line of the package is known.
  var callNames: [String] {
    location == nil ? (thread?.frames ?? []).map { Self.shortened($0.function) } : []
  }

  /// Names of C++ can be very long.
  private static func shortened(_ function: String) -> String {
    function.count > 80 ? String(function.prefix(78)) + " …" : function
  }
}
