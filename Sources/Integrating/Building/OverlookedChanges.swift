import Git
import Glibc
import Model
import Parsing
import Processes

/// Keeps a build from overlooking what SwiftPM does not see when it continues from an earlier build, as measured with Swift
/// 6.3.1.
///
/// - When a header comes or goes, C modules keep the headers that they had, and what asked for such a header its answer.
/// - Modules, programs and resources that the package no longer has stay where imports and tests find them.
/// - When a macro changes, its program is built, and nothing that uses it is compiled again.
/// - A module that is imported without being depended on is there from the build before.
///
/// Swift Build sees the changes of macros and resources. It tells nobody of its plan, so all is built again where something
/// else may be left of an earlier build.
struct OverlookedChanges {
  /// What is remembered of the last build.
  private enum Note: String {
    case headers
    case targets
    /// Imports of modules that a build compiled together without the one being there before.
    case chances
  }

  let engine: any BuildEngine
  /// The folder in which SwiftPM builds.
  let scratch: Folder
  /// The folder in which Martlet remembers things about the scratch folder.
  let memory: Folder
  /// The repository with the package.
  let sources: PackagePaths

  // MARK: - Before a build

  /// Takes note of what may bring headers or take them away.
  ///
  /// - Parameters:
  ///   - headers: the headers of the repository.
  ///   - versions: the versions of the packages that it depends on, which may have others.
  /// - Returns: whether anything of it changed since the last build.
  func noteHeaders(_ headers: [String], versions: String) -> Bool {
    let now = [SHA256.digest(of: headers), SHA256.digest(of: [versions])]
    let last = note(.headers, now)
    return last.map { $0.first != now[0] || $0.last != now[1] && engine.plan?.compilesC != false } ?? false
  }

  /// Takes note of the names of the package's targets and products.
  ///
  /// - Returns: whether the last build knew others that are gone.
  func noteTargets(_ model: PackageModel) -> Bool {
    let now = Set(model.targets.map(\.name) + model.products.map(\.name))
    return note(.targets, now.sorted()).map { !now.isSuperset(of: $0) } ?? false
  }

  /// Has all of the repository's code compiled again, or everything where there is no plan.
  func forgetCode() throws {
    guard engine.plan != nil else { return try engine.output.takeAway() }
    let built = PackagePaths(scratch.path)
    remove(
      engine.compiled { task in
        task.inputs.contains { sources.relative($0) != nil && built.relative($0) == nil }
      })
  }

  /// The versions of the programs that expand macros, by path.
  var macros: [String: String] {
    let programs = (engine.plan?.tasks ?? []).reduce(into: Set()) { $0.formUnion($1.macros) }
    return programs.reduce(into: [:]) { $0[$1] = stat($1)?.version }
  }

  // MARK: - After a build

  /// Removes what is left of earlier builds, and what a successful build should have compiled again.
  ///
  /// - Parameter before: the programs that expand macros, as they were before the build; nil if it began from nothing.
  /// - Returns: why the package has to be built once more, as a sentence; nil if it has not.
  func settle(since before: [String: String]?) throws -> String? {
    let leftovers = engine.leftovers
    remove(leftovers.files + leftovers.modules)
    guard let before else { return nil }
    if !leftovers.modules.isEmpty {
      try forgetCode()
      return "Modules that the package no longer has were there to import. It is compiled again without them."
    }
    let now = macros
    let changed = Set(before.keys.filter { now[$0] != nil && now[$0] != before[$0] })
    let known = lines(.chances)
    let imports = engine.undeclaredImports.filter { !known.contains($0.line) }
    guard !changed.isEmpty || !imports.isEmpty else { return nil }
    let modules = Set(imports.flatMap { [$0.module, $0.imported] })
    remove(engine.compiled { !$0.macros.isDisjoint(with: changed) || $0.module.map(modules.contains) == true })
    return changed.isEmpty
      ? "\(imports[0].module) imports \(imports[0].imported), on which it does not depend. Both are compiled again."
      : "Macros changed. What uses them is compiled again."
  }

  /// Returns the imports of modules that are there by chance, after a build that succeeded.
  func noteChances() -> [UndeclaredImport] {
    let imports = engine.undeclaredImports
    _ = note(.chances, imports.map(\.line))
    return imports
  }

  private func remove(_ paths: [String]) {
    let folder = UntrustedFolder(scratch.path)
    for path in paths { folder.remove(path) }
  }

  // MARK: - Notes

  /// Replaces a note.
  ///
  /// - Returns: its lines until now; nil if there was none.
  private func note(_ note: Note, _ now: [String]) -> [String]? {
    let last = memory.read(note.rawValue).map { _ in lines(note) }
    // Without a note, a build compiles once too often, or takes a change for none.
    if last != now { try? memory.create().write(Array(now.joined(separator: "\n").utf8), to: note.rawValue) }
    return last
  }

  private func lines(_ note: Note) -> [String] {
    let text = String(decoding: memory.read(note.rawValue) ?? [], as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}

/// The import of a module on which a target does not depend: whether it is there depends on what is compiled first.
struct UndeclaredImport: Hashable {
  /// The name of the module that imports.
  var module: String
  var imported: String

  fileprivate var line: String { "\(module) \(imported)" }
}

extension IntegrationRun {
  var overlookedChanges: OverlookedChanges {
    OverlookedChanges(
      engine: engine, scratch: scratch, memory: memory, sources: PackagePaths(claimed.workspace.source.path))
  }

  /// Has code compiled again that SwiftPM would take for unchanged, although headers came or went, or targets are gone.
  func forgetOldCode() throws(IntegrationStop) {
    let changes = overlookedChanges
    let versions = String(decoding: packageFolder.read("Package.resolved") ?? [], as: UTF8.self)
    let changedHeaders = changes.noteHeaders(headers, versions: versions)
    let lostTargets = try hasLostTargets(changes)
    guard changedHeaders || lostTargets else { return }
    try stopping {
      let modulesOfC = engine.plan?.modulesOfC ?? []
      try changes.forgetCode()
      try modules.takeAway()
      try sharedModules?.forget(modulesOfC)
    }
  }

  /// Whether targets or products are gone that Swift Build would keep; SwiftPM's own build system has a plan instead.
  private func hasLostTargets(_ changes: OverlookedChanges) throws(IntegrationStop) -> Bool {
    guard context.buildSystem == .swiftbuild else { return false }
    do {
      return changes.noteTargets(try modelQuestion.model())
    } catch {
      if error.outcome == .canceled { throw error }
      // The build tells what is wrong with the package.
      return false
    }
  }

  /// The headers in the repository, with the commits of submodules, which may have others.
  private var headers: [String] {
    // Of a commit that cannot be listed, nothing is known but its own name.
    guard let entries = try? claimed.repository.entries(of: target.commit) else { return [target.commit.rawValue] }
    let files = entries.filter { SourceSuffix.isHeader($0.path) || $0.path.hasSuffix(".modulemap") }.map(\.path)
    let others = entries.filter { ![.file, .executable].contains($0.kind) }.map { "\($0.path) \($0.id)" }
    let changes = source?.workingTree
    let added = (changes?.added ?? []).filter { SourceSuffix.isHeader($0) || $0.hasSuffix(".modulemap") }
    return Set(files + added).subtracting(changes?.deleted ?? []).sorted() + others
  }
}
