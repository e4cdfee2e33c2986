import Glibc
import Processes
import Testing

@Suite(
  "A program that looks at a contained one", .enabled(if: emptySandbox != nil, "bubblewrap works on this machine"))
struct CompanionTests {
  private let scratch: Scratch
  private let sandbox: Sandbox

  init() throws {
    scratch = try Scratch()
    var sandbox = try #require(emptySandbox)
    sandbox.writable = [scratch.path]
    self.sandbox = sandbox
  }

  /// What a script says beside a contained program; `$1` is that program's number, `$2` the folder that it writes to.
  private func look(_ script: String) throws -> String {
    var answer = Result<String, any Error>.success("")
    let cancellation = try Cancellation()
    let supervision = Supervision(sawOutput: { tree in
      answer = Result {
        let process = try #require(tree.members().first { $0.name == "sh" })
        return try shell(script, ["\(process.innerPID)", scratch.path])
          .contained(in: sandbox.looking(at: process.pid)).output().text
      }
      cancellation.cancel()
    })
    _ = try shell("echo kept >$1/file; echo ready; sleep 1000; exit", [scratch.path]).contained(in: sandbox).run(
      limits: Limits(), cancellation: cancellation, supervision: supervision
    ) { _ in }
    return try answer.get()
  }

  @Test("sees its processes and files, and no others")
  func sees() throws {
    let script = "cat /proc/$1/comm $2/file; kill -0 \(getpid()) 2>/dev/null && echo seen; ls -d /root /home /sys"
    #expect(try look("exec 2>/dev/null; " + script) == "sh\nkept\n")
  }

  @Test("writes nothing, has the right to look at processes and no other, and gets none")
  func rights() throws {
    let script = """
      exec 2>/dev/null
      (: >$2/file) && echo written
      (: >/usr/martlet) && echo written
      unshare -U true && echo left
      mount -t tmpfs none /tmp && echo mounted
      nsenter -t 1 -m true && echo entered
      grep -E 'Cap(Prm|Eff|Amb)|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\t'
      cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '
      """
    let right = "0000000000080000\n"
    #expect(
      try look(script) == "CapPrm:\(right)CapEff:\(right)CapAmb:\(right)NoNewPrivs:1\nSeccomp:2\nlo\n")
    #expect(try scratch.read("file") == Array("kept\n".utf8))
  }

  @Test("is refused among processes that are not contained")
  func outside() throws {
    let output = try shell("echo in").contained(in: sandbox.looking(at: getpid())).output()
    #expect(output.text == "")
    #expect(!output.result.succeeded)
  }
}
