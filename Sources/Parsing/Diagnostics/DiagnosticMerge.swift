package import Model

/// The merging of the diagnostics that the compiler wrote to files with those that builds printed.
///
/// The files contain the warnings of sources that an incremental build did not recompile, and every note; the output
/// contains the messages of C compilers, the linker and the package manager, and `RememberedWarnings` those of earlier
/// builds. Paths inside the package are relative to it, as `SerializedDiagnostics` and `BuildLog` produce them.
package struct DiagnosticMerge {
  /// Whether the build failed; errors in files count only then.
  package var buildFailed: Bool
  /// SwiftPM's identity of the package, which distinguishes its messages about other packages; nil if unknown.
  package var identity: String?
  /// Whether a source exists, given its path in a diagnostic; diagnostics about sources that are gone are stale.
  package var exists: (String) -> Bool

  package init(
    buildFailed: Bool, identity: String? = nil, exists: @escaping (String) -> Bool
  ) {
    self.buildFailed = buildFailed
    self.identity = identity
    self.exists = exists
  }

  /// Returns the errors and warnings of both, each once: errors first, then by file, line and column; last those without a
  /// place, which say less. So does one of a line without a column, such as that the compiler crashed there.
  ///
  /// - Parameters:
  ///   - serialized: the diagnostics of all files, in any order.
  ///   - printed: the diagnostics in the build's output, and those remembered.
  ///   - reason: why the build failed, if no error says so; nil if that is unknown.
  package func merged(serialized: [Diagnostic], printed: [Diagnostic], reason: Diagnostic? = nil) -> [Diagnostic] {
    let fromFiles = serialized.map(Finding.init).filter(isCurrent)
    let fromOutput = printed.map(Finding.init)
    var findings: [Finding] = []
    var places: [Finding.Key: [Int]] = [:]
    for finding in fromFiles + fromOutput where isWanted(finding.diagnostic) {
      if let twin = places[finding.key]?.first(where: { findings[$0].says(sameAs: finding) }) {
        findings[twin].absorb(finding)
      } else {
        places[finding.key, default: []].append(findings.count)
        findings.append(finding)
      }
    }
    return FailureEcho.removed(from: findings.map(\.diagnostic), reason: reason).sorted(by: Self.precedes)
  }

  private func isCurrent(_ finding: Finding) -> Bool {
    if finding.diagnostic.severity == .error, !buildFailed { return false }
    guard let location = finding.diagnostic.location else { return true }
    return exists(location.file)
  }

  /// Whether a diagnostic counts: errors always do, warnings only in the package's own sources.
  package func isWanted(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.severity {
    case .note, .remark: return false
    case .error: return true
    case .warning: break
    }
    guard let file = diagnostic.location?.file else { return !isOfOtherPackage(diagnostic.message) }
    return !file.hasPrefix("/") && !file.hasPrefix("../") && !file.hasPrefix("<")
  }

  /// Whether SwiftPM's message is about a dependency: it begins with the identity of the package (`'swift-nio': …`).
  private func isOfOtherPackage(_ message: String) -> Bool {
    guard let identity, message.hasPrefix("'"), let end = message.dropFirst().firstIndex(of: "'"),
      message[end...].hasPrefix("': ")
    else { return false }
    return message[message.index(after: message.startIndex)..<end].lowercased() != identity.lowercased()
  }

  private static func precedes(_ one: Diagnostic, _ other: Diagnostic) -> Bool {
    let ranks = [one, other].map { ($0.severity == .error ? 0 : 2) + ($0.location == nil ? 1 : 0) }
    let files = [one, other].map { $0.location?.file ?? "" }
    let lines = [one, other].map { $0.location?.line ?? 0 }
    let columns = [one, other].map { $0.location?.column ?? .max }
    return (ranks[0], files[0], lines[0], columns[0], one.message)
      < (ranks[1], files[1], lines[1], columns[1], other.message)
  }
}

/// A diagnostic in the process of being merged with its duplicates.
private struct Finding {
  /// The properties that two reports of the same problem share. Only one of them may have a column, and the output does
  /// not show where a message of several lines ends.
  struct Key: Hashable {
    var severity: Diagnostic.Severity
    var file: String?
    var line: Int?
    var message: String
  }

  private(set) var diagnostic: Diagnostic
  /// Whether the column is that of the message itself, rather than of the macro that caused it.
  private var hasOwnColumn: Bool

  init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
    // The compiler stores "in file included from" below the message before the one that it belongs to.
    self.diagnostic.notes.removeAll { $0.location?.file.hasPrefix("<") == true }
    hasOwnColumn = diagnostic.location?.column != nil
    guard diagnostic.location.map(Self.isExpansion) == true else { return }
    let places = diagnostic.notes.filter { $0.message.hasPrefix("in expansion of macro ") }.compactMap(\.location)
    guard let place = places.last(where: { !Self.isExpansion($0) }) else { return }
    self.diagnostic.location = place
    hasOwnColumn = false
  }

  /// Whether the file was made up by the compiler to hold the expansion of a macro.
  private static func isExpansion(_ location: SourceLocation) -> Bool {
    location.file.contains("/@__swiftmacro_")
  }

  var key: Key {
    let isText = diagnostic.location == nil
    return Key(
      severity: diagnostic.severity, file: diagnostic.location?.file, line: diagnostic.location?.line,
      message: isText ? diagnostic.message : String(diagnostic.message.prefix { !$0.isNewline }))
  }

  /// Whether another finding with the same key reports the same problem.
  func says(sameAs other: Finding) -> Bool {
    !hasOwnColumn || !other.hasOwnColumn || diagnostic.location?.column == other.diagnostic.location?.column
  }

  /// Takes over everything that the other report knows better.
  mutating func absorb(_ other: Finding) {
    if !hasOwnColumn, other.hasOwnColumn {
      diagnostic.location = other.diagnostic.location
      hasOwnColumn = true
    }
    if diagnostic.location?.column == nil { diagnostic.location = other.diagnostic.location }
    if diagnostic.category == nil { diagnostic.category = other.diagnostic.category }
    if diagnostic.notes.count < other.diagnostic.notes.count { diagnostic.notes = other.diagnostic.notes }
    if diagnostic.message.count < other.diagnostic.message.count { diagnostic.message = other.diagnostic.message }
  }
}
