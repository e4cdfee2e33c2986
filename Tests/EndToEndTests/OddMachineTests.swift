import FoundationEssentials
import Testing

extension Histories {
  /// Each run begins in a home of its own, since it is the machine that differs.
  @Suite("A machine that lacks something, or calls it strangely")
  struct OddMachineTests {
    private let scratch: ScratchFolder
    private let repository: GitFolder

    init() throws {
      scratch = try ScratchFolder("odd")
      repository = try GitFolder.tiny(in: scratch)
    }

    private func shell(_ script: String, in folder: String? = nil) throws -> Program.Run {
      var variables = Program(scratch: scratch).variables
      variables["MARTLET"] = Program.path
      return try Program.run("/bin/sh", ["-c", script], environment: variables, in: folder ?? scratch.path)
    }

    @Test("A home with letters outside ASCII is as good as another, and what was not committed is told")
    func home() throws {
      try scratch.write("public let more = 1\n", to: "Tiny/Sources/Tiny/More.swift")
      MadeTools.lend(to: scratch.file("hömé"))
      let run = try Program(scratch: scratch, environment: ["MARTLET_HOME": scratch.file("hömé")])
        .run("run", repository.path)
      #expect(run.output.hasPrefix("Tiny 1: incomplete, "), "\(run)")
      #expect(run.status == 1)
      #expect(
        run.errors.hasSuffix("\n1 changed file is not included; --working-tree includes it.\n"), "\(run.errors)")
    }

    @Test("Where the sandbox cannot work, a line says so")
    func sandbox() throws {
      try scratch.write(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", to: "bin/bwrap", mode: 0o755)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let run = try Program(scratch: scratch, environment: ["PATH": "\(scratch.file("bin")):\(path)"])
        .run("run", "--quiet", repository.path)
      let warning = """

        warning: The code under test was not contained: bubblewrap does not work (bwrap: No permissions to create new \
        namespace).
        """
      #expect(run.output.contains(warning), "\(run)")
    }

    @Test("A watcher tells the time of the machine's zone")
    func zone() throws {
      let program = Program(scratch: scratch, environment: ["TZ": "Asia/Kolkata"])
      let run = try program.run("watch", "--once")
      #expect(run.errors.contains("+05:30 The pages are in "), "\(run)")
    }

    @Test("Results that cannot be printed are exit status 3, with the reason")
    func output() throws {
      let full = try shell(#""$MARTLET" help > /dev/full"#)
      #expect(full.status == 3)
      #expect(
        full.errors
          == "error: cannot write to standard output: No space left on device. Make room there, or send the output elsewhere.\n"
      )
      let closed = try shell(#""$MARTLET" --version >&-"#)
      #expect(closed.status == 3)
      #expect(
        closed.errors
          == "error: cannot write to standard output: Bad file descriptor. Make room there, or send the output elsewhere.\n"
      )
      #expect(try shell(#""$MARTLET" help run | true"#).status == 0)
    }

    @Test("A current folder that is gone is told so, but help needs none")
    func currentFolder() throws {
      let gone = #"mkdir gone && cd gone && rmdir ../gone && "$MARTLET""#
      let run = try shell("\(gone) run")
      #expect(run.status == 2)
      #expect(run.errors == "error: the current folder is not there any more. Change to another one.\n")
      #expect(try shell("\(gone) help").status == 0)
    }

    @Test("Without /proc there is no command line to read", .enabled(if: FullDiskTests.canMount))
    func process() throws {
      let run = try shell(#"exec unshare --mount sh -c 'umount -l /proc && exec "$MARTLET" --version'"#)
      #expect(run.status == 3)
      #expect(
        run.errors
          == "error: cannot read the command line, because /proc is not mounted. Run: mount -t proc proc /proc\n")
    }
  }
}
