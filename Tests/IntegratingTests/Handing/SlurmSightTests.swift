import Testing

@testable import Integrating

@Suite("Integrations that Slurm is to run")
struct SlurmSightTests {
  private static func job(_ state: String, _ reason: String = "None") -> SlurmSight.Answer {
    .job(SlurmJob(id: "7", state: state, reason: reason, comment: "0123456789abcdef"))
  }

  @Test("Jobs are read as squeue prints them, whatever others write into their comments")
  func jobs() {
    let output = """
      4|CANCELLED|PartitionConfig|abcdefgh12
      2|COMPLETED|None|abcdefgh12
      112_2|PENDING|Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions|a|b

      slurm_load_jobs error: something else

      """
    let jobs = SlurmJob.jobs(in: Array(output.utf8))
    #expect(jobs.map(\.id) == ["4", "2", "112_2"])
    #expect(jobs.map(\.comment) == ["abcdefgh12", "abcdefgh12", "a|b"])
    #expect(jobs.map(\.isOver) == [true, true, false])
    #expect(jobs[2].isPending && jobs[2].reason.hasPrefix("Nodes required"))
  }

  @Test(
    "What is said is what Slurm complained about last",
    arguments: [
      (
        "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified\n",
        "Invalid partition name specified"
      ),
      (
        "allocation failure: Requested node configuration is not available\n",
        "Requested node configuration is not available"
      ),
      (
        "sbatch: unrecognized option '--bogus'\nTry \"sbatch --help\" for more information\n",
        "unrecognized option '--bogus'"
      ),
      (
        "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
        "Unable to contact slurm controller (connect failure)"
      ), ("sbatch: fatal: Could not establish a configuration source\n", "Could not establish a configuration source"),
      ("", ""),
    ])
  func words(errors: String, words: String) {
    #expect(SlurmClient.words(in: Array(errors.utf8)) == words)
  }

  @Test(
    "Before it begins, Slurm's word decides",
    arguments: [
      (nil, .state(.runs)), (job("PENDING", "Resources"), .state(.waits("Resources"))),
      (job("CONFIGURING"), .state(.runs)), (job("RUNNING"), .state(.runs)),
      (
        job("PENDING", "launch failed requeued held"),
        .state(.unplaced("Slurm holds its job back: launch failed requeued held."))
      ),
      (
        job("FAILED", "JobLaunchFailure"),
        .state(.unplaced("Slurm ended its job before it began: FAILED, JobLaunchFailure."))
      ),
    ] as [(SlurmSight.Answer?, SlurmSight.Decision)])
  func before(answer: SlurmSight.Answer?, decision: SlurmSight.Decision) {
    #expect(SlurmSight(isBegun: false, answer: answer).decision == decision)
  }

  @Test("A job that Slurm has lost is submitted again, but not for ever")
  func lost() {
    var sight = SlurmSight(isBegun: false, answer: SlurmSight.Answer.none, missed: 1)
    #expect(sight.decision == .state(.runs))
    sight.missed = 2
    #expect(sight.decision == .submit)
    sight.submissions = 3
    #expect(sight.decision == .state(.unplaced("Slurm does not keep the jobs that it is given.")))
  }

  @Test("While Slurm does not answer, what has not begun waits, and after a minute goes elsewhere")
  func silent() {
    let words = "Slurm's controller does not answer: Unable to contact slurm controller (connect failure)."
    var sight = SlurmSight(isBegun: false, answer: .silent(words), silence: 59)
    #expect(sight.decision == .state(.waits(words)))
    sight.silence = 60
    #expect(sight.decision == .state(.unplaced(words)))
  }

  @Test("What was canceled before it began does not begin")
  func canceled() {
    let sight = SlurmSight(isBegun: false, isCanceled: true, answer: Self.job("PENDING", "Priority"))
    #expect(sight.decision == .state(.unplaced("It was canceled before it began.")))
  }

  @Test(
    "Once it has begun its sign of life decides, and Slurm is only asked when that is missing",
    arguments: [
      (9, false, job("FAILED"), .runs), (10, false, nil, .over), (10, true, nil, .runs),
      (10, true, job("RUNNING"), .runs),
      (10, true, job("NODE_FAIL"), .over), (10, true, .silent(""), .runs), (120, true, job("RUNNING"), .over),
    ] as [(Double, Bool, SlurmSight.Answer?, CarryingState)])
  func begun(quiet: Double, isClaimed: Bool, answer: SlurmSight.Answer?, state: CarryingState) {
    let sight = SlurmSight(isBegun: true, isClaimed: isClaimed, quiet: quiet, answer: answer)
    #expect(sight.decision == .state(state))
  }

  @Test("A process that Slurm has forgotten goes on as long as it lives")
  func forgotten() {
    var sight = SlurmSight(isBegun: true, isClaimed: true, quiet: 1, answer: SlurmSight.Answer.none, missed: 9)
    #expect(sight.decision == .state(.runs))
    sight.quiet = 11
    #expect(sight.decision == .state(.over))
  }
}
