import Git
import Glibc
import Model
import Processes

/// The C modules that the compiler makes from the toolchain's headers, which take most of the time of a small build
/// from scratch: made once for a toolchain, and copied for each scratch folder.
///
/// Optimised builds, counters and sanitizers need the same ones; what differs, the compiler tells apart by itself. Swift
/// Build has a place of its own for them, which no argument changes.
///
/// A module cache only works at the path at which it was filled
/// (https://clang.llvm.org/docs/Modules.html#command-line-parameters). So contained builds find theirs at a fixed path,
/// wherever it is outside. The modules are made from a package of Martlet's own, so that no commit affects another's;
/// the copy belongs to the scratch folder and is removed with it.
struct ModuleCache {
  /// Its path in contained builds; the folders above it vanish with the sandbox.
  private static let place = "/var/tmp/martlet-modules"
  /// The arguments that point compilers to it.
  static let buildArguments = arguments(for: place)

  let workshop: ToolchainWorkshop
  private var toolchain: Toolchain { workshop.toolchain }
  private var folder: Folder { workshop.folder }

  /// The part of the name that stays the same if a toolchain is replaced by another at its path.
  private var family: String { "toolchain-modules-\(FileSystemName.fingerprint64(toolchain.programs))" }
  private var name: String {
    "\(family)-\(FileSystemName.fingerprint64("\(toolchain.name)\u{0}\(toolchain.stamp)"))"
  }

  /// Returns the arguments that point compilers to a path.
  static func arguments(for path: String) -> [String] { ["-Xswiftc", "-module-cache-path", "-Xswiftc", path] }

  /// The view of the copy in `layers` that a contained build gets.
  static func view(in layers: Folder) -> FolderView { FolderView(copyIn: layers.path, at: place) }

  /// Makes a copy in a folder that does not exist yet; an empty copy for the first build from scratch, since a home
  /// that is discarded after it has no use for more.
  func lend(to layers: Folder) throws {
    let made = folder.folder(name)
    let isFirst = try !made.exists && !isWanted()
    if !made.exists, !isFirst { try make(made) }
    // Made aside, because an interrupted copy is of no use.
    let aside = Folder("\(layers.path).new")
    try aside.takeAway()
    if isFirst {
      _ = try FolderView.makeEmpty(at: Self.place, in: aside.path)
    } else {
      _ = try FolderView.make(
        of: made.path, at: Self.place, in: aside.path, kind: .copy, cancellation: workshop.cancellation)
    }
    // An interrupted copy looks complete.
    if workshop.cancellation.isCanceled { throw IntegrationStop.canceled }
    guard rename(aside.path, layers.path) == 0 else {
      throw IntegratingError.storage("make", layers.path, errno: errno)
    }
  }

  /// Returns whether the modules were wanted before, and records that they are now.
  private func isWanted() throws -> Bool {
    let mark = "\(name).wanted"
    if folder.holds(mark) { return true }
    // Written in place, since two builds may do it at once.
    try folder.create().create(mark, [])
    return false
  }

  /// A package that imports what packages and their tests import.
  private static let package = [
    "Package.swift": """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Modules", targets: [.target(name: "Code"), .testTarget(name: "CodeTests", dependencies: ["Code"])])
    """,
    "Sources/Code/Code.swift": "import Foundation\n",
    "Tests/CodeTests/CodeTests.swift": "import Foundation\nimport Testing\nimport XCTest\n",
  ]

  /// Builds the package aside and puts its modules in place; waits while another process does so.
  private func make(_ made: Folder) throws {
    let filled: Void? = try workshop.alone("modules.lock") { if !made.exists { try fill(made) } }
    if filled == nil { throw IntegrationStop.canceled }
  }

  private func fill(_ made: Folder) throws {
    // Earlier versions made them for each of the settings, under the other name.
    for old in folder.names() where old.hasPrefix("\(family)-") || old.hasPrefix("modules-") {
      try folder.folder(old).takeAway()
    }
    let aside = folder.folder("\(name).new")
    try aside.takeAway()
    defer { try? aside.takeAway() }  // Leftovers are removed before the next attempt.
    for (path, text) in Self.package {
      try aside.createFolder(of: path)
      try aside.create(path, Array(text.utf8))
    }
    let view = try FolderView.makeEmpty(at: Self.place, in: aside.file("layers"))
    // If the package does not build, commits make do with the modules there are, and nothing is tried again.
    let arguments = [
      "--package-path", aside.path, "--scratch-path", aside.file("scratch"), "--build-tests", "--build-system",
      BuildSystem.native.rawValue,
    ]
    let answer = try workshop.run("swift-build", arguments + Self.buildArguments, in: aside, views: [view])
    if answer.result.why == .canceled { throw IntegrationStop.canceled }
    try Folder(view.content).rename(to: made)
  }
}

extension IntegrationRun {
  /// The module cache of contained builds; nil for builds that share theirs or make their own.
  var moduleCache: ModuleCache? {
    guard case .contained = containment, context.buildSystem == .native else { return nil }
    return ModuleCache(workshop: context.workshop)
  }

  /// The modules that builds share that are not contained; nil for all others.
  var sharedModules: SharedModules? {
    if case .contained = containment { return nil }
    guard context.buildSystem == .native else { return nil }
    return SharedModules(toolchain: toolchain, folder: integrator.home.toolchains)
  }

  /// The arguments that point compilers to the modules of a build.
  var moduleArguments: [String] {
    moduleCache == nil ? sharedModules?.buildArguments ?? [] : ModuleCache.buildArguments
  }

  /// Returns the views that a contained build gets of its modules, which are in a folder.
  func moduleViews(in folder: Folder) -> [FolderView] { moduleCache == nil ? [] : [ModuleCache.view(in: folder)] }

  /// Makes the copy for the scratch folder, unless it exists, or the folder that other builds share.
  func prepareModules() throws(IntegrationStop) {
    try stopping {
      try sharedModules?.prepare()
      if let moduleCache, !modules.exists { try moduleCache.lend(to: modules) }
    }
  }
}

/// The C modules that all builds of a toolchain share that are not contained, and fill themselves.
///
/// Nothing keeps such a build from what another one wrote anyway. The compiler tells apart what different settings and
/// headers make, and locks what it writes.
struct SharedModules {
  let toolchain: Toolchain
  /// The folder of the modules for all toolchains, whatever links lead to it.
  let folder: Folder

  init(toolchain: Toolchain, folder: Folder) {
    self.toolchain = toolchain
    self.folder = Folder(folder.path.withoutLinks, isPrivate: true)
  }

  /// The part of the name that stays the same if a toolchain is replaced by another at its path.
  private var family: String { "shared-modules-\(FileSystemName.fingerprint64(toolchain.programs))" }
  /// They are of no use, and an error, at another path than the one at which they were made.
  private var name: String {
    let parts = [toolchain.name, toolchain.stamp, folder.path]
    return "\(family)-\(FileSystemName.fingerprint64(parts.joined(separator: "\u{0}")))"
  }

  /// The arguments that point compilers to them.
  var buildArguments: [String] { ModuleCache.arguments(for: folder.file(name)) }

  /// Makes their folder, and removes that of a toolchain that was at the same path before.
  func prepare() throws {
    let made = folder.folder(name)
    guard !made.exists else { return }
    for old in folder.names() where old.hasPrefix("\(family)-") { try folder.folder(old).takeAway() }
    try made.create()
  }

  /// Removes what was made of some modules; another build makes it again if it needs it.
  func forget(_ modules: Set<String>) throws {
    let made = folder.folder(name)
    for file in made.filesBeneath() where file.hasSuffix(".pcm") {
      let module = file.split(separator: "/").last?.split(separator: "-").dropLast().joined(separator: "-")
      if module.map(modules.contains) == true { UntrustedFolder(made.path).remove(file) }
    }
  }
}
