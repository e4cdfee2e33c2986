package import Model

/// The warnings that builds in a scratch folder printed, for later builds, which print only those of the tasks that they
/// run.
///
/// A warning holds as long as what printed it has not run again. That is read from the files that every run of it writes
/// anew, rather than from the log, which neither names every task nor tells those that were interrupted.
package struct RememberedWarnings: Codable, Hashable, Sendable {
  private struct Entry: Codable, Hashable, Sendable {
    var warning: Diagnostic
    /// The versions of the files on which the warning depends; none if it is forgotten at the next build.
    var versions: [String: String]
  }

  private var entries: [Entry] = []

  package init() {}

  /// What the builds so far warn of, in no order.
  package var warnings: [Diagnostic] { entries.map(\.warning) }

  /// Forgets what no longer holds after a build, failed or not, and adds what that build told.
  ///
  /// - Parameters:
  ///   - printed: the warnings that it printed, with what printed each.
  ///   - serialized: the warnings in the compilers' files. One about a header is lost when a Swift source is compiled
  ///     again, because the module made of the header is not.
  ///   - plan: what the build planned; nil if that is unknown, and nothing outlasts the next build.
  ///   - version: the version of a file, given its path: relative to the package, or absolute for what a task makes.
  package mutating func update(
    printed: [(warning: Diagnostic, printer: BuildPlan.Printer)], serialized: [Diagnostic] = [], plan: BuildPlan?,
    version: (String) -> String?
  ) {
    func current(_ path: String) -> String? {
      guard path.hasPrefix("/") else { return version(path) }
      guard let plan, plan.names(path) else { return nil }
      return path.hasSuffix("/") ? "" : version(path)
    }
    func entry(_ warning: Diagnostic, dependingOn files: [String]) -> Entry {
      let versions = files.map { ($0, current($0)) }
      guard versions.allSatisfy({ $0.1 != nil }) else { return Entry(warning: warning, versions: [:]) }
      return Entry(warning: warning, versions: Dictionary(versions.map { ($0, $1 ?? "") }) { $1 })
    }
    let held = entries.filter { entry in
      !entry.versions.isEmpty && entry.versions.allSatisfy { current($0.key) == $0.value }
    }
    let new = printed.map { entry($0.warning, dependingOn: Self.files(of: $0.warning, by: $0.printer, plan)) }
    let ofHeaders = serialized.compactMap { warning in
      let folder = warning.location.flatMap { Self.isSwift($0) ? nil : plan?.folder(of: $0.file) }
      return folder.map { entry(warning, dependingOn: [warning.location?.file, $0].compactMap(\.self)) }
    }
    .filter { !$0.versions.isEmpty }
    var seen: Set<Entry> = []
    entries = Array(
      (held + new + ofHeaders).filter { $0.warning.severity == .warning && seen.insert($0).inserted }
        .prefix(Bounds.standard.diagnostics))
  }

  /// Returns the files on which a printed warning depends; none if they are unknown, or if the compiler's own files tell
  /// of it for as long as it holds.
  private static func files(of warning: Diagnostic, by printer: BuildPlan.Printer, _ plan: BuildPlan?) -> [String] {
    let file = warning.location?.file
    switch printer {
    // SwiftPM evaluates a manifest once, however often it plans.
    case .resolution: return [file ?? "Package.swift"]
    case .packageManager: return plan.map { [file ?? $0.file] } ?? []
    case .task(let name, let source):
      guard let made = plan?.file(madeBy: name, compiling: source), warning.location.map(isSwift) != true else {
        return []
      }
      return [file, made].compactMap(\.self)
    }
  }

  private static func isSwift(_ location: SourceLocation) -> Bool { location.file.hasSuffix(".swift") }
}
