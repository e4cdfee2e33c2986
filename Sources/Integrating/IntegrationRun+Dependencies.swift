import Comparing
import Model
import Parsing

extension IntegrationRun {
  /// The versions that the package's `Package.resolved` pins; nil where it has none that can be read.
  var pinsNow: PackagePins? { packageFolder.read("Package.resolved").flatMap(PackagePins.read) }

  /// Notes which versions of its dependencies the package was built with, and tells where they are not those that the
  /// checked-out files pin.
  ///
  /// SwiftPM may still choose versions while it builds, so this is asked afterwards.
  func noteDependencies() {
    // Where nothing could be resolved, the file still says what was there before.
    guard failedResolving == nil, let pins = pinsNow else { return }
    // Without any dependency SwiftPM removes the file, unless it had nothing to build.
    let identities = scratch.read("workspace-state.json").flatMap(UsedPackages.read)
    let used = PackagePins(pins.pins.filter { identities?.contains($0.identity) != false })
    guard !used.pins.isEmpty else { return }
    // Uncommitted changes are no commit's: other ones may pin otherwise.
    let committed = target.includesWorkingTree ? nil : checkedOutPins
    integration.circumstances += used.circumstances(committed: committed)
    let owner = target.includesWorkingTree ? "the work tree" : "the commit"
    guard let checkedOutPins, let sentence = used.departures(from: checkedOutPins, of: owner) else { return }
    serviceWarnings.append(sentence)
  }
}
