package import Git
import Glibc
package import Model

/// A watch that reports which repositories may have changed: immediately if the kernel can notify, otherwise by
/// polling.
///
/// Reports are hints: the caller reads the repository and decides by its contents. The watch never waits and has no
/// clock; all times are in seconds of one steady clock, provided by the caller. Must be used on a single thread.
package final class RepositoryWatch {
  /// How changes to a repository are detected.
  package enum Condition: Hashable, Sendable {
    /// The kernel reports changes immediately.
    case watched
    /// The repository is read at intervals, for this reason.
    case polled(why: String)
  }

  /// The result of reading a repository.
  package struct Reading: Sendable {
    package var tips: Tips
    /// Whether anything differs from what was last settled.
    package var isNew: Bool
  }

  private var inotify: Inotify
  private var places: [String: Place] = [:]
  private var folders: [Int32: WatchedFolder] = [:]
  private var mounts: MountTable
  private let readMounts: () -> MountTable
  private var agenda: Agenda

  /// Creates a watch without any repositories.
  package convenience init(now: Double) throws(WatchingError) {
    try self.init(now: now, readMounts: MountTable.ofThisProcess)
  }

  /// Creates a watch with mounts provided by a test.
  init(now: Double, readMounts: @escaping () -> MountTable) throws(WatchingError) {
    inotify = try Inotify()
    self.readMounts = readMounts
    mounts = readMounts()
    agenda = Agenda(now: now)
  }

  /// Becomes readable when there is news for `takeNews`.
  package var descriptor: Int32 { inotify.descriptor }

  /// The watched repositories, by the paths with which they were added.
  package var repositories: Set<String> { Set(places.keys) }

  package func condition(of repository: String) -> Condition? { places[repository]?.condition }

  /// Whether a repository could not be read the last time.
  package func isLost(_ repository: String) -> Bool { places[repository]?.isLost == true }

  /// Whether there is nothing any more at the path of a repository that was read before.
  package func isGone(_ repository: String) -> Bool {
    places[repository]?.commonFolder != nil && access(repository, F_OK) != 0 && errno == ENOENT
  }

  /// Whether a repository is a shallow clone, which lacks the history before some commits.
  package func isShallow(_ repository: String) -> Bool {
    guard let folder = places[repository]?.commonFolder ?? Self.commonFolder(of: repository) else { return false }
    return access("\(folder)/shallow", F_OK) == 0
  }

  /// Replaces the set of watched repositories; new ones are due immediately.
  package func watch(_ repositories: Set<String>) {
    for path in places.keys where !repositories.contains(path) { remove(path) }
    for path in repositories.sorted() where places[path] == nil {
      places[path] = Place()
      agenda.putOff(path)
    }
  }

  /// Makes a repository due immediately and its next reading new, because its readers now ask for something else.
  package func refresh(_ repository: String) {
    guard places[repository] != nil else { return }
    places[repository]?.fingerprint = nil
    agenda.putOff(repository)
  }

  /// Makes all repositories due, because changes may have been missed.
  package func reconcile() {
    mounts = readMounts()
    for path in places.keys.sorted() { agenda.putOff(path) }
  }

  /// Processes the kernel's events.
  package func takeNews(now: Double) {
    for event in inotify.read() {
      if event.isOverflow {
        reconcile()
        continue
      }
      guard let folder = folders[event.watch] else { continue }
      if event.isMoved { inotify.remove(event.watch) }
      if event.isGone || event.isMoved { forget(event.watch, folder) }
      guard event.isGone || event.isMoved || RefFolders.isNews(event, in: folder.kind) else { continue }
      for place in folder.places { agenda.note(place, now: now) }
    }
  }

  /// Returns the next repository to read now, those with news first, or nil if there is none.
  package func nextDue(now: Double) -> String? {
    if agenda.isTimeToReconcile(now: now) { reconcile() }
    if agenda.isTimeToPoll(now: now) {
      for (path, place) in places.sorted(by: { $0.key < $1.key }) where place.condition != .watched {
        agenda.putOff(path)
      }
    }
    return agenda.next(now: now)
  }

  /// Whether a repository has news or has never been read.
  package var hasWork: Bool { agenda.hasWork }

  /// Returns the time at which `nextDue` will return a repository if no news arrives before.
  package func nextTime(now: Double) -> Double {
    agenda.nextTime(now: now, isPolling: places.values.contains { $0.condition != .watched })
  }

  /// Reads a repository, watching its folders first so that no change is missed in between.
  ///
  /// A repository that cannot be read is polled until it can.
  ///
  /// - Parameter watchesChangeRequests: Whether the folders of change requests are watched, if those are read at all.
  package func read(
    _ path: String, withTags: Bool, withChangeRequests: Bool = false, watchesChangeRequests: Bool = true
  ) throws(GitError) -> Reading {
    do throws(GitError) {
      let repository = try Repository(at: path)
      // A repository that reappears may have been mounted from elsewhere.
      if places[path]?.isLost == true { mounts = readMounts() }
      places[path]?.isLost = false
      let (gitFolder, commonFolder) = (repository.gitPath, repository.commonPath)
      var refs = RefFolders(
        gitFolder: gitFolder, commonFolder: commonFolder,
        withChangeRequests: withChangeRequests && watchesChangeRequests)
      // Branches are told all the same.
      if refs.areTooMany {
        refs = RefFolders(gitFolder: gitFolder, commonFolder: commonFolder, withChangeRequests: false)
      }
      follow(path, refs)
      let tips = try repository.tips(withTags: withTags, withChangeRequests: withChangeRequests)
      return Reading(tips: tips, isNew: places[path]?.fingerprint != tips.hashValue)
    } catch {
      mistrust(path, because: error.description)
      throw error
    }
  }

  /// Records that the tips of a due repository were handled for all its readers, so that they are no longer new. One
  /// reader alone must not do so: it would hide the news from the others.
  package func settle(_ path: String, _ tips: Tips) {
    // The kernel did not report this change, so look more often.
    if let known = places[path]?.fingerprint, known != tips.hashValue, !agenda.wasAnnounced(path) {
      agenda.startAgain()
    }
    places[path]?.fingerprint = tips.hashValue
  }

  /// Polls a repository until it can be read again; that reading will be new.
  package func mistrust(_ path: String, because reason: String) {
    places[path]?.condition = .polled(why: reason)
    places[path]?.isLost = true
    places[path]?.fingerprint = nil
  }
}

extension RepositoryWatch {
  /// The state of a single repository.
  private struct Place {
    var condition = Condition.polled(why: "It was not read yet.")
    var commonFolder: String?
    var watches: Set<Int32> = []
    /// Whether the last attempt to read it failed.
    var isLost = false
    /// The hash of the tips that were last settled.
    var fingerprint: Int?
  }

  private struct WatchedFolder {
    var kind: RefFolders.Kind
    var places: Set<String>
  }

  private static func commonFolder(of path: String) -> String? {
    do throws(GitError) {
      return try Repository(at: path).commonPath
    } catch {
      return nil
    }
  }

  /// Watches a repository's folders. Adding a folder that is already watched costs nothing.
  private func follow(_ path: String, _ refs: RefFolders) {
    let commonFolder = refs.commonFolder
    places[path]?.commonFolder = commonFolder
    if let kind = mounts.kind(at: commonFolder), MountTable.isRemote(kind) {
      return poll(path, why: "\(commonFolder) lies on a network file system (\(kind)), which tells nobody of changes.")
    }
    if refs.areTooMany {
      return poll(path, why: "\(commonFolder)/refs has more than \(RefFolders.most) folders.")
    }
    for folder in refs.folders {
      do throws(Inotify.Refusal) {
        note(try inotify.add(folder.path), as: folder.kind, of: path)
      } catch .missing {
        continue
      } catch {
        return poll(path, why: Self.sentence(error, folder.path))
      }
    }
    followAround(path, [refs.gitFolder, commonFolder])
    places[path]?.condition = .watched
  }

  /// Watches the folders around a repository's, which take it along when they are moved.
  private func followAround(_ path: String, _ folders: [String]) {
    var around: Set<String> = []
    for folder in folders + [path] {
      var parts = folder.split(separator: "/").dropLast()
      while !parts.isEmpty, around.insert("/\(parts.joined(separator: "/"))").inserted { parts.removeLast() }
    }
    for folder in around {
      do throws(Inotify.Refusal) {
        note(try inotify.add(folder, for: Inotify.moves), as: .around, of: path)
      } catch {
        // Without it a move is noticed when all repositories are read.
        continue
      }
    }
  }

  private func note(_ watch: Int32, as kind: RefFolders.Kind, of path: String) {
    let known = folders[watch]
    // One repository may lie in a folder of another one's references.
    let kind = known.map { $0.kind == .around ? kind : $0.kind } ?? kind
    folders[watch] = WatchedFolder(kind: kind, places: (known?.places ?? []).union([path]))
    places[path]?.watches.insert(watch)
  }

  /// Records a report that the repository at a path changed, by whichever paths it was added. Returns false if it is
  /// not one of the watched repositories.
  package func takeWord(of path: String, now: Double) -> Bool {
    let common = places[path]?.commonFolder ?? Self.commonFolder(of: path)
    let meant = places.keys.filter { $0 == path || (common != nil && places[$0]?.commonFolder == common) }
    for place in meant { agenda.note(place, now: now) }
    return !meant.isEmpty
  }

  private static func sentence(_ refusal: Inotify.Refusal, _ folder: String) -> String {
    switch refusal {
    case .limit:
      "the limit of watched folders is used up; raise it with `sysctl fs.inotify.max_user_watches=524288`."
    case .missing: "\(folder) is missing."
    case .other(let number): "\(folder) cannot be watched: \(SystemReason.words(of: number))."
    }
  }

  private func poll(_ path: String, why: String) {
    unwatch(path)
    places[path]?.condition = .polled(why: why)
  }

  private func remove(_ path: String) {
    unwatch(path)
    places[path] = nil
    agenda.forget(path)
  }

  private func unwatch(_ path: String) {
    for watch in places[path]?.watches ?? [] {
      folders[watch]?.places.remove(path)
      if folders[watch]?.places.isEmpty == true {
        inotify.remove(watch)
        folders[watch] = nil
      }
    }
    places[path]?.watches = []
  }

  /// Forgets a watch that no longer exists.
  private func forget(_ watch: Int32, _ folder: WatchedFolder) {
    folders[watch] = nil
    for place in folder.places { places[place]?.watches.remove(watch) }
  }
}

/// The folders in which a change can mean that a branch, a tag or a change request moved.
///
/// A branch moves when a file is renamed into its folder below `refs/heads`, or to `packed-refs`. HEAD is in the work
/// tree's own git folder (https://git-scm.com/docs/gitrepository-layout).
struct RefFolders {
  enum Kind: Hashable {
    /// A git folder, in which only a few names matter.
    case git
    /// A folder of references, in which every name matters.
    case refs
    /// A folder around a repository, which matters only when it is moved itself.
    case around
  }

  /// The most folders to watch; with more, the repository is polled.
  static let most = 4096

  let gitFolder: String
  let commonFolder: String
  private(set) var folders: [(path: String, kind: Kind)] = []
  /// Whether there are more than `most`.
  private(set) var areTooMany = false

  /// Lists the folders that exist now.
  init(gitFolder: String, commonFolder: String, withChangeRequests: Bool) {
    (self.gitFolder, self.commonFolder) = (gitFolder, commonFolder)
    folders = [(gitFolder, .git)]
    if commonFolder != gitFolder { folders.append((commonFolder, .git)) }
    folders.append(("\(commonFolder)/refs", .refs))
    let changeRequests = withChangeRequests ? ["refs/pull", "refs/merge-requests"] : []
    var waiting = (["refs/heads", "refs/tags"] + changeRequests).map { "\(commonFolder)/\($0)" }
    while let folder = waiting.popLast() {
      guard let subfolders = Self.subfolders(of: folder) else { continue }
      guard folders.count < Self.most else {
        areTooMany = true
        return
      }
      folders.append((folder, .refs))
      waiting += subfolders.map { "\(folder)/\($0)" }
    }
  }

  /// Returns whether an event in a folder can mean that a reference moved.
  static func isNews(_ event: Inotify.Event, in kind: Kind) -> Bool {
    switch kind {
    case .git: ["HEAD", "packed-refs", "refs", "reftable", ""].contains(event.name)
    case .refs: !event.name.hasSuffix(".lock") || event.mask & UInt32(IN_ISDIR) != 0
    case .around: false
    }
  }

  /// Returns the names of a folder's subfolders, or nil if the folder does not exist.
  private static func subfolders(of path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      guard entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN else { continue }
      // Read in place: the record ends with the name, so a copy of the whole array would read past it.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name == "." || name == ".." { continue }
      if entry.pointee.d_type == DT_DIR || isFolder("\(path)/\(name)") { names.append(name) }
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
