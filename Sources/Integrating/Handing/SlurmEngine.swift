import FoundationEssentials
import Glibc
import Model
import Processes

/// An engine whose processes are jobs of Slurm, on nodes that share the home with the machine that submits them.
///
/// A job is known by the ID of its integration in its comment: Slurm forgets jobs that it has acknowledged when its
/// controller is killed, and gives their numbers away again. Whichever job comes first takes the integration up.
struct SlurmEngine: MachineEngine {
  let client: SlurmClient
  /// What the settings say to sbatch.
  let arguments: [String]
  let runsHere = false

  /// The files of a job: the order until it is taken up, the script, what Slurm has to say, and the job's number.
  static let (order, job) = ("order", "job")
  private static let (script, output) = ("job.sh", "job.log")

  func start(_ handed: HandoverFolder, _ order: IntegrationOrder, by program: CarryingProgram) throws {
    let lock = try FileLock.open(handed.folder.file("submission"))
    try lock.await()
    guard !hasTaken(handed) else { return }
    try handed.folder.write("\(order.bot.name)/\(order.number)", to: HandoverFolder.place)
    try handed.folder.write(try order.jsonLine, to: Self.order)
    try handed.folder.write(Self.text(handed, program), to: Self.script)
    try submit(handed)
    _ = consume lock
  }

  /// The script has no secrets, which Slurm would keep: they are in the order, for this user alone.
  private static func text(_ handed: HandoverFolder, _ program: CarryingProgram) -> String {
    let words = [program.path] + program.arguments(handed.id) + ["--claim"]
    return """
      #!/bin/sh
      umask 077
      cd \(RepeatCommand.quoted(handed.folder.path)) || exit 97
      exec \(words.map(RepeatCommand.quoted).joined(separator: " ")) < \(order) >> \(HandoverFolder.news)

      """
  }

  private func submit(_ handed: HandoverFolder) throws {
    let place = handed.folder.text(of: HandoverFolder.place) ?? handed.id
    let number = try client.submit(
      handed.folder.file(Self.script), id: handed.id, name: place, output: handed.folder.file(Self.output), arguments)
    try handed.folder.write("\(number)\n", to: Self.job)
  }

  func hasTaken(_ handed: HandoverFolder) -> Bool {
    handed.folder.holds(HandoverFolder.started) || handed.folder.holds(Self.job)
  }

  func end(_ handed: HandoverFolder) throws -> Bool {
    // Without its folder, nothing can begin any more; what has begun sees that it is to end even without Slurm.
    if handed.folder.exists, !handed.folder.holds(HandoverFolder.started) { try handed.folder.takeAway() }
    if handed.folder.exists { try handed.folder.write([], to: HandoverFolder.canceled) }
    do {
      let jobs = try client.jobs(of: handed.id).filter { !$0.isOver }
      if !jobs.isEmpty { try client.cancel(jobs) }
    } catch is SlurmClient.Trouble {
      return false
    }
    return isQuiet(handed)
  }

  /// Returns whether the process gives no sign of life, or no more in a moment. Slurm's books may have it run for
  /// minutes after its node was lost.
  private func isQuiet(_ handed: HandoverFolder) -> Bool {
    guard handed.isClaimed else { return true }
    let sign = handed.signOfLife
    for _ in 0..<50 where handed.isClaimed { usleep(100_000) }
    return !handed.isClaimed || handed.signOfLife == sign
  }

  var trouble: String? { client.trouble(of: arguments)?.description }

  func watch(_ handed: HandoverFolder) -> (_ now: Double) throws -> CarryingState {
    var watch = Watch(handed: handed, engine: self)
    return { try watch.state(at: $0) }
  }

  /// Looks at the files, and asks Slurm where they do not tell.
  private struct Watch {
    let handed: HandoverFolder
    let engine: SlurmEngine
    private var sight = SlurmSight(isBegun: false)
    private var sign: String?
    /// When that was seen, Slurm is asked again, and it answered last.
    private var (signTime, nextAnswer, lastAnswer): (Double?, Double?, Double?)

    /// The pause in seconds between two questions.
    private static let pause = 5.0

    init(handed: HandoverFolder, engine: SlurmEngine) {
      (self.handed, self.engine) = (handed, engine)
    }

    mutating func state(at now: Double) throws -> CarryingState {
      if !sight.isBegun || sight.quiet >= SlurmSight.doubt { try ask(at: now) }
      let isBegun = handed.folder.holds(HandoverFolder.started)
      let newSign = handed.signOfLife
      if newSign != sign || isBegun != sight.isBegun { (sign, signTime) = (newSign, now) }
      sight.isBegun = isBegun
      sight.isCanceled = handed.folder.holds(HandoverFolder.canceled)
      sight.quiet = now - (signTime ?? now)
      // Whoever asks holds the claim for a moment, which must not be the one in which it is taken.
      sight.isClaimed = !isBegun || sight.quiet < SlurmSight.doubt || handed.isClaimed
      switch sight.decision {
      case .state(let state): return state
      case .submit:
        try engine.submit(handed)
        sight.submissions += 1
        (sight.missed, sight.answer) = (0, nil)
        return .runs
      }
    }

    private mutating func ask(at now: Double) throws {
      // Most jobs begin before there is anything to ask.
      guard let time = nextAnswer else {
        (nextAnswer, lastAnswer) = (now + 2, now)
        return
      }
      guard time <= now else { return }
      nextAnswer = now + Self.pause
      do {
        let jobs = try engine.client.jobs(of: handed.id)
        let job = jobs.first { !$0.isOver } ?? jobs.last
        sight.answer = job.map { .job($0) } ?? SlurmSight.Answer.none
        sight.missed = job == nil ? sight.missed + 1 : 0
        (sight.silence, lastAnswer) = (0, now)
      } catch let trouble as SlurmClient.Trouble {
        sight.answer = .silent("\(trouble)")
        sight.silence = now - (lastAnswer ?? now)
      }
    }
  }
}
