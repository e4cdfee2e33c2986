/// A watch that reports changes in a set of folders, and their appearance.
///
/// Must be used on a single thread.
package final class FolderWatch {
  private var inotify: Inotify
  private var wanted: Set<String> = []
  private var watches: [Int32: String] = [:]
  private let events: UInt32

  /// - Parameter onlyArrivals: Whether only files that are renamed into the folders count, and not what is written there.
  package init(onlyArrivals: Bool = false) throws(WatchingError) {
    events = onlyArrivals ? Inotify.arrivals : Inotify.changes
    inotify = try Inotify()
  }

  /// Becomes readable when there is news for `takeNews`.
  package var descriptor: Int32 { inotify.descriptor }

  /// Replaces the set of watched folders. In place of a missing folder, its nearest existing ancestor is watched.
  package func watch(_ folders: Set<String>) {
    wanted = folders
    let places = Dictionary(grouping: folders, by: add).compactMap { $0.key }
    for (watch, _) in watches where !places.contains(watch) {
      inotify.remove(watch)
      watches[watch] = nil
    }
  }

  /// Reads the kernel's events and returns whether anything changed.
  package func takeNews() -> Bool {
    let events = inotify.read()
    guard !events.isEmpty else { return false }
    for event in events where event.isGone || event.isMoved {
      if event.isMoved { inotify.remove(event.watch) }
      watches[event.watch] = nil
    }
    // Folders may have appeared or disappeared.
    watch(wanted)
    return true
  }

  /// Watches a folder or its nearest ancestor that can be watched; nil if there is none.
  private func add(_ folder: String) -> Int32? {
    var path = folder
    while true {
      do throws(Inotify.Refusal) {
        let watch = try inotify.add(path.isEmpty ? "/" : path, for: events)
        watches[watch] = path
        return watch
      } catch {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        path = String(path[..<slash])
      }
    }
  }
}
