import Glibc
import Processes
import Testing

@Suite("The kernel, for a contained program", .enabled(if: emptySandbox != nil, "bubblewrap works on this machine"))
struct KernelTests {
  private let probe: KernelProbe
  private let sandbox: Sandbox

  init() throws {
    probe = try KernelProbe(in: Scratch())
    var sandbox = try #require(emptySandbox)
    sandbox.readable = [probe.scratch.path]
    self.sandbox = sandbox
  }

  private func answers(_ word: String, _ sandbox: Sandbox?) throws -> [String: String] {
    let command = probe.command(word)
    let output = try (sandbox.map { command.contained(in: $0) } ?? command).output()
    #expect(output.result.end == .exited(0))
    let lines = output.text.split(separator: "\n").map { $0.split(separator: ": ").map(String.init) }
    return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[1]) })
  }

  @Test("keeps what tests do not need, in the words of a kernel without rights")
  func features() throws {
    #expect(
      try answers("features", sandbox) == [
        "keyrings": "EPERM", "vsock": "EAFNOSUPPORT", "sockets": "EAFNOSUPPORT", "io_uring": "EPERM", "bpf": "EPERM",
        "perf": "EPERM", "userfaultfd": "EPERM", "setuid": "EPERM",
      ])
  }

  @Test(
    "gives what is allowed, and that only",
    arguments: [
      (.keyrings, "keyrings"), (.vsock, "vsock"), (.sockets, "sockets"), (.ioUring, "io_uring"),
      (.userfaultfd, "userfaultfd"), (.setuid, "setuid"),
    ] as [(Sandbox.Features, String)])
  func allowed(feature: Sandbox.Features, name: String) throws {
    let (refused, free) = try (answers("features", sandbox), answers("features", nil))
    var open = sandbox
    open.features = feature
    var expected = refused
    expected[name] = free[name]
    #expect(try answers("features", open) == expected)
  }

  @Test("refuses what would need rights, by whichever way it is asked")
  func others() throws {
    var open = sandbox
    open.features = [.vsock, .ioUring, .bpf, .perf, .userfaultfd]
    for sandbox in [sandbox, open] {
      let answers = try answers("others", sandbox)
      let ends = [
        "packet": "EAFNOSUPPORT", "alg": "EAFNOSUPPORT", "clone3": "ENOSYS", "x32": "ENOSYS", "i386": "ENOSYS",
      ]
      #expect(answers.count == 17)
      for (name, answer) in answers { #expect(answer == ends[name] ?? "EPERM", "\(name)") }
    }
  }

  @Test("makes nothing with the setuid, setgid or sticky bit by any call", arguments: [false, true])
  func modes(allowed: Bool) throws {
    var sandbox = sandbox
    if allowed { sandbox.features = .setuid }
    let answers = try answers("modes", sandbox)
    #expect(answers.count >= 26)
    for (name, answer) in answers {
      let isRefused = !allowed && name.hasSuffix(" bit")
      // What reaches the kernel finds no folder, or no such call where it is older.
      let reached = name == "openat2" ? ["EFAULT"] : name.hasPrefix("fchmodat2") ? ["ENOENT", "ENOSYS"] : ["ENOENT"]
      let expected = isRefused ? ["EPERM"] : name == "openat2" && !allowed ? ["ENOSYS"] : reached
      #expect(expected.contains(answer), "\(name): \(answer)")
    }
  }

  @Test("gives what compilers, tests and sanitizers need")
  func honest() throws {
    let answers = try answers("honest", sandbox)
    #expect(answers.count == 10)
    #expect(answers.filter { $0.value != "ok" } == [:])
  }

  @Test("hands it no descriptor but its streams")
  func descriptors() throws {
    let script = "for file in /proc/self/fd/*; do echo ${file##*/}; done"
    // One is the shell's own, to read the folder.
    let output = try shell(script).contained(in: sandbox).output()
    #expect(output.text.split(separator: "\n").prefix(3) == ["0", "1", "2"])
    #expect(output.text.split(separator: "\n").count <= 4)
  }
}

@Suite("The kernel's keys of the caller")
struct KeyringTests {
  /// The number of the system call `add_key`; that of `keyctl` is greater by two.
  #if arch(x86_64)
    private static let firstCall = 248
  #else
    private static let firstCall = 217
  #endif

  fileprivate typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int

  private static let session = -3

  /// Gives this thread a session keyring with a key in it, as a login does; false where the machine has no keyrings.
  fileprivate static func plant(_ name: String, _ call: SystemCall) -> Bool {
    guard call(firstCall + 2, 1, 0, 0, 0, 0) > 0 else { return false }
    return "user".withCString { kind in
      name.withCString { name in
        call(firstCall, Int(bitPattern: kind), Int(bitPattern: name), Int(bitPattern: kind), 4, session) > 0
      }
    }
  }

  fileprivate static func holds(_ name: String, _ call: SystemCall) -> Bool {
    "user".withCString { kind in
      name.withCString { name in call(firstCall + 2, 10, session, Int(bitPattern: kind), Int(bitPattern: name), 0) > 0 }
    }
  }

  /// Runs programs, contained and not, that look for the caller's key and plant one.
  fileprivate static func runPrograms(_ call: SystemCall) throws {
    let probe = try KernelProbe(in: Scratch())
    var sandbox = emptySandbox
    sandbox?.readable = [probe.scratch.path]
    sandbox?.features = .keyrings
    let commands = { (step: String, name: String) in
      let command = probe.command(step, name)
      return [command] + [sandbox.map { command.contained(in: $0) }].compactMap(\.self)
    }
    for command in commands("find", "martlet-caller") { try #require(command.output().text == "found: ENOKEY\n") }
    for command in commands("leave", "martlet-planted") { try #require(command.output().text == "left: ok\n") }
    try #require(!holds("martlet-planted", call))
    sandbox?.features = []
    guard let sandbox else { return }
    let list = Command("/bin/cat", ["/proc/keys"], environment: [:], workingDirectory: "/").contained(in: sandbox)
    try #require(try !list.output().text.contains("martlet-caller"))
  }

  @Test("are not seen by what it starts, contained or not, which plants none either")
  func keys() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // The C library's function takes any number of arguments, which these machines pass as they pass six.
      let call = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: KeyringTests.SystemCall.self)
      guard KeyringTests.plant("martlet-caller", call) else { exit(7) }
      try #require(KeyringTests.holds("martlet-caller", call))
      try KeyringTests.runPrograms(call)
      exit(7)
    }
  }
}
