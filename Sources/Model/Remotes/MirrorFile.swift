/// The names of what Martlet keeps in a mirror beside what git does.
package enum MirrorFile {
  /// The folder of the home in which mirrors lie.
  package static let folder = "mirrors"
  /// Whoever fetches or removes the mirror holds it.
  package static let lock = "lock"
  /// Its date is that of the last fetch that went well.
  package static let fetched = "fetched"
  /// It is there while something is fetched, and afterwards where that was cut off.
  package static let fetching = "fetching"
}
