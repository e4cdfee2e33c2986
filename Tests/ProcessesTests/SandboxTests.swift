import Glibc
import Processes
import Testing

@Suite("A contained program", .enabled(if: emptySandbox != nil, "bubblewrap works on this machine"))
struct SandboxTests {
  private let scratch: Scratch
  private let sandbox: Sandbox

  init() throws {
    scratch = try Scratch()
    #expect(
      try shell("mkdir -m 777 $1/work $1/read $1/home $1/tmp && echo text >$1/read/file", [scratch.path])
        .output().result.succeeded)
    var sandbox = try #require(emptySandbox)
    sandbox.readable = [scratch.file("read")]
    sandbox.writable = [scratch.file("work")]
    sandbox.home = scratch.file("home")
    sandbox.temporaryFolder = scratch.file("tmp")
    self.sandbox = sandbox
  }

  private func contained(_ script: String, _ arguments: [String] = []) -> Command {
    shell("cd $1; " + script, [scratch.path] + arguments).contained(in: sandbox)
  }

  // MARK: Files

  @Test("writes where it may, and its files are there afterwards")
  func writes() throws {
    let collected = try contained(
      """
      cat read/file; echo a >work/file; echo b >$HOME/file; echo c >$TMPDIR/file; echo d >/tmp/d; cat /tmp/d; echo e >e
      """
    ).output()
    #expect(collected.text == "text\nd\n")
    #expect(collected.result.end == .exited(0))
    #expect(try scratch.read("work/file") == Array("a\n".utf8))
    #expect(try scratch.read("home/file") == Array("b\n".utf8))
    #expect(try scratch.read("tmp/file") == Array("c\n".utf8))
    #expect(access("/tmp/d", F_OK) != 0)
    #expect(access(scratch.file("e"), F_OK) != 0)
  }

  @Test(
    "cannot write anywhere else",
    arguments: [
      "/usr/martlet", "/martlet", "/etc/martlet", "$1/read/martlet", "$1/read/file", "/srv/x", "/dev/martlet",
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/hostname", "/proc/sys/user/max_user_namespaces", "/proc/sysrq-trigger", "/proc/self/comm",
    ])
  func cannotWrite(path: String) throws {
    let collected = try contained("(: >\(path)) 2>/dev/null && echo written").output()
    #expect(collected.text == "")
    #expect(!collected.result.succeeded)
  }

  @Test("writes to devices all the same, and to no more memory than its folders have")
  func memory() throws {
    var sandbox = sandbox
    sandbox.temporaryBytes = 1 << 20
    let script = """
      echo a >/dev/null && echo b >/dev/stdout
      for place in /tmp /var/tmp /dev/shm; do head -c 2000000 /dev/zero >$place/file 2>/dev/null; stat -c %s $place/file; done
      """
    let collected = try shell(script).contained(in: sandbox).output()
    #expect(collected.text == "b\n1048576\n1048576\n1048576\n")
  }

  @Test("is killed when what it writes to its folders in memory is too much with what its processes have")
  func tooMuchMemory() throws {
    let script = "head -c 60000000 /dev/zero >/dev/shm/a; head -c 60000000 /dev/zero >/tmp/b; sleep 50"
    let limits = Limits(wallClock: .seconds(60), memory: 100_000_000)
    let result = try shell(script).contained(in: sandbox).run(limits: limits, cancellation: Cancellation()) { _ in }
    #expect(result.why == .tooMuchMemory(limit: 100_000_000))
  }

  @Test("does not see the machine's other files")
  func cannotSee() throws {
    let script = """
      for path in /root /home /run /sys /var/run /var/lib /srv /mnt /boot /opt /etc/shadow /etc/ssh /etc/gitconfig \
        /etc/ssl/private /etc/resolv.conf /etc/machine-id /dev/kmsg /dev/sda /dev/vda $1/other; do
        if [ -e $path ]; then echo $path; fi
      done
      """
    _ = try scratch.write("", to: "other")
    #expect(try contained(script).output().text == "")
  }

  // MARK: Other processes and the network

  @Test("sees no process but its own")
  func processes() throws {
    let collected = try contained("echo /proc/[0-9]* | wc -w; kill -0 \(getpid()) 2>/dev/null && echo seen").output()
    let count = try #require(Int(collected.text.filter(\.isNumber)))
    #expect(count <= 4)
    #expect(!collected.text.contains("seen"))
  }

  @Test("has a loopback of its own, and reaches neither the machine's nor its abstract sockets")
  func loopback() throws {
    let listener = try Listener()
    let script = """
      exec 2>/dev/null
      (exec 3<>/dev/tcp/127.0.0.1/$2) && echo reached
      while read name rest; do case $name in *:) echo $name;; esac; done </proc/net/dev
      read -r zero rest </sys/class/net/lo/operstate; grep -c 0100007F /proc/net/fib_trie
      grep -q 'host LOCAL' /proc/net/fib_trie && echo up
      """
    var command = shell(script, ["", "\(listener.port)"])
    command.executable = "/bin/bash"
    #expect(try command.output().text.hasPrefix("reached\n"))
    let contained = try command.contained(in: sandbox).output()
    #expect(contained.text == "lo:\n0\nup\n")
  }

  // MARK: More rights

  @Test("has no capabilities and gets none", arguments: [false, true])
  func capabilities(asNobody: Bool) throws {
    let script = "grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status | tr -d '\\t'"
    let expected = ["CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"].map { $0 + "0000000000000000\n" }.joined()
    guard let command = command(script, asNobody: asNobody) else { return }
    #expect(try command.output().text == expected + "NoNewPrivs:1\n")
  }

  @Test(
    "cannot leave", arguments: [false, true],
    [
      "unshare -U true", "unshare -Ur true", "unshare -m true", "unshare -n true", "mount -o remount,rw,bind /usr",
      "mount -t tmpfs none /tmp", "umount /usr", "mknod /tmp/disk b 254 0", "nsenter -t 1 -U true",
      "mount -o remount,rw /proc", "chroot /usr /bin/true",
    ])
  func escape(asNobody: Bool, attempt: String) throws {
    guard let command = command("(\(attempt)) 2>/dev/null && echo escaped; exit 0", asNobody: asNobody) else { return }
    let collected = try command.output()
    #expect(collected.text == "")
    #expect(collected.result.end == .exited(0))
  }

  /// The script in the sandbox, started by an ordinary user when that is asked for and can be had.
  private func command(_ script: String, asNobody: Bool) -> Command? {
    var command = contained(script)
    guard asNobody else { return command }
    guard getuid() == 0, chmod(scratch.path, 0o755) == 0 else { return nil }
    command.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", command.executable] + command.arguments
    command.executable = "/usr/bin/setpriv"
    return command
  }
}
