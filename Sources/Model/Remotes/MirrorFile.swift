/// The names of the files that Martlet keeps in a mirror in addition to git's.
package enum MirrorFile {
  /// The folder of the home that contains the mirrors.
  package static let folder = "mirrors"
  /// A file that is locked while the mirror is fetched or removed.
  package static let lock = "lock"
  /// A file whose date is that of the last successful fetch.
  package static let fetched = "fetched"
  /// A file that exists during a fetch, and remains after one that was interrupted.
  package static let fetching = "fetching"
}
