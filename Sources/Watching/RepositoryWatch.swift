package import Git
import Glibc
package import Model

/// Tells which repositories may have moved, at once where the kernel can tell and by looking where it cannot.
///
/// What it says is a hint: whoever hears it reads the repository and decides by what is there. It never waits and has
/// no clock; all times are seconds of one steady clock, given by the caller. For one thread.
package final class RepositoryWatch {
  /// How a repository's news is heard.
  package enum Condition: Hashable, Sendable {
    /// The kernel tells at once.
    case watched
    /// It is looked at from time to time, for this reason.
    case polled(why: String)
  }

  /// What was read from a repository.
  package struct Reading: Sendable {
    package var tips: Tips
    /// Whether anything is different from the last reading by this process.
    package var isNew: Bool
  }

  private var inotify: Inotify
  private var places: [String: Place] = [:]
  private var folders: [Int32: WatchedFolder] = [:]
  private var mounts: MountTable
  private let readMounts: () -> MountTable
  private var agenda: Agenda
  private let timing: WatchTiming

  /// Starts without any repository.
  package convenience init(timing: WatchTiming = WatchTiming(), now: Double) throws(WatchingError) {
    try self.init(timing: timing, now: now, readMounts: MountTable.ofThisProcess)
  }

  /// The same with mounts of a test's making.
  init(timing: WatchTiming, now: Double, readMounts: @escaping () -> MountTable) throws(WatchingError) {
    inotify = try Inotify()
    self.readMounts = readMounts
    mounts = readMounts()
    self.timing = timing
    agenda = Agenda(timing: timing, now: now)
  }

  /// Readable when there is news for `takeNews`.
  package var descriptor: Int32 { inotify.descriptor }

  /// The repositories that are watched, by the paths they were given by.
  package var repositories: Set<String> { Set(places.keys) }

  package func condition(of repository: String) -> Condition? { places[repository]?.condition }

  /// Watches exactly these repositories from now on; new ones are due at once.
  package func watch(_ repositories: Set<String>) {
    for path in places.keys where !repositories.contains(path) { remove(path) }
    for path in repositories.sorted() where places[path] == nil {
      places[path] = Place()
      agenda.putOff(path)
    }
  }

  /// Makes a repository due at once and its next reading new, because those who read it ask for something else now.
  package func refresh(_ repository: String) {
    guard places[repository] != nil else { return }
    places[repository]?.fingerprint = nil
    agenda.putOff(repository)
  }

  /// Makes all repositories due, because something may have been missed.
  package func reconcile() {
    mounts = readMounts()
    for path in places.keys.sorted() { agenda.putOff(path) }
  }

  /// Takes what the kernel says.
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

  /// Takes somebody's word that the repository at a path moved; false when none of the watched ones is meant.
  package func takeWord(of path: String, now: Double) -> Bool {
    var meant = places[path] == nil ? [] : [path]
    if meant.isEmpty, let common = Self.commonFolder(of: path) {
      meant = places.filter { $0.value.commonFolder == common }.map(\.key)
    }
    for place in meant { agenda.note(place, now: now) }
    return !meant.isEmpty
  }

  /// The next repository that is to be read now, those with news first; nil when there is none.
  package func nextDue(now: Double) -> String? {
    if agenda.isTimeToReconcile(now: now) { reconcile() }
    if agenda.isTimeToPoll(now: now) {
      for (path, place) in places.sorted(by: { $0.key < $1.key }) where place.condition != .watched {
        agenda.putOff(path)
      }
    }
    return agenda.next(now: now)
  }

  /// Whether a repository has news or was never read.
  package var hasWork: Bool { agenda.hasWork }

  /// When `nextDue` will have something, unless news comes before.
  package func nextTime(now: Double) -> Double {
    agenda.nextTime(now: now, isPolling: places.values.contains { $0.condition != .watched })
  }

  /// Reads a repository that was due, watching its folders first, so that nothing falls between.
  ///
  /// A repository that cannot be read is looked at from time to time until it can.
  package func read(_ path: String, withTags: Bool, withChangeRequests: Bool = false) throws(GitError) -> Reading {
    let isAnnounced = agenda.wasAnnounced(path)
    do throws(GitError) {
      let repository = try Repository(at: path)
      // What comes back may have been mounted anew, from elsewhere.
      if places[path]?.isLost == true { mounts = readMounts() }
      places[path]?.isLost = false
      follow(path, gitFolder: repository.gitPath, commonFolder: repository.commonPath)
      let tips = try repository.tips(withTags: withTags, withChangeRequests: withChangeRequests)
      let fingerprint = tips.hashValue
      let isNew = places[path]?.fingerprint != fingerprint
      // A change that the kernel kept to itself: look more often.
      if isNew, !isAnnounced, places[path]?.fingerprint != nil { agenda.startAgain() }
      places[path]?.fingerprint = fingerprint
      return Reading(tips: tips, isNew: isNew)
    } catch {
      mistrust(path, because: error.description)
      throw error
    }
  }

  /// Looks at a repository from time to time until it can be read again; that reading is new.
  package func mistrust(_ path: String, because reason: String) {
    places[path]?.condition = .polled(why: reason)
    places[path]?.isLost = true
    places[path]?.fingerprint = nil
  }
}

extension RepositoryWatch {
  /// What is known of one repository.
  private struct Place {
    var condition = Condition.polled(why: "It was not read yet.")
    var commonFolder: String?
    var watches: Set<Int32> = []
    /// Whether it could not be read the last time.
    var isLost = false
    /// Of the last reading.
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

  /// Watches the folders of a repository, those that it watches already again: that costs nothing.
  private func follow(_ path: String, gitFolder: String, commonFolder: String) {
    places[path]?.commonFolder = commonFolder
    let refs = RefFolders(gitFolder: gitFolder, commonFolder: commonFolder)
    if let kind = mounts.kind(at: commonFolder), MountTable.isRemote(kind) {
      return poll(path, why: "\(commonFolder) lies on a network file system (\(kind)), which tells nobody of changes.")
    }
    if refs.areTooMany {
      return poll(path, why: "\(commonFolder)/refs has more than \(RefFolders.most) folders.")
    }
    for folder in refs.folders {
      do throws(Inotify.Refusal) {
        let watch = try inotify.add(folder.path)
        folders[watch, default: WatchedFolder(kind: folder.kind, places: [])].places.insert(path)
        places[path]?.watches.insert(watch)
      } catch .missing {
        continue
      } catch {
        return poll(path, why: Self.sentence(error, folder.path))
      }
    }
    places[path]?.condition = .watched
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

  /// Forgets a watch that has gone.
  private func forget(_ watch: Int32, _ folder: WatchedFolder) {
    folders[watch] = nil
    for place in folder.places { places[place]?.watches.remove(watch) }
  }
}

/// The folders in which a change can mean that a branch or tag moved.
///
/// A branch moves by a rename into its folder below `refs/heads`, or of a new `packed-refs`; HEAD lies in the work
/// tree's own git folder (https://git-scm.com/docs/gitrepository-layout).
struct RefFolders {
  enum Kind: Hashable {
    /// A git folder, in which only a few names matter.
    case git
    /// A folder of references, in which every name matters.
    case refs
  }

  /// More nested folders than this are not watched but polled.
  static let most = 4096

  private(set) var folders: [(path: String, kind: Kind)] = []
  /// Whether there are more than `most`.
  private(set) var areTooMany = false

  /// Lists the folders that are there now.
  init(gitFolder: String, commonFolder: String) {
    folders = [(gitFolder, .git)]
    if commonFolder != gitFolder { folders.append((commonFolder, .git)) }
    folders.append(("\(commonFolder)/refs", .refs))
    var waiting = ["\(commonFolder)/refs/heads", "\(commonFolder)/refs/tags"]
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

  /// Whether an event in a folder can mean that a reference moved.
  static func isNews(_ event: Inotify.Event, in kind: Kind) -> Bool {
    switch kind {
    case .git: ["HEAD", "packed-refs", "refs", "reftable", ""].contains(event.name)
    case .refs: !event.name.hasSuffix(".lock") || event.mask & UInt32(IN_ISDIR) != 0
    }
  }

  /// The names of the folders in a folder; nil when there is no such folder.
  private static func subfolders(of path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      guard entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN else { continue }
      // In place: the record ends with the name, so a copy of the whole array would read past it.
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
