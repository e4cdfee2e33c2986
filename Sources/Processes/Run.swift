import CProcess
import Glibc

/// A single run, from the start of its keeper to the keeper's last report.
struct Run: ~Copyable {
  private typealias Instant = SuspendingClock.Instant

  private enum Phase {
    case running
    /// The program was asked to terminate.
    case stopping(killAt: Instant)
    /// The program ended, but something still holds its output open.
    case draining(until: Instant)
    /// Everything is being killed.
    case ending
    case over
  }

  private let limits: Limits
  private let cancellation: [Int32]
  private let supervision: Supervision?
  private var sawOutput = false
  private var demand: ResourceDemand
  private let child: Child
  private let started: Instant
  private let memoryKills = MemoryKills.now
  private var lastOutput: Instant
  private var phase = Phase.running
  private var streams: OutputStreams
  /// The result so far. A program that does not end even on SIGKILL keeps this initial end.
  private var result = ProcessResult(end: .signaled(SIGKILL), why: .byItself)
  /// The error that the listener threw.
  private var failure: (any Error)?

  init(_ command: Command, file: String, limits: Limits, cancellation: Cancellation, supervision: Supervision?)
    throws(ProcessError)
  {
    self.limits = limits
    self.cancellation = cancellation.descriptors
    self.supervision = supervision
    started = .now
    lastOutput = started
    child = try Child(command, file: file, limits: limits)
    streams = OutputStreams(started: started)
    demand = ResourceDemand(limits, started: started)
  }

  /// Supervises the run until it ends.
  mutating func finish(output: (OutputChunk) throws -> Void) throws -> ProcessResult {
    while true {
      let ready = waitForNews()
      // Also what was printed while the channels were read.
      read(output)
      supervision?.sawAll()
      if ready.control { try hear() }
      if case .over = phase { break }
      if ready.canceled { stop(.canceled) }
      obeyTheClock()
    }
    if failure == nil { readRest(output) }
    if case .tooMuchDisk = result.why { demand.clear() }
    if let failure { throw failure }
    if !result.succeeded { result.memoryKills = MemoryKills.now - memoryKills }
    return result
  }

  // MARK: Waiting

  private func waitForNews() -> (control: Bool, canceled: Bool) {
    var polled = streams.descriptors(child) + [child.controlNumber]
    let channels = supervision?.channels() ?? []
    polled += channels
    if case .running = phase { polled += cancellation }
    guard let ready = Descriptor.wait(for: polled, milliseconds: timeout) else { return (false, false) }
    let behind = 3 + channels.count
    if ready[3..<behind].contains(true) { supervision?.sawNews(started.duration(to: .now)) }
    return (ready[2], ready[behind...].contains(true))
  }

  /// The milliseconds until the next deadline, rounded up; -1 for never.
  private var timeout: Int32 {
    guard let deadline else { return -1 }
    let left = min(max(.zero, SuspendingClock.now.duration(to: deadline)), .seconds(86_400))
    return left.milliseconds + 1
  }

  private var deadline: Instant? {
    switch phase {
    case .running:
      [
        limits.wallClock.map { started + $0 }, limits.silence.map { lastOutput + $0 },
        supervision?.deadline().map { started + $0 }, demand.next,
      ]
      .compactMap(\.self).min()
    case .stopping(let killAt): killAt
    case .draining(let until): until
    case .ending, .over: nil
    }
  }

  private mutating func obeyTheClock() {
    if case .running = phase, let why = demand.look(at: child.tree) {
      // Asking it to terminate would give it time to take more.
      result.why = why
      killAll()
    }
    let now = Instant.now
    switch phase {
    case .running:
      let why = limits.reached(
        after: started.duration(to: now), sinceOutput: lastOutput.duration(to: now),
        supervisors: supervision?.deadline())
      if let why { stop(why) }
    case .stopping(let time), .draining(let time): if time <= now { killAll() }
    case .ending, .over: break
    }
  }

  // MARK: Ending

  private mutating func stop(_ why: ProcessResult.Why) {
    guard case .running = phase else { return }
    result.why = why
    if why != .canceled { supervision?.willStop(child.tree, why) }
    phase = .stopping(killAt: .now + limits.grace)
    child.terminate()
  }

  private mutating func killAll() {
    phase = .ending
    child.kill()
  }

  /// Processes the keeper's next report.
  private mutating func hear() throws(ProcessError) {
    let report = try child.receive()
    switch report.news {
    case CPROCESS_ENDED:
      result.end = ProcessEnd(report, isContained: child.command.isContained)
      result.duration = .nanoseconds(report.nanoseconds)
      if case .ending = phase { return }
      phase = .draining(until: .now + limits.drain)
      if streams.areClosed { killAll() }
    default:
      result.cpu = .microseconds(report.cpu_microseconds)
      result.peakMemory = Int(clamping: report.peak_kilobytes) * 1024
      // Processes that end along with a sandbox are the sandbox's own, or cannot be told apart from them.
      result.leftovers = child.command.isContained ? 0 : Int(report.leftovers)
      result.survivors = Int(report.survivors)
      phase = .over
      if report.survivors == 0 { child.collect() }
    }
  }

  // MARK: Output

  /// Reads all that had been printed, and no more than that from a program that never stops.
  private mutating func read(_ listener: (OutputChunk) throws -> Void) {
    guard failure == nil else { return }
    do {
      for stream in OutputChunk.Stream.allCases {
        for _ in 0..<OutputStreams.readsOfPipe {
          let count = try streams.read(stream, from: child, listener)
          if count > 0 { noteOutput() }
          if count < OutputStreams.mostAtOnce { break }
        }
      }
    } catch {
      failure = error
      streams.close()
      killAll()
    }
    if case .draining = phase, streams.areClosed { killAll() }
  }

  private mutating func noteOutput() {
    lastOutput = .now
    guard !sawOutput else { return }
    sawOutput = true
    supervision?.sawOutput(child.tree)
  }

  /// Reads what remains in the pipes. Nothing writes to them anymore.
  private mutating func readRest(_ listener: (OutputChunk) throws -> Void) {
    // Limited, in case a survivor keeps writing.
    for _ in 0..<64 {
      guard !streams.areClosed, failure == nil else { return }
      let before = streams.byteCount
      read(listener)
      if streams.byteCount == before { return }
    }
  }
}

extension Limits {
  /// Returns the limit of time that a running program has reached; nil for none.
  ///
  /// - Parameters:
  ///   - time: the time since its start.
  ///   - silence: the time since its last output.
  ///   - deadline: the supervisor's, since the start; nil for none.
  func reached(after time: Duration, sinceOutput silence: Duration, supervisors deadline: Duration?)
    -> ProcessResult.Why?
  {
    if let wallClock, wallClock <= time { return .timedOut(after: wallClock) }
    if let limit = self.silence, limit <= silence { return .silent(after: limit) }
    return deadline.map { $0 <= time } == true ? .overdue : nil
  }
}

/// The number of times the kernel has killed a process for lack of memory, whether the machine's or a control group's.
enum MemoryKills {
  /// The number since boot; zero if the kernel does not count.
  static var now: Int { count(in: KernelFile.text("/proc/vmstat")) }

  /// - Parameter statistics: The contents of `/proc/vmstat` (https://docs.kernel.org/admin-guide/cgroup-v2.html,
  ///   `oom_kill`, is the same figure for a single group).
  static func count(in statistics: String) -> Int {
    let name = "oom_kill "
    let line = statistics.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }
}
