import Model

/// A job of Slurm, as `squeue` lists it (https://slurm.schedmd.com/squeue.html).
struct SlurmJob: Hashable, Sendable {
  var id: String
  /// Such as `PENDING`.
  var state: String
  /// Why it waits, or how it ended, in the words of Slurm.
  var reason: String
  /// The ID of the integration, which unlike the job's is not given away a second time.
  var comment: String

  /// What squeue is asked for.
  static let format = "%i|%T|%r|%k"

  /// Reads squeue's lines; a line that is none of a job is passed over.
  static func jobs(in output: [UInt8]) -> [SlurmJob] {
    String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0].first?.isNumber == true else { return nil }
      return SlurmJob(id: parts[0], state: parts[1], reason: parts[2], comment: parts[3])
    }
  }

  private static let ends: Set<String> = [
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",
    "TIMEOUT",
  ]
  /// The reasons of jobs that wait until a person lets them go (https://slurm.schedmd.com/squeue.html#lbAF).
  private static let holds: Set<String> = ["JobHeldAdmin", "JobHeldUser", "launch failed requeued held"]

  /// Whether it runs no more; jobs that are being ended, or whose node is not heard, are not counted.
  var isOver: Bool { Self.ends.contains(state) }
  var isPending: Bool { state == "PENDING" }
  var isHeld: Bool { isPending && Self.holds.contains(reason) }
}

/// What is seen of an integration that Slurm is to run. The files tell; Slurm's own word may be old, or wrong.
struct SlurmSight: Hashable, Sendable {
  enum Answer: Hashable, Sendable {
    case job(SlurmJob)
    /// It knows none.
    case none
    /// It did not answer, as this sentence says.
    case silent(String)
  }

  enum Decision: Hashable, Sendable {
    case state(CarryingState)
    /// Slurm has lost the job, which is submitted again.
    case submit
  }

  var isBegun: Bool
  var isCanceled = false
  /// Whether its process holds the claim, as far as the file system tells.
  var isClaimed = false
  /// The seconds since its process gave the last sign of life.
  var quiet = 0.0
  /// Nil if Slurm was not asked yet.
  var answer: Answer?
  /// The answers in a row that know no job, and the seconds for which there was no answer.
  var missed = 0
  var silence = 0.0
  var submissions = 1

  /// A process that was quiet for this long may be dead; after the second time it is, whatever Slurm says: a node
  /// that is lost runs its jobs for minutes in Slurm's books.
  static let (doubt, death) = (10.0, 120.0)
  /// How long Slurm may say nothing of a job that has not begun.
  private static let longestSilence = 60.0
  private static let mostSubmissions = 3

  var decision: Decision { isBegun ? .state(begun) : notBegun }

  private var begun: CarryingState {
    if quiet < Self.doubt { return .runs }
    if !isClaimed || quiet >= Self.death { return .over }
    return switch answer {
    case .job(let job): job.isOver ? .over : .runs
    case nil, .silent?: .runs
    case .some(.none): missed > 1 ? .over : .runs
    }
  }

  private var notBegun: Decision {
    if isCanceled { return .state(.unplaced("It was canceled before it began.")) }
    switch answer {
    case nil: return .state(.runs)
    case .silent(let reason)?: return .state(silence < Self.longestSilence ? .waits(reason) : .unplaced(reason))
    case .some(.none):
      if missed < 2 { return .state(.runs) }
      return submissions < Self.mostSubmissions
        ? .submit : .state(.unplaced("Slurm does not keep the jobs that it is given."))
    case .job(let job)?:
      if job.isHeld { return .state(.unplaced("Slurm holds its job back: \(job.reason)".withStop)) }
      if job.isOver {
        return .state(.unplaced("Slurm ended its job before it began: \(job.state), \(job.reason)".withStop))
      }
      return .state(job.isPending ? .waits(job.reason) : .runs)
    }
  }
}
