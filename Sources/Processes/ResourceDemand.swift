/// Watches how much memory, how many processes and how much of a disk a run takes.
///
/// The kernel's own limits do not serve here: that for address space forbids sanitizers, which reserve terabytes and use
/// little; that for processes counts those of the user's other programs, and root is exempt; control groups are rarely
/// delegated. What doubles as fast as it can may outrun these looks: the limit of the `EndReporter` holds it, but not where
/// Martlet runs as root.
struct ResourceDemand {
  typealias Instant = SuspendingClock.Instant

  private static let interval = Duration.milliseconds(250)
  /// Until what was seen is looked at again: a process that is about to become another program counts twice for a moment.
  private static let doubt = Duration.milliseconds(30)

  private let memory: Int?
  private let processes: Int?
  private var disk: DiskWatch?
  private var isSuspicious = false
  /// When to look again; nil for never.
  private(set) var next: Instant?

  init(_ limits: Limits, started: Instant) {
    memory = limits.memory
    processes = limits.processes
    disk = limits.disk.flatMap(DiskWatch.init)
    if memory != nil || processes != nil || disk != nil { next = started + Self.interval }
  }

  /// Looks when it is time to; returns which limit was passed, that of memory twice in a row.
  mutating func look(at tree: ProcessTree) -> ProcessResult.Why? {
    guard let due = next, due <= .now else { return nil }
    if let limit = disk?.excess() { return .tooMuchDisk(limit: limit) }
    let size = tree.size(countingTo: processes ?? 10_000)
    var why: ProcessResult.Why?
    if let memory, size.memory > memory { why = .tooMuchMemory(limit: memory) }
    if let processes, size.processes > processes { why = .tooManyProcesses(limit: processes) }
    // Processes that multiply leave no time to look twice.
    if case .tooManyProcesses? = why { return why }
    defer { isSuspicious = why != nil }
    next = .now + (why == nil ? Self.interval : Self.doubt)
    return isSuspicious ? why : nil
  }

  /// Gives the disk back what a run took too much of.
  func clear() { disk?.clear() }
}
