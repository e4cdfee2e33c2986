package import BotFiles
import FoundationEssentials
import Glibc
import Model
package import Processes
import Scheduling
import Storing
import Watching

/// The watcher, which detects changes in repositories, decides what is due, has it carried out, and answers requests.
///
/// There is one thread and one loop, `run`; everything heavy happens in children. Anything that has to survive the
/// process is in the store before anything follows from it.
///
/// What the watcher knows is in values that know their own rules. It carries out what follows from them: one extension
/// for each subject, beside the value if that has a file of its own.
package final class Watcher {
  /// The options of the command line.
  package struct Options: Sendable {
    /// The number of integrations that run at once; nil to use the settings.
    package var jobs: Int?
    /// Whether to end when nothing is due any longer.
    package var isOnce = false
    /// The seconds that a canceled integration has to end before it is killed.
    package var patience = 20.0
    /// The environment, for toolchains and systemd.
    package var environment: [String: String] = [:]
    /// Makes an ID for an integration that is handed out, unlike any that was ever made.
    package var makeID: @Sendable () -> String = {
      (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    }

    package init() {}
  }

  let home: WatchHome
  let options: Options
  let clock: Clock
  let launcher: any Launching
  let say: @Sendable (String) -> Void
  let service: ServiceReport
  let startedAt: Date
  private let lock: HomeLock
  private let signals: SignalQueue?

  var store: Store
  var registry: BotRegistry
  let folders: FolderWatch
  let watch: RepositoryWatch
  let control: ControlSocket

  var queue = WorkQueue()
  var begun = BegunEntries()
  var waiters: [Waiter] = []
  var periods: Periods
  var toolchains = ToolchainWatch()
  var tasks = BackgroundTasks()
  var audits = Audits()
  var trash: Trash
  /// Provides the usage of the disk that contains a path; tests have disks of their own.
  var space: (String) -> DiskSpace? = DiskSpace.init(of:)
  var sending = SendingSchedule()
  var mirrors = Mirrors()
  var machines = Machines()
  var failed = FailedWork()
  var problems = Problems()
  var wakes = WakeTimes()
  var isStopping = false
  /// The worst exit status of the finished integrations, for `--once`.
  var worst: Int32 = 0

  /// Locks the home, opens its database and cleans up after a dead watcher.
  ///
  /// - Parameters:
  ///   - signals: Nil in tests.
  ///   - say: Receives lines for the person who runs the watcher.
  /// - Throws: A `BotFileError` if `martlet.yml` is wrong, before anything is touched.
  package init(
    home: WatchHome, configuration: Configuration, options: Options, launcher: any Launching,
    clock: Clock = .system, signals: SignalQueue? = nil, say: @escaping @Sendable (String) -> Void
  ) throws {
    self.home = home
    self.options = options
    self.clock = clock
    self.launcher = launcher
    self.signals = signals
    self.say = say
    startedAt = clock.now()
    registry = try BotRegistry(configuration, mirrors: home.mirrors)
    trash = Trash(home.trash)
    periods = Periods(zoneVariable: options.environment["TZ"])
    service = ServiceReport(environment: options.environment, pid: getpid())
    try WatchHome.makeFolder(home.path)
    lock = try HomeLock(home)
    LeftProcesses.end(of: home, say: say)
    LeftWorkspaces.clear(in: home, say: say)
    trash.takeUp(LeftFiles.clear(in: home))
    tasks.hasTrash =
      access(home.trash, F_OK) == 0 || access(home.clearedTrash, F_OK) == 0 || !trash.aside.isEmpty
    store = try Store(at: home.database)
    folders = try FolderWatch()
    watch = try RepositoryWatch(now: clock.seconds())
    control = try ControlSocket(home)
    try recover()
    reload()
    service.say(
      "READY=1\nSTATUS=Watching \(CountText.counted(watch.repositories.count, "repository", "repositories")).")
    wakes.sign = service.watchdogInterval.map { clock.seconds() + $0 }
    wakes.rest = clock.seconds() + Self.calm
    // A server that starts with the watcher knows the bots from its first answer on; the update of the site writes it again,
    // and says why it cannot.
    try? writeState()
  }

  /// Runs until told to stop, or with `--once` until nothing is due.
  ///
  /// - Returns: The exit status.
  package func run() -> Int32 {
    while !isOver && !givesUp { turn() }
    service.say("STOPPING=1")
    if givesUp {
      say("It has failed for a minute. What waits is left to the next watcher.")
      worst = max(worst, 3)
    }
    if options.isOnce { tellLeft() }
    if !registry.faults.isEmpty || !registry.troubles.isEmpty { worst = max(worst, 2) }
    return options.isOnce ? worst : 0
  }

  /// Waits for an event, for at most `limit` seconds, and handles it.
  package func turn(atMost limit: Double = .infinity) {
    let isCalm = wait(atMost: limit)
    for signal in signals?.take() ?? [] { obey(signal) }
    if folders.takeNews(), wakes.reload == nil { wakes.reload = clock.seconds() + 0.1 }
    watch.takeNews(now: clock.seconds())
    hearChildren()
    keepTimes()
    keepMirrors()
    keepMachines()
    lookAtRepositories()
    storeEndings()
    startWork()
    keepIdleTime()
    runBackgroundTasks()
    keepMessages()
    answerWaiters()
    if isCalm || wakes.rest.map({ $0 <= clock.seconds() }) == true { rest() }
  }

  /// Whether this process has nothing left to do.
  var isOver: Bool {
    if isStopping { return begun.children.isEmpty }
    guard options.isOnce, begun.isEmpty, tasks.isEmpty, sending.running == nil else { return false }
    // Entries of a bot without a good file wait for a person.
    let isIdle = queue.all.allSatisfy { registry.bots[$0.bot] == nil || isLeft($0) }
    return isIdle && !mirrors.hasWork(now: clock.seconds()) && !watch.hasWork && !queue.isDirty && wakes.reload == nil
  }

  /// Whether an entry is left to the next watcher with `--once`: it rests, or no other machine can be used.
  private func isLeft(_ entry: QueueEntry) -> Bool {
    let hasNoMachine =
      choosesPlaces && !machines.isAwaited && !queue.isDirty && entry.state == .pending
      && queue.decision.waits[entry.id] != nil
    return hasNoMachine || queue.decision.resting.contains(entry.id)
  }

  /// Tells what is left to the next watcher, and why it waits.
  private func tellLeft() {
    let left = queue.list { registry.bots[$0.bot] != nil && isLeft($0) }
    guard !left.entries.isEmpty else { return }
    worst = max(worst, 3)
    for entry in left.entries { say(queue.namedWait(of: entry)) }
    for (bot, count) in left.unlisted.sorted(by: { $0.key < $1.key }) {
      say("\(bot): \(CountText.plain(count)) more wait.")
    }
  }

  /// Whether a watcher that is to end by itself has retried failures for long enough.
  var givesUp: Bool {
    guard options.isOnce, begun.children.isEmpty, let since = failed.retry.since else { return false }
    return clock.seconds() - since >= 60
  }
}

extension Watcher {
  /// The seconds without news after which memory is released.
  private static let calm = 5.0

  /// Sleeps until a descriptor is ready or a time has come, and serves the control socket.
  ///
  /// - Returns: Whether it woke only because a time had come, after a while.
  private func wait(atMost limit: Double) -> Bool {
    var polled = control.polled
    let others = [folders.descriptor, watch.descriptor] + (signals.map { [$0.descriptor] } ?? [])
    let ofChildren = begun.children.flatMap(\.running.descriptors) + (sending.running?.descriptors ?? [])
    polled +=
      (others + ofChildren + tasks.descriptors + audits.descriptors + mirrors.descriptors + machines.descriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    let now = clock.seconds()
    let seconds = max(0, min(limit, nextTime(now) - now, 3600))
    // Rounded up, so that the time has come when the call returns.
    guard poll(&polled, nfds_t(polled.count), Int32((seconds * 1000).rounded(.up))) > 0 else { return seconds >= 1 }
    wakes.rest = now + Self.calm
    let ready = Set(polled.filter { $0.revents != 0 }.map(\.fd))
    for (connection, request) in control.serve(ready) { serve(request, on: connection) }
    return false
  }

  /// Releases memory, unless something is in progress; the next news is the next occasion.
  private func rest() {
    wakes.rest = nil
    guard begun.children.isEmpty, tasks.isEmpty, audits.running == nil, !queue.isDirty else { return }
    ResidentMemory.release()
  }

  /// Returns the time of the next scheduled action.
  func nextTime(_ now: Double) -> Double {
    if queue.isDirty && wakes.reload == nil && failed.retry.isDue(now: now) && !isStopping { return now }
    let deadlines = begun.children.compactMap(\.killTime)
    // A running child reports its end, so there is no benefit in waking before.
    let calmTime = begun.children.isEmpty && tasks.isEmpty ? wakes.rest : nil
    let always = [wakes.reload, wakes.sign, failed.retry.time, calmTime].compactMap(\.self) + deadlines
    // A watcher that is stopping takes no more work, so work does not wake it.
    if isStopping { return always.min() ?? .infinity }
    let work = [
      toolchains.nextTime, periods.nextTime(clock), sending.nextTime(clock), watch.nextTime(now: now), tasks.nextTime,
      mirrors.nextTime(now: now), machines.nextTime, begun.elsewhere.compactMap(\.until).min(),
      isIdle && audits.running == nil ? audits.nextTime : nil,
      queue.isDirty ? nil : queue.decision.nextTime.map { clock.seconds(until: $0) },
    ].compactMap(\.self)
    return (always + work).min() ?? now
  }

  /// Performs the scheduled actions that are due.
  private func keepTimes() {
    let now = clock.seconds()
    if let time = wakes.reload, time <= now { reload() }
    if let time = wakes.sign, time <= now {
      service.say("WATCHDOG=1")
      wakes.sign = service.watchdogInterval.map { now + $0 }
    }
    for child in begun.children {
      guard let time = child.killTime, time <= now else { continue }
      child.killTime = nil
      child.running.kill()
    }
    if let time = queue.decision.nextTime, time <= clock.now() { queue.isDirty = true }
    if failed.retry.take(now: now) { tryAgain() }
    keepPeriods()
    keepToolchains()
  }

  private func obey(_ signal: Int32) {
    if signal == SIGHUP { return reload() }
    if isStopping {
      for child in begun.children { child.running.kill() }
    } else {
      stop()
    }
  }

  /// Accepts no more work and ends running integrations, which are queued again for the next watcher.
  func stop() {
    isStopping = true
    giveUpAudit()
    service.say("STOPPING=1")
    let carriers = begun.children.filter { !$0.isClosing && $0.handed == nil }
    let others = begun.children.filter { $0.handed != nil }
    let seconds = Int(options.patience)
    say(carriers.isEmpty ? "Stopping." : "Stopping; running integrations end within \(seconds) s and are queued again.")
    if !others.isEmpty {
      let what = CountText.counted(others.count, "integration goes", "integrations go")
      say("\(what) on elsewhere; the next watcher takes the results in.")
    }
    for child in others + carriers { child.running.detach() }
    for child in carriers {
      child.isInterrupted = true
      child.killTime = clock.seconds() + options.patience
    }
  }
}

/// When the watcher wakes though nothing has happened, on the steady clock; nil for what is not to be done.
struct WakeTimes {
  /// The bots' files are read again.
  var reload: Double?
  /// systemd is told that the watcher is alive.
  var sign: Double?
  /// Memory is released, if nothing happens until then.
  var rest: Double?
}
