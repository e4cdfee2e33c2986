import FoundationEssentials
import Model
import Parsing
import Processes

/// Keeps a build from overlooking sources that it generated itself.
///
/// The compiler's driver truncates file times to whole seconds, so a source that is generated twice within a second
/// counts as unchanged and keeps its first object: a list of tests can be out of date by one test
/// (https://github.com/swiftlang/swift-driver/issues/2188). And SwiftPM compiles whatever lies in the folder of a prebuild
/// command, also what an earlier build left there.
struct GeneratedSources {
  private static let fileName = "build-ended"

  let engine: any BuildEngine
  /// The folder in which SwiftPM builds.
  let scratch: Folder
  /// The folder in which Martlet remembers things about the scratch folder.
  let memory: Folder

  /// Removes what would let the build overlook sources that it generates; a source that is not written again is not
  /// compiled either.
  func forget(embedsResources: Bool, usesPlugins: Bool) {
    let folder = UntrustedFolder(scratch.path)
    for path in engine.stale(embedsResources: embedsResources) { folder.remove(path) }
    if usesPlugins { for path in prebuilt { folder.remove(path) } }
  }

  /// The sources that prebuild commands made, which are run by each build. What is left in their folders besides may be
  /// what they keep for themselves.
  private var prebuilt: [String] {
    let place = "plugins/outputs"
    let scratchPaths = PackagePaths(scratch.path)
    let made = Set((engine.plan?.tasks ?? []).flatMap(\.outputs).compactMap(scratchPaths.relative))
    return scratch.folder(place).filesBeneath().map { "\(place)/\($0)" }.filter { path in
      !made.contains(path) && SourceSuffix.isSource(path)
    }
  }

  /// Returns how long to wait so that nothing is generated in the second in which the last build ended; nil for no
  /// wait.
  ///
  /// Only the output of plugins and resources is at risk, because it shares its modules with other sources.
  func pause(at now: Date) -> Duration? {
    guard engine.generatesSources, let last = memory.text(of: Self.fileName).flatMap({ Int($0) }) else { return nil }
    let seconds = now.timeIntervalSince1970
    // A clock that was set back must not stop the build.
    guard Int(seconds.rounded(.down)) == last else { return nil }
    return .milliseconds(Int((Double(last + 1) - seconds) * 1000) + 1)
  }

  func noteEnd(at now: Date) {
    // Without it, the next build may overlook what it generates; the check that all declared tests are listed remains.
    try? memory.write("\(Int(now.timeIntervalSince1970.rounded(.down)))", to: Self.fileName)
  }
}
