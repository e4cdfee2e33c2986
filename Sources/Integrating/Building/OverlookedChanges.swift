import Git
import Glibc
import Model
import Parsing
import Processes

/// Keeps a build from overlooking changes that SwiftPM's own build system does not see when it continues from an earlier
/// build, as measured with Swift 6.3.1. Swift Build sees them.
///
/// - When a macro changes, its program is built, and nothing that uses it is compiled again.
/// - Modules, programs and resources that the package no longer has stay where imports and tests find them.
/// - When a header comes or goes, C modules keep the list of headers that they had, and what asked for such a header keeps
///   the answer.
struct OverlookedChanges {
  private static let fileName = "headers"

  let engine: any BuildEngine
  /// The folder in which SwiftPM builds.
  let scratch: Folder
  /// The repository with the package.
  let sources: PackagePaths

  /// The versions of the programs that expand macros, by path.
  var macros: [String: String] {
    let programs = (engine.plan?.tasks ?? []).reduce(into: Set()) { $0.formUnion($1.macros) }
    return programs.reduce(into: [:]) { $0[$1] = stat($1)?.version }
  }

  /// Has all of the repository's code compiled again.
  func forgetCode() {
    let built = PackagePaths(scratch.path)
    remove(
      engine.compiled { task in
        task.inputs.contains { sources.relative($0) != nil && built.relative($0) == nil }
      })
  }

  /// Removes what is left of earlier builds, and what a successful build should have compiled again.
  ///
  /// - Parameter before: the programs that expand macros, as they were before the build.
  /// - Returns: why the package has to be built once more, as a sentence; nil if it has not.
  func settle(since before: [String: String]) -> String? {
    let leftovers = engine.leftovers
    remove(leftovers.files + leftovers.modules)
    if !leftovers.modules.isEmpty {
      forgetCode()
      return "Modules that the package no longer has could be imported. It is compiled again without them."
    }
    let now = macros
    let changed = Set(before.keys.filter { now[$0] != nil && now[$0] != before[$0] })
    guard !changed.isEmpty else { return nil }
    remove(engine.compiled { !$0.macros.isDisjoint(with: changed) })
    return "Macros changed. What uses them is compiled again, which SwiftPM does not do by itself."
  }

  private func remove(_ paths: [String]) {
    let folder = UntrustedFolder(scratch.path)
    for path in paths { folder.remove(path) }
  }

  /// Takes note of what may bring headers or take them away.
  ///
  /// - Returns: whether it changed since the last build in the folder of the memory.
  static func noteHeaders(_ key: String, in memory: Folder) -> Bool {
    let (last, now) = (memory.read(fileName), Array(key.utf8))
    guard last != now else { return false }
    // Without the note, the next build compiles once too often, or takes the change for none.
    try? memory.create().write(now, to: fileName)
    return last != nil
  }
}

extension IntegrationRun {
  var overlookedChanges: OverlookedChanges {
    OverlookedChanges(
      engine: engine, scratch: scratch, sources: PackagePaths(claimed.workspace.source.path))
  }

  /// Has code compiled again that SwiftPM would take for unchanged although headers came or went.
  func forgetOldHeaders() throws(IntegrationStop) {
    guard context.buildSystem == .native, OverlookedChanges.noteHeaders(headersKey, in: memory) else { return }
    overlookedChanges.forgetCode()
    try stopping {
      try modules.takeAway()
      try sharedModules?.forget(engine.plan?.modulesOfC ?? [])
    }
  }

  /// A digest of which headers there are in the repository, and of the versions of packages, which may have others.
  private var headersKey: String {
    // Of a commit that cannot be listed, nothing is known but its own name.
    let entries = (try? claimed.repository.entries(of: target.commit).map(\.path)) ?? [target.commit.rawValue]
    let changes = source?.workingTree
    let all = Set(entries).union(changes?.added ?? []).subtracting(changes?.deleted ?? [])
    let headers = all.filter { SourceSuffix.isHeader($0) || $0.hasSuffix(".modulemap") }.sorted()
    let pins = packageFolder.read("Package.resolved").map { String(decoding: $0, as: UTF8.self) }
    let compilesC = engine.plan?.compilesC ?? !headers.isEmpty
    return SHA256.digest(of: headers + [compilesC ? pins ?? "" : ""])
  }
}
