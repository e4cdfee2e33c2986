package import Model

/// The limits on the number and length of a build's diagnostics.
package struct DiagnosticRoom {
  private let bounds: Bounds
  private var texts: TextRoom
  private var kept: [Diagnostic.Severity: Int] = [:]
  private var leftOut: [Diagnostic.Severity: Int] = [:]

  package init(_ bounds: Bounds = .standard) {
    self.bounds = bounds
    texts = TextRoom(bounds)
  }

  /// Returns the diagnostic as it is kept; nil, after counting it, if there are too many of its severity.
  package mutating func keep(_ diagnostic: Diagnostic) -> Diagnostic? {
    guard kept[diagnostic.severity, default: 0] < bounds.diagnostics else {
      leftOut[diagnostic.severity, default: 0] += 1
      return nil
    }
    kept[diagnostic.severity, default: 0] += 1
    var diagnostic = diagnostic
    diagnostic.message = texts.keep(diagnostic.message)
    diagnostic.notes = diagnostic.notes.prefix(bounds.marks).map { note in
      var note = note
      note.message = texts.keep(note.message)
      return note
    }
    return diagnostic
  }

  /// Whether a text may grow by a line.
  mutating func takes(_ line: some StringProtocol, behind text: String) -> Bool {
    text.utf8.count + line.utf8.count <= bounds.message && texts.take(line.utf8.count)
  }

  /// A summary of the omitted diagnostics: one error and one warning, if there were any.
  package var rest: [Diagnostic] {
    [Diagnostic.Severity.error, .warning].compactMap { severity in
      leftOut[severity].map { count in
        let what = count == 1 ? "1 more \(severity.rawValue) was" : "\(count) more \(severity.rawValue)s were"
        return Diagnostic(severity: severity, message: "\(what) left out; the log of the step has them.")
      }
    }
  }
}
