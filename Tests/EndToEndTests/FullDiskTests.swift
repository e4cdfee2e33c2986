import FoundationEssentials
import Glibc
import Testing

extension Histories {
  @Suite("A full disk")
  struct FullDiskTests {
    /// Mounting needs rights that a container may not give, even to root.
    static let canMount: Bool = {
      let run = try? Program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], in: "/")
      return run?.status == 0
    }()

    private let scratch: ScratchFolder
    private let program: Program
    private let repository: GitFolder

    private static let shared = Result { try ScratchFolder("full") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      program = Program(scratch: scratch)
      repository = try GitFolder.tiny(in: scratch)
    }

    /// Runs a shell script in which `place` is a small disk; what is on it is copied to `after` at the end.
    private func onSmallDisk(_ place: String, _ script: String) throws -> Program.Run {
      var variables = program.variables
      variables["PATH", default: ""] += ":/usr/sbin:/usr/bin:/sbin:/bin"
      variables["PLACE"] = scratch.file(place)
      variables["MARTLET"] = Program.path
      variables["REPOSITORY"] = repository.path
      program.lendTools(for: ["run"])
      try FileManager.default.createDirectory(atPath: scratch.file(place), withIntermediateDirectories: true)
      let whole = """
        set -e
        mount -t tmpfs -o size=4m tmpfs "$PLACE"
        "$MARTLET" run --quiet "$REPOSITORY" --output "$PLACE/report" >/dev/null || true
        cp -a "$PLACE" '\(scratch.file("before"))'
        mount -o remount,size=$(du -sk "$PLACE" | cut -f1)k "$PLACE"
        status=0
        \(script) || status=$?
        cp -a "$PLACE" '\(scratch.file("after"))'
        exit $status
        """
      return try Program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", whole], environment: variables, in: scratch.path)
    }

    @Test("A report that does not fit leaves the earlier ones whole and nothing half-written", .enabled(if: canMount))
    func report() throws {
      let run = try onSmallDisk("home/site", #""$MARTLET" run --quiet "$REPOSITORY""#)
      #expect(run.status == 3)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("error: cannot write \(scratch.file("home/site/Tiny/.2."))"), "\(run.errors)")
      #expect(
        run.errors.contains(
          ": No space left on device. Free some space on that disk, or choose another home with --home or MARTLET_HOME."
        ), "\(run.errors)")
      #expect(
        scratch.names(in: "after/Tiny") == [
          "1", "history.csv", "index.html", "newest-main.css", "newest-main.html", "newest.css", "newest.html",
        ])
      let before = try FolderSnapshot(scratch.file("before/Tiny/1"))
      #expect(before.entries.count > 5)
      #expect(try FolderSnapshot(scratch.file("after/Tiny/1")).differences(from: before) == [])

      let next = try program.run("run", "--quiet", repository.path)
      #expect(next.status == 1, "\(next.errors)")
      #expect(
        scratch.names(in: "home/site/Tiny") == [
          "3", "history.csv", "index.html", "newest-main.css", "newest-main.html", "newest.css", "newest.html",
        ])
    }

    @Test("A disk that fills up during the build is not the commit's fault", .enabled(if: canMount))
    func build() throws {
      var variables = program.variables
      variables["PATH", default: ""] += ":/usr/sbin:/usr/bin:/sbin:/bin"
      let workspaces = scratch.file("home/workspaces")
      try FileManager.default.createDirectory(atPath: workspaces, withIntermediateDirectories: true)
      let script = """
        mount -t tmpfs -o size=400k tmpfs '\(workspaces)'
        exec '\(Program.path)' run --quiet '\(repository.path)'
        """
      let run = try Program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script], environment: variables, in: scratch.path)
      #expect(run.status == 3)
      #expect(run.output.hasPrefix("Tiny 1: internal-error, "), "\(run)")
      #expect(
        run.output.contains(
          "\n  Cannot build in \(workspaces)/Tiny/main/\(Program.buildFolder): No space left on device. Free some space on that disk, or choose another home with --home or MARTLET_HOME.\n"
        ), "\(run.output)")
    }

    @Test("A copy that does not fit leaves the earlier copy whole", .enabled(if: canMount))
    func output() throws {
      let run = try onSmallDisk("out", #""$MARTLET" run --quiet "$REPOSITORY" --output "$PLACE/report""#)
      #expect(run.status == 3)
      #expect(
        run.errors
          == "error: cannot copy the report to \(scratch.file("out/report")): No space left on device. Make room there, or name another folder with --output; the report itself is \(scratch.file("home/site/Tiny/2/index.html")).\n"
      )
      #expect(scratch.names(in: "after") == ["report"])
      let before = try FolderSnapshot(scratch.file("before/report"))
      #expect(before.entries.count > 5)
      // The copy was begun in the folder itself, which has another time now.
      #expect(try FolderSnapshot(scratch.file("after/report")).differences(from: before) == [""])
    }
  }
}
