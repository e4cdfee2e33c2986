import Glibc
import Processes
import Testing

#if compiler(>=6.3)
  /// What concerns this whole process and is therefore tried in another.
  @Suite("A process that runs programs")
  struct WholeProcessTests {
    @Test("has no zombie and no descriptor more after a thousand runs")
    func thousandRuns() async {
      await #expect(processExitsWith: .exitCode(7)) {
        let command = Command("/bin/true", environment: [:], workingDirectory: "/")
        guard try command.output().result.succeeded else { exit(1) }
        let before = try openDescriptors()
        for _ in 0..<1000 {
          guard try command.output().result.succeeded else { exit(2) }
        }
        // Whatever runs this test may open some of its own meanwhile; a leak would be a thousand.
        guard try openDescriptors() - before < 100 else { exit(3) }
        guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(4) }
        exit(7)
      }
    }

    @Test("is canceled by the first Ctrl-C and ended by the second")
    func interrupt() async {
      await #expect(processExitsWith: .signal(SIGINT)) {
        receive(SIGINT)
        let cancellation = try Cancellation()
        try cancellation.cancelOnSignals()
        let result = try shell("echo ready; exec sleep 1000").run(limits: Limits(), cancellation: cancellation) { _ in
          raise(SIGINT)
        }
        guard result.why == .canceled, cancellation.isCanceled else { exit(1) }
        raise(SIGINT)
        exit(2)
      }
    }

    @Test("is canceled by SIGTERM and SIGHUP, however often", arguments: [SIGTERM, SIGHUP])
    func terminate(number: Int32) async {
      await #expect(processExitsWith: .exitCode(7)) { [number = number as Int32] in
        receive(number)
        let cancellation = try Cancellation()
        try cancellation.cancelOnSignals()
        guard !cancellation.isCanceled else { exit(1) }
        for _ in 0..<3 { raise(number) }
        guard cancellation.isCanceled else { exit(2) }
        exit(7)
      }
    }

    @Test("ends some time after the first signal, in whatever it hangs", arguments: [SIGTERM, SIGINT])
    func hanging(number: Int32) async {
      await #expect(processExitsWith: .exitCode(130)) { [number = number as Int32] in
        receive(number)
        try Cancellation().cancelOnSignals(patience: 1)
        raise(number)
        while true { _ = getppid() }
      }
    }

    @Test("goes on under nohup")
    func ignoredSignal() async {
      await #expect(processExitsWith: .exitCode(7)) {
        receive(SIGHUP)
        signal(SIGHUP, SIG_IGN)
        let cancellation = try Cancellation()
        try cancellation.cancelOnSignals()
        raise(SIGHUP)
        exit(cancellation.isCanceled ? 1 : 7)
      }
    }

    @Test("leaves nothing behind when it is killed")
    func killed() async throws {
      let scratch = try Scratch()
      let tether = try Tether(in: scratch)
      let path = tether.path
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let script =
          "exec 9>\"$1\"; echo up >&9; (setsid sleep 1000 &); echo ready; trap '' TERM; sleep 1000; sleep 1000"
        _ = try shell(script, [path]).run(limits: Limits(), cancellation: Cancellation()) { _ in
          kill(getpid(), SIGKILL)
        }
      }
      #expect(tether.next() == "up\n")
      #expect(tether.next() == "")
    }

    @Test("says what is wrong when it has no descriptors left")
    func noDescriptors() async {
      await #expect(processExitsWith: .exitCode(7)) {
        var few = rlimit(rlim_cur: 0, rlim_max: 0)
        let cancellation = try Cancellation()
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
        do {
          _ = try shell("exit 0").run(limits: Limits(), cancellation: cancellation) { _ in }
        } catch let error as ProcessError {
          let text =
            "Could not start “/bin/sh”: Martlet has too many files open. Run fewer jobs, or raise “ulimit -n”."
          exit(error.description == text && error.code == .exhausted ? 7 : 1)
        }
        exit(2)
      }
    }
  }

  /// Lets this thread, which may belong to a pool that takes no signals, have one at once when it raises it.
  private func receive(_ number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private func openDescriptors() throws -> Int {
    guard let folder = opendir("/proc/self/fd") else { throw SystemFailure(call: "opendir", code: errno) }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
#endif
