import Model

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
    self.folder = Folder(PackagePaths.resolved(folder.path), isPrivate: true)
  }

  /// The part of the name that stays the same if a toolchain is replaced by another at its path.
  private var family: String { "shared-modules-\(FileSystemName.fingerprint64(toolchain.programs))" }
  /// They are of no use, and an error, at another path than the one at which they were made.
  private var name: String {
    let parts = [toolchain.name, toolchain.stamp ?? "", folder.path]
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
}
