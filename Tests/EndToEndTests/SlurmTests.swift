import Foundation
import Glibc
import Model
import Testing

extension Histories {
  @Suite("Integrations that are jobs of Slurm")
  struct SlurmTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let work: GitFolder

    init() throws {
      scratch = try ScratchFolder("slurm")
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      MadeTools.lend(to: scratch.file("shared"))
      work = try GitFolder.tiny(in: scratch)
      try scratch.write(
        """
        repository: \(work.path)
        tests: none
        actions: [build]
        where: [fast]
        secrets: [TOKEN]
        schedule: {also-when-toolchain-changes: false}

        """, to: "config/bots/tiny.yml")
      try scratch.write("TOKEN=wagtail-0451-heron\n", to: "config/secrets/tiny.env", mode: 0o600)
    }

    /// Names a cluster whose nodes are this machine, which itself only hands out.
    private func settings(_ slurm: SlurmDouble?, _ arguments: String = "--partition=ci", _ more: String = "") throws {
      let path = slurm.map { "\($0.programs):\(SlurmDouble.path)" } ?? "/nowhere"
      try scratch.write(
        """
        jobs: 0
        machines:
          cluster:
            slurm: [\(arguments)]
            home: \(scratch.file("shared"))
            labels: [fast]
            environment: {PATH: "\(path)"}
        \(more)

        """, to: "config/martlet.yml")
    }

    private func document(_ number: Int) throws -> IntegrationRecord { try program.document(number, of: "tiny") }

    @Test("Are in their place like those of other machines, and neither they nor their secrets are left in the folder")
    func handedOut() throws {
      let slurm = try SlurmDouble(of: scratch)
      try settings(slurm)
      let first = try program.run("watch", "--once")
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.errors.contains("tiny 1: handed out to cluster."))
      let one = try document(1)
      #expect(one.outcome == .succeeded && one.circumstances?.machine == "cluster")
      #expect(try program.run("show", "tiny/1").output.contains("\nMachine   cluster\n"))
      let jobs = try slurm.submitted
      #expect(jobs.count == 1)
      #expect(jobs[0].hasPrefix("--partition=ci --parsable --no-requeue --export=ALL --chdir=/ "), "\(jobs)")
      #expect(jobs[0].contains(" --job-name=tiny/1 "))

      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      let second = try program.run("watch", "--once")
      #expect(second.status == 0, "\(second.errors)")
      #expect(try document(2).baseline == 1)
      #expect(scratch.names(in: "home/handed").isEmpty && scratch.names(in: "shared/handed").isEmpty)
      #expect(scratch.names(in: "home/workspaces").isEmpty)
      let left = try Program.run(
        "grep", ["-rl", "wagtail-0451-heron", scratch.file("shared")], environment: ["PATH": "/usr/bin:/bin"],
        in: scratch.path)
      #expect(left.output.isEmpty)
    }

    @Test("What waits in Slurm's queue says why, and is taken from it when it is canceled")
    func waiting() throws {
      let slurm = try SlurmDouble(of: scratch)
      try settings(slurm)
      try slurm.hold()
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "tiny 1: handed out to cluster.") != nil)
      let words = "  tiny 1  waits in Slurm's queue: Resources\n"
      try wait(for: "cluster  Slurm --partition=ci, 1 slot, fast\n\(words)") { try program.run("machines").output }
      #expect(try program.run("cancel", "tiny/1").status == 0)
      #expect(try watcher.line(beginning: "tiny 1: canceled") != nil)
      // The file is there before its first line is.
      #expect(
        try wait {
          try scratch.exists("slurm/canceled") && slurm.canceled == ["1"] && scratch.names(in: "shared/handed").isEmpty
        })
      watcher.send(SIGTERM)
      try watcher.waitForDeath()
    }

    @Test("A cluster that cannot take jobs is unavailable, with the reason, and its integrations wait or run here")
    func passedOver() throws {
      let slurm = try SlurmDouble(of: scratch)
      func reason() throws -> String? {
        let run = try program.run("watch", "--once")
        let words = "cluster is unavailable: "
        return run.errors.components(separatedBy: "\n").first { $0.contains(words) }?.components(separatedBy: words)
          .last
      }
      try settings(nil)
      #expect(
        try reason()
          == "There is no sbatch on the PATH. Run: apt-get install slurm-client, or add its folder to PATH under 'environment' in martlet.yml."
      )
      try settings(slurm, "--partition=nope")
      #expect(try reason() == "Slurm refuses what sbatch asks for: Invalid partition name specified.")
      try settings(slurm)
      try slurm.endAnswers()
      #expect(
        try reason()
          == "Slurm's controller does not answer: Unable to contact slurm controller (connect failure).")
      #expect(scratch.names(in: "home/integrations").isEmpty)
      try settings(slurm, "--partition=ci", "when-down: local")
      let here = try program.run("watch", "--once")
      #expect(here.status == 0, "\(here.errors)")
      #expect(try document(1).circumstances?.machine == nil)
    }
  }
}
