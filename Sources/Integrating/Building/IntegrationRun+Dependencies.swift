import Comparing
import Model
import Parsing

extension IntegrationRun {
  /// The versions that the package's `Package.resolved` pins; nil where it has none that can be read.
  var pinsNow: PackagePins? { packageFolder.read("Package.resolved").flatMap(PackagePins.read) }

  /// Which versions of its dependencies the package was built with; where they are not those that the checked-out files
  /// pin, a warning tells.
  ///
  /// SwiftPM may still choose versions while it builds, so this is asked afterwards.
  ///
  /// - Parameter areResolved: where nothing could be resolved, the file still says what was there before.
  func dependencies(areResolved: Bool) -> [Circumstance] {
    guard areResolved, let used = pinsOfBuild, !used.pins.isEmpty else { return [] }
    let before = source?.pins
    let departures = before.map(used.departures) ?? []
    if !departures.isEmpty { journal.warn(.pinsNotFollowed(departures, ofWorkTree: target.includesWorkingTree)) }
    // Uncommitted changes are no commit's: other ones may pin otherwise.
    return used.circumstances(committed: target.includesWorkingTree ? nil : before)
  }

  /// Remembers what SwiftPM left in the package's `Package.resolved`, which may be nothing.
  func rememberPins(_ resolved: [UInt8]?) {
    // Without it the next build that has nothing to do believes the checked-out file.
    try? memory.write(pinsHead + (resolved ?? []), to: Self.pinsName)
  }

  /// The versions that SwiftPM last resolved for this commit.
  ///
  /// Where the build had nothing to do, the file is as it was checked out, and may pin what SwiftPM would have dropped:
  /// it removes the file of a package that depends on nothing.
  private var pinsOfBuild: PackagePins? {
    guard let note = memory.read(Self.pinsName), note.starts(with: pinsHead) else { return pinsNow }
    return PackagePins.read(Array(note.dropFirst(pinsHead.count)))
  }

  private static let pinsName = "pins"

  /// Versions that were resolved for another commit say nothing.
  private var pinsHead: [UInt8] { Array("\(target.commit)\n".utf8) }
}
