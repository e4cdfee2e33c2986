import Comparing
import Model
import Parsing

extension IntegrationRun {
  /// The versions that the package's `Package.resolved` pins; nil if the file is missing or unreadable.
  var pinsNow: PackagePins? { packageFolder.read("Package.resolved").flatMap(PackagePins.read) }

  /// Returns the versions of the dependencies that the package was built with, and warns if they are not those that the
  /// checked-out files pin.
  ///
  /// SwiftPM may still choose versions while it builds, so this must be called afterwards.
  ///
  /// - Parameter areResolved: whether the dependencies were resolved; if not, the file still has the earlier versions.
  func dependencies(areResolved: Bool) -> [Circumstance] {
    guard areResolved, let used = pinsOfBuild, !used.pins.isEmpty else { return [] }
    let before = source?.pins
    let departures = before.map(used.departures) ?? []
    if !departures.isEmpty { journal.warn(.pinsNotFollowed(departures, ofWorkTree: target.includesWorkingTree)) }
    // Uncommitted changes are not part of a commit: other ones may pin other versions.
    return used.circumstances(committed: target.includesWorkingTree ? nil : before)
  }

  /// Remembers what SwiftPM left in the package's `Package.resolved`, which may be nothing.
  func rememberPins(_ resolved: [UInt8]?) {
    // Without it, the next build that has nothing to do trusts the checked-out file.
    try? memory.write(pinsHead + (resolved ?? []), to: Self.pinsName)
  }

  /// The versions that SwiftPM last resolved for this commit.
  ///
  /// If the build had nothing to do, the file is as it was checked out, and may pin what SwiftPM would have dropped: it
  /// removes the file of a package without dependencies.
  private var pinsOfBuild: PackagePins? {
    guard let note = memory.read(Self.pinsName), note.starts(with: pinsHead) else { return pinsNow }
    return PackagePins.read(Array(note.dropFirst(pinsHead.count)))
  }

  private static let pinsName = "pins"

  /// The first line of the note; versions that were resolved for another commit do not count.
  private var pinsHead: [UInt8] { Array("\(target.commit)\n".utf8) }
}
