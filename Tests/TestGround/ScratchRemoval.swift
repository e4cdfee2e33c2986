import Foundation

/// The end of the folders that tests work in.
package enum ScratchRemoval {
  /// The variable that keeps them for a look, whatever its value.
  package static let keeping = "MARTLET_KEEP_SCRATCH"

  /// Removes a folder with all that is in it, unless somebody wants to look at it; one that resists harms nobody.
  package static func remove(_ path: String) {
    guard ProcessInfo.processInfo.environment[keeping] == nil else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}
