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
/// - When a link comes or goes in the place of a target's only source, the plan stays without the target.
/// - When a library changes that is only searched for, or a file that a C source takes in as bytes, nothing names it.
/// - When a macro changes, its program is built, and nothing that uses it is compiled again.
/// - A module that is imported without being depended on is there from the build before.
///
/// Swift Build sees the changes of macros and resources. It tells nobody of its plan, so all is built again where something
/// else may be left of an earlier build.
struct OverlookedChanges {
  /// What decides which headers there are, and which targets.
  struct Surroundings: Hashable, Codable {
    /// A digest of the names of the repository's headers, of its links, and of what is read without being named.
    var headers: String
    /// A digest of the versions of the packages that it depends on, which may have other headers.
    var versions: String
    /// The names of targets and products; nil if they are not known, or the build has a plan to tell what is gone.
    var targets: Set<String>?

    init(headers: [String], versions: String, targets: Set<String>? = nil) {
      self.headers = SHA256.digest(of: headers)
      self.versions = SHA256.digest(of: [versions])
      self.targets = targets
    }
  }

  /// What is remembered of earlier builds.
  struct Known: Hashable, Codable {
    var surroundings: Surroundings?
    /// The versions of the programs that expand macros with which everything was compiled, by path; nil before the first
    /// build.
    var macros: [String: String]?
    /// The undeclared imports of a build that compiled both modules, the other one not being there before.
    var chances: [UndeclaredImport]?
  }

  private static let fileName = "overlooked"

  let engine: any BuildEngine
  /// The folder in which SwiftPM builds.
  let scratch: Folder
  /// The folder in which Martlet remembers things about the scratch folder.
  let memory: Folder
  /// The repository with the package.
  let sources: PackagePaths

  var known: Known { memory.value(Known.self, in: Self.fileName) ?? Known() }

  /// A build that is killed must find its reasons again: what it should compile goes before this is called.
  private func note(_ now: Known) {
    guard now != known else { return }
    // Without it, a build compiles once too often, or takes a change for none.
    try? memory.create().write(json: now, to: Self.fileName)
  }

  // MARK: - Before a build

  /// Whether headers came or went since the last build, or targets went that only Swift Build would keep.
  func isOutdated(by now: Surroundings) -> Bool {
    guard let last = known.surroundings else { return false }
    if let targets = now.targets, !targets.isSuperset(of: last.targets ?? []) { return true }
    return last.headers != now.headers || last.versions != now.versions && engine.plan?.compilesC != false
  }

  /// Has all of the repository's code planned and compiled again, or everything where there is no plan.
  func forgetCode(of plan: BuildPlan?) throws {
    guard let plan else { return try engine.output.takeAway() }
    remove(engine.compiled(in: plan, by: isOwn) + engine.planFiles)
  }

  /// Takes note of what the next build is compared with.
  ///
  /// - Parameter plan: that of the build before, where it was removed.
  func noteBegin(_ now: Surroundings, after plan: BuildPlan? = nil) {
    var known = known
    let targets = now.targets ?? known.surroundings?.targets
    known.surroundings = now
    known.surroundings?.targets = targets
    // An earlier build may have failed before it could be noted.
    if known.macros == nil { known.macros = (plan ?? engine.plan).map(macros) }
    note(known)
  }

  // MARK: - After a build

  /// Removes what is left of earlier builds, and what a successful build should have compiled again: everything where only
  /// a build from nothing can tell.
  ///
  /// - Returns: why the package has to be built once more, as a sentence; nil if it has not.
  func settle() throws -> String? {
    guard let plan = engine.plan else { return nil }
    var known = known
    let leftovers = engine.leftovers(of: plan)
    let (now, last) = (macros(of: plan), known.macros)
    let changed = Set(now.keys.filter { last?[$0] != nil && last?[$0] != now[$0] })
    let imports = engine.undeclaredImports(in: plan, by: isOwn)
    // A build from nothing compiled all of it.
    let news = last == nil ? [] : newImports(in: imports, since: known)
    let hasLostModules = last != nil && !leftovers.modules.isEmpty
    remove(engine.compiled(in: plan) { hasLostModules && isOwn($0) || !$0.macros.isDisjoint(with: changed) })
    remove(leftovers.files + leftovers.modules)
    if !news.isEmpty { try engine.output.takeAway() }
    let reason = news.first?.reason ?? (hasLostModules ? Self.lostModules : changed.isEmpty ? nil : Self.changedMacros)
    known.macros = now
    if reason == nil { known.chances = imports }
    note(known)
    return reason
  }

  /// Removes what is left of earlier builds after one that failed, perhaps because of it: a module that the package no
  /// longer has hides one of the same name in the toolchain, and one that is there by chance may be asked for.
  ///
  /// - Returns: why the package has to be built once more, as a sentence; nil if it has not.
  func settleFailure() throws -> String? {
    let known = known
    guard let plan = engine.plan, known.macros != nil else { return nil }
    let leftovers = engine.leftovers(of: plan)
    // What did not compile has the records of the build before, which at worst are a reason too many.
    let news = newImports(in: engine.undeclaredImports(in: plan, by: isOwn), since: known)
    guard !leftovers.modules.isEmpty || !news.isEmpty else { return nil }
    remove(engine.compiled(in: plan, by: isOwn))
    remove(leftovers.files + leftovers.modules)
    if !news.isEmpty { try engine.output.takeAway() }
    return news.first?.reason ?? Self.lostModules
  }

  /// Returns the undeclared imports that no build from nothing is known to have.
  private func newImports(in imports: [UndeclaredImport], since known: Known) -> [UndeclaredImport] {
    imports.filter { known.chances?.contains($0) != true }
  }

  /// Takes note of a successful build after the one that was settled.
  func noteEnd() {
    guard let plan = engine.plan else { return }
    var known = known
    // When all is compiled again, these are linked again, too.
    known.macros = macros(of: plan)
    known.chances = engine.undeclaredImports(in: plan, by: isOwn)
    note(known)
  }

  private static let lostModules =
    "Modules that the package no longer has were there to import. It is compiled again without them."
  private static let changedMacros = "Macros changed. What uses them is compiled again."

  /// Whether a task reads a source of the repository.
  private func isOwn(_ task: BuildPlan.Task) -> Bool {
    let built = PackagePaths(scratch.path)
    return task.inputs.contains { sources.relative($0) != nil && built.relative($0) == nil }
  }

  private func macros(of plan: BuildPlan) -> [String: String] {
    plan.macros.reduce(into: [:]) { $0[$1] = stat($1)?.version }
  }

  private func remove(_ paths: [String]) {
    let folder = UntrustedFolder(scratch.path)
    for path in paths { folder.remove(path) }
  }
}

extension UndeclaredImport {
  fileprivate var reason: String {
    "\(module) imports \(imported), on which it does not depend. All is built from nothing to see whether it compiles."
  }
}

extension IntegrationRun {
  var overlookedChanges: OverlookedChanges {
    OverlookedChanges(
      engine: engine, scratch: scratch, memory: memory, sources: PackagePaths(claimed.workspace.source.path))
  }

  /// Has code compiled again that SwiftPM would take for unchanged, although headers came or went, or targets are gone.
  func forgetOldCode() throws(IntegrationStop) {
    let changes = overlookedChanges
    let versions = packageFolder.text(of: "Package.resolved") ?? ""
    let now = OverlookedChanges.Surroundings(headers: headers, versions: versions, targets: try targetsToKeep())
    guard changes.isOutdated(by: now) else { return changes.noteBegin(now) }
    let plan = engine.plan
    try stopping {
      try changes.forgetCode(of: plan)
      try modules.takeAway()
      try sharedModules?.forget(plan?.modulesOfC ?? [])
    }
    changes.noteBegin(now, after: plan)
  }

  /// The names of targets and products; nil for SwiftPM's own build system, which has a plan.
  private func targetsToKeep() throws(IntegrationStop) -> Set<String>? {
    guard context.buildSystem == .swiftbuild else { return nil }
    do {
      let model = try modelQuestion.model()
      return Set(model.targets.map(\.name) + model.products.map(\.name))
    } catch {
      if error.outcome == .canceled { throw error }
      // The build tells what is wrong with the package.
      return nil
    }
  }

  /// The headers in the repository, with the commits of submodules, which may have others, and with links, which may lead
  /// nowhere.
  func listHeaders() -> [String] {
    // Of a commit that cannot be listed, nothing is known but its own name.
    guard let entries = try? claimed.repository.entries(of: target.commit) else { return [target.commit.rawValue] }
    let files = entries.map(\.path).filter(SourceSuffix.isImported)
    let changes = source?.workingTree
    let added = (changes?.added ?? []).filter(SourceSuffix.isImported)
    return Set(files + added).subtracting(changes?.deleted ?? []).sorted() + links(among: entries)
      + unnamed(among: entries)
  }

  /// Returns the files that linkers and assemblers may read although no task of a build has them as its input, and headers
  /// without a suffix, each with its content.
  private func unnamed(among entries: [TreeEntry]) -> [String] {
    let changes = source?.workingTree
    let changed = (changes?.modified ?? []) + (changes?.added ?? [])
    let rule = UnnamedInputs(beside: entries.map(\.path) + changed)
    let touched = Set(changed + (changes?.deleted ?? []))
    let committed = entries.filter { !touched.contains($0.path) && rule.mayRead($0.path) }.map { "\($0.path) \($0.id)" }
    // The time of a checked-out file follows from its content.
    let others = changed.filter(rule.mayRead).map { path in
      "\(path) \(stat(claimed.workspace.source.file(path))?.st_mtim.text ?? "")"
    }
    return committed + others.sorted()
  }

  /// Returns the links and submodules among what a commit has, and the links among its uncommitted changes, each with
  /// where it leads.
  func links(among entries: [TreeEntry]) -> [String] {
    let changes = source?.workingTree.map { $0.modified + $0.added } ?? []
    let changed = changes.compactMap { path in
      claimed.workspace.source.linkTarget(of: path).map { "\(path) \($0)" }
    }
    return entries.filter { ![.file, .executable].contains($0.kind) }.map { "\($0.path) \($0.id)" } + changed
  }
}

extension UndeclaredImport {
  /// Returns what a build says that succeeded by chance.
  ///
  /// - Parameter manifest: the text of `Package.swift`.
  func warning(in manifest: String) -> Diagnostic {
    let target = target(in: manifest)
    return Diagnostic(
      severity: .warning,
      message:
        "\(target?.name ?? module) imports \(imported), but does not depend on it: builds from scratch may fail. Add it to the target's dependencies.",
      location: target.map { SourceLocation(file: "Package.swift", line: $0.line) })
  }

  /// Returns the target that is the module that imports, as far as a text tells. A module's name has underscores where
  /// its target's has other characters.
  private func target(in manifest: String) -> (name: String, line: Int)? {
    let named = manifest.matches(of: /(?:[tT]arget|macro)\(\s*name:\s*"([^"]+)"/).first { match in
      String(match.1.map { $0.isLetter || $0.isNumber ? $0 : "_" }) == module
    }
    return named.map { match in
      (String(match.1), manifest[..<match.1.startIndex].count { $0.isNewline } + 1)
    }
  }
}

extension IntegrationRun {
  /// The warnings of imports by which the last successful build succeeded by chance.
  var chanceWarnings: [Diagnostic] {
    let chances = overlookedChanges.known.chances ?? []
    guard !chances.isEmpty else { return [] }
    let manifest = packageFolder.text(of: "Package.swift") ?? ""
    return chances.map { $0.warning(in: manifest) }
  }
}

/// Which files of a repository a build may read although nothing tells that it does: the plan of a build has no libraries
/// that are searched for in a folder (`-L`, `-l`), and a compiler of C names the headers that it read, but neither what
/// an assembler takes in by `.incbin` or `.include` nor the headers that it looked for in vain.
struct UnnamedInputs {
  /// The folders with sources in C or assembler, each with a slash at its end.
  private let folders: Set<String>

  /// - Parameter paths: all files of the repository.
  init(beside paths: [String]) {
    folders = Set(paths.filter { Self.isForeign($0) && !SourceSuffix.isHeader($0) }.map(Self.target))
  }

  /// Whether linkers or the compilers of C may read a file that no task names.
  func mayRead(_ path: String) -> Bool {
    if Self.isLinked(path) { return true }
    guard !folders.isEmpty, !SourceSuffix.isSource(path), !path.hasSuffix(".md") else { return false }
    return path.indices.contains { path[$0] == "/" && folders.contains(String(path[...$0])) }
  }

  private static let suffixesOfLinkers: Set<String> = ["a", "so", "o", "lib", "ld", "lds"]
  private static let bundles = [".artifactbundle/", ".xcframework/"]

  /// Whether a file is a library or in a bundle of libraries, or says how to link.
  private static func isLinked(_ path: String) -> Bool {
    SourceSuffix.suffix(of: path).map(suffixesOfLinkers.contains) == true
      || SourceLocation.fileName(of: path).contains(".so.") || bundles.contains(where: path.contains)
  }

  /// Whether a file is a header or a source in C, one of its relatives or assembler.
  private static func isForeign(_ path: String) -> Bool {
    SourceSuffix.isSource(path) && !path.hasSuffix(".swift")
  }

  /// Returns the folder of the target to which a source probably belongs, with a slash at its end: that within `Sources`,
  /// or its own.
  private static func target(of path: String) -> String {
    let parts = path.split(separator: "/")
    if let root = parts.firstIndex(where: { ["Sources", "Source", "src", "srcs", "Tests"].contains($0) }),
      root + 2 < parts.count
    {
      return parts[...(root + 1)].joined(separator: "/") + "/"
    }
    return parts.dropLast().joined(separator: "/") + "/"
  }
}
