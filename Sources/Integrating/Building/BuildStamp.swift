import FoundationEssentials
import Glibc
import Model

/// Proof that a build would find nothing to do: commit, settings and toolchain are those of the last successful build,
/// and the test executables and the libraries with their code have not been touched since.
///
/// SwiftPM takes a third of a second to find out that nothing changed; the checkout knows it from the names of the
/// blobs. Packages whose builds may depend on more than their own files are always built.
struct BuildStamp {
  private static let fileName = "built"

  /// The values that must match; nil if the package must always be built.
  private let key: String?

  private struct Record: Codable {
    var key: String
    var products: BuildProducts
    var stamps: [String]
  }

  init(of run: IntegrationRun) {
    // What a before-trigger writes into the sources is not part of any commit.
    let hasOtherSources = run.target.includesWorkingTree || !run.request.scripts.before.isEmpty
    guard !hasOtherSources, !run.manifests.buildDependsOnMore else {
      key = nil
      return
    }
    let parts = [run.target.commit.rawValue, run.toolchain.name, run.toolchain.stamp]
    key = (parts + run.buildArguments + run.manifestEnvironment).joined(separator: "\n")
  }

  /// Returns the products of the last build if building again would change nothing.
  func upToDateProducts(in state: Folder) -> BuildProducts? {
    guard let key, let record = state.value(Record.self, in: Self.fileName), record.key == key,
      record.stamps == Self.stamps(of: record.products)
    else { return nil }
    return record.products
  }

  /// Forgets the last build before the next one begins.
  func invalidate(in state: Folder) {
    unlink(state.file(Self.fileName))
  }

  /// Remembers a successful build.
  func record(_ products: BuildProducts, in state: Folder) {
    guard let key else { return }
    let record = Record(key: key, products: products, stamps: Self.stamps(of: products))
    // Without the record, the next integration builds and finds nothing to do.
    try? state.write(json: record, to: Self.fileName)
  }

  private static func stamps(of products: BuildProducts) -> [String] {
    products.testExecutables.flatMap { Set([$0.path] + $0.images).sorted() }.map { path in
      stat(path)?.version ?? "missing"
    }
  }
}

extension stat {
  /// What tells this version of a file from others. The change time is the only one that no program can set.
  var version: String { "\(st_ino) \(st_size) \(st_ctim.text)" }
}

/// A record of whether builds continue from earlier ones, so that durations are only compared between like builds.
struct BuildWarmth {
  private static let fileName = "warmth"
  private static let begun = Array("begun".utf8)

  /// What all builds of a scratch folder must have in common.
  private let key: [UInt8]
  private let memory: Folder

  /// - Parameter arguments: those of the build; others rebuild other parts of the same sources.
  init(arguments: [String], in memory: Folder) {
    key = Array(arguments.joined(separator: "\n").utf8)
    self.memory = memory
  }

  /// Whether a build continues from an earlier one; nil if that is unknown, as after builds that failed, used other
  /// arguments, or were made by an older Martlet.
  ///
  /// - Parameter hasProducts: whether there is a folder of build products.
  func isWarm(hasProducts: Bool) -> Bool? {
    let last = memory.read(Self.fileName)
    if last == nil { return hasProducts ? nil : false }
    return last == key ? true : nil
  }

  /// Records that a build begins, which may leave anything behind; a warm build leaves no less than there was.
  func noteBegin() {
    guard memory.read(Self.fileName) != key else { return }
    // A failed write costs no more than a comparison.
    try? memory.create().write(Self.begun, to: Self.fileName)
  }

  /// Records that a build succeeded.
  func noteEnd() {
    // As above.
    try? memory.create().write(key, to: Self.fileName)
  }
}
