/// A monitor of a run's memory, processes and disk space.
///
/// The kernel's own limits are unsuitable: the one on address space rules out sanitizers, which reserve terabytes and
/// use little; the one on processes includes the user's other programs and exempts root; and control groups are rarely
/// delegated. Processes that multiply as fast as they can may outrun these checks. The `EndReporter`'s limit stops
/// them, but not if Martlet runs as root.
struct ResourceDemand {
  typealias Instant = SuspendingClock.Instant

  private static let interval = Duration.milliseconds(250)
  /// The delay before checking again: a process that is about to become another program briefly counts twice.
  private static let doubt = Duration.milliseconds(30)

  private let memory: Int?
  private let processes: Int?
  private var disk: DiskWatch?
  private var isSuspicious = false
  /// The time of the next check; nil for never.
  private(set) var next: Instant?

  init(_ limits: Limits, started: Instant) {
    memory = limits.memory
    processes = limits.processes
    disk = limits.disk.flatMap(DiskWatch.init)
    if memory != nil || processes != nil || disk != nil { next = started + Self.interval }
  }

  /// Checks the limits if it is time. Returns the limit that was exceeded; for memory, only if twice in a row.
  mutating func look(at tree: ProcessTree) -> ProcessResult.Why? {
    guard let due = next, due <= .now else { return nil }
    if let limit = disk?.excess() { return .tooMuchDisk(limit: limit) }
    let size = tree.size(countingTo: processes ?? 10_000)
    var why: ProcessResult.Why?
    if let memory, size.memory > memory { why = .tooMuchMemory(limit: memory) }
    if let processes, size.processes > processes { why = .tooManyProcesses(limit: processes) }
    // Processes that multiply leave no time to check twice.
    if case .tooManyProcesses? = why { return why }
    defer { isSuspicious = why != nil }
    next = .now + (why == nil ? Self.interval : Self.doubt)
    return isSuspicious ? why : nil
  }

  /// Removes the files of a run that exceeded its disk limit.
  func clear() { disk?.clear() }
}
