/// Tells when something in one of a few folders changed, or when such a folder appears.
///
/// For one thread.
package final class FolderWatch {
  private var inotify: Inotify
  private var wanted: Set<String> = []
  private var watches: [Int32: String] = [:]

  package init() throws(WatchingError) {
    inotify = try Inotify()
  }

  /// Readable when there is news for `takeNews`.
  package var descriptor: Int32 { inotify.descriptor }

  /// Watches exactly these folders from now on; of one that is missing, the nearest folder above it that is there.
  package func watch(_ folders: Set<String>) {
    wanted = folders
    let places = Dictionary(grouping: folders, by: add).compactMap { $0.key }
    for (watch, _) in watches where !places.contains(watch) {
      inotify.remove(watch)
      watches[watch] = nil
    }
  }

  /// Takes what the kernel says: whether anything changed.
  package func takeNews() -> Bool {
    let events = inotify.read()
    guard !events.isEmpty else { return false }
    for event in events where event.isGone || event.isMoved {
      if event.isMoved { inotify.remove(event.watch) }
      watches[event.watch] = nil
    }
    // Folders may have come or gone.
    watch(wanted)
    return true
  }

  /// Watches a folder or the nearest one above it; nil when none can be watched.
  private func add(_ folder: String) -> Int32? {
    var path = folder
    while true {
      do throws(Inotify.Refusal) {
        let watch = try inotify.add(path.isEmpty ? "/" : path)
        watches[watch] = path
        return watch
      } catch {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        path = String(path[..<slash])
      }
    }
  }
}
