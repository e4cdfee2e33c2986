import Glibc
import Processes
import Testing

@Suite("A program that writes too much to the disk")
struct DiskWatchTests {
  @Test("is killed when it writes too much to its folders, and all that it wrote is gone at once")
  func disk() throws {
    let scratch = try Scratch()
    let before = try scratch.write("kept", to: "before")
    // The kernel's time stamps are coarse.
    let written = SuspendingClock.now
    while written.duration(to: .now) < .milliseconds(30) {}
    let script = """
      mkdir -p "$1/a/b"; n=0
      while :; do head -c 1000000 /dev/zero >"$1/a/b/$n"; n=$((n + 1)); [ $n = 3 ] && chmod 700 "$1/a"; done
      """
    var limits = Limits(wallClock: .seconds(60))
    limits.disk = DiskLimit(folders: [scratch.path], bytes: 20_000_000)
    let result = try shell(script, [scratch.path]).run(limits: limits, cancellation: Cancellation()) { _ in }
    #expect(result.why == .tooMuchDisk(limit: 20_000_000))
    #expect(result.end == .signaled(SIGKILL))
    #expect(try scratch.read("before") == Array("kept".utf8))
    #expect(try shell("find \"$1\" -type f", [scratch.path]).output().text == "\(before)\n")
  }

  @Test("is not blamed for what others write to the disk meanwhile")
  func othersDisk() throws {
    let (own, other) = (try Scratch(), try Scratch())
    var limits = Limits(wallClock: .seconds(60))
    limits.disk = DiskLimit(folders: [own.path], bytes: 5_000_000)
    let script = "head -c 40000000 /dev/zero >\"$2/a\"; head -c 1000000 /dev/zero >\"$1/b\"; sleep 1"
    let result = try shell(script, [own.path, other.path]).run(limits: limits, cancellation: Cancellation()) { _ in }
    #expect(result.succeeded)
    #expect(try own.read("b").count == 1_000_000)
  }
}
