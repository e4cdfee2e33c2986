import FoundationEssentials
import Model
import Scheduling

/// The mirrors of remote repositories, by folder.
struct Mirrors {
  /// A remote repository.
  struct Mirror {
    /// The bots that integrate it, all with the same login.
    var bots: [Bot]
    var address: RemoteAddress
    var state: FetchState
    var running: (any AnsweringTask<FetchResult>)?
    /// The time at which a child that does not end on its own is killed.
    var killTime: Double?
    /// The reason the last fetch failed, as sentences, until one succeeds.
    var trouble: String?
    var warning: String?
    /// The time of the last fetch; nil for never.
    var fetchedAt: Date?
    /// The clients that wait for a fetch that has not started, and those that wait for the running one.
    var waiters: [Waiter] = []
    var riders: [Waiter] = []
  }

  /// A client that requested an integration for which the repository is fetched first.
  struct Waiter {
    var connection: ControlSocket.Connection
    var request: ControlRequest
  }

  /// The time in seconds after which a child is considered hung; it normally ends by itself before.
  private static let longest = 5400.0

  private(set) var all: [String: Mirror] = [:]

  /// Updates the mirrors for the current bots, and returns those that no bot uses any longer.
  mutating func plan(_ bots: [Bot]) -> [Mirror] {
    let wanted = Dictionary(grouping: bots.filter { $0.remote != nil }, by: \.repository)
    let gone = all.keys.filter { wanted[$0] == nil }.compactMap { all.removeValue(forKey: $0) }
    for mirror in gone { mirror.running?.kill() }
    for (path, users) in wanted {
      guard let address = users.first?.remote else { continue }
      let users = users.sorted { $0.name < $1.name }
      let interval = users.compactMap(\.fetchPolicy.interval).min()
      let isAsked = users.contains { $0.fetchPolicy != .manual }
      if all[path] == nil {
        all[path] = Mirror(bots: users, address: address, state: FetchState(interval: interval, isAsked: isAsked))
        all[path]?.fetchedAt = WatchHome.writeTime(of: "\(path)/\(MirrorFile.fetched)")
      }
      let isMore = users.contains(where: \.asksForChangeRequests)
      if isMore, isAsked, all[path]?.bots.contains(where: \.asksForChangeRequests) == false { all[path]?.state.ask() }
      all[path]?.bots = users
      all[path]?.state.interval = interval
      // A mirror that was fetched only on request so far is now scheduled.
      if isAsked, let state = all[path]?.state, state.endedAt == nil, !state.isRunning { all[path]?.state.ask() }
    }
    return gone
  }

  /// Returns whether a path is that of a mirror that is still empty.
  func isAwaited(_ path: String) -> Bool { all[path].map { $0.fetchedAt == nil } ?? false }

  /// Returns the problems with a mirror, as sentences.
  func troubles(of path: String) -> [String] { [all[path]?.trouble, all[path]?.warning].compactMap(\.self) }

  var descriptors: [Int32] { all.values.flatMap { $0.running?.descriptors ?? [] } }

  /// Returns whether a fetch is running or about to start.
  func hasWork(now: Double) -> Bool {
    all.values.contains { mirror in
      // A watcher that ends by itself leaves failed fetches to the next one.
      mirror.running != nil || (mirror.state.failures == 0 && mirror.state.dueTime.map { $0 <= now } ?? false)
    }
  }

  func decision(now: Double) -> FetchDecision {
    FetchDecision(
      all.map { FetchDecision.Candidate(name: $0.key, host: $0.value.address.host, state: $0.value.state) }, now: now)
  }

  func nextTime(now: Double) -> Double? {
    ([decision(now: now).nextTime] + all.values.map(\.killTime)).compactMap(\.self).min()
  }

  mutating func ask(_ path: String) { all[path]?.state.ask() }

  mutating func add(_ waiter: Waiter, to path: String) {
    all[path]?.state.ask()
    all[path]?.waiters.append(waiter)
  }

  mutating func start(_ path: String, _ child: (any AnsweringTask<FetchResult>)?, now: Double) {
    guard var mirror = all[path] else { return }
    mirror.state.start()
    mirror.running = child
    mirror.killTime = child == nil ? nil : now + Self.longest
    mirror.riders += mirror.waiters
    mirror.waiters = []
    all[path] = mirror
  }

  /// Records how a fetch ended; returns the previous state, with the clients that waited for it.
  mutating func end(_ path: String, _ result: FetchResult, date: Date, now: Double) -> Mirror? {
    guard let old = all[path] else { return nil }
    var mirror = old
    mirror.state.end(failed: result.failure != nil, at: now)
    (mirror.running, mirror.killTime, mirror.riders) = (nil, nil, [])
    mirror.trouble = result.failure
    mirror.warning = result.warning ?? (result.failure == nil ? nil : mirror.warning)
    if result.failure == nil { mirror.fetchedAt = date }
    all[path] = mirror
    return old
  }
}

extension FetchPolicy {
  /// The seconds between two fetches; nil if fetches are not scheduled.
  fileprivate var interval: Double? {
    if case .every(let interval) = self { interval.inSeconds } else { nil }
  }
}
