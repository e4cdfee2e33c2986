#if compiler(>=6.3)
  import Glibc
  import Model
  import Testing

  @testable import Storing

  extension CrashTests {
    @Test(
      "A process that is killed at any write, or in the middle of it, loses nothing that it promised",
      arguments: Array(stride(from: 0, to: 220, by: 11)))
    func killed(count: Int) async throws {
      let scratch = try Scratch()
      let work = Work(in: scratch.path)
      for (round, fault) in [FaultyDisk.Fault.kill, .tear].enumerated() {
        let folder = scratch.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, round = round as Int, count = count as Int, fault = fault.rawValue as Int] in
          FaultyDisk.fail(FaultyDisk.Fault(rawValue: fault) ?? .kill, after: count)
          try Work(in: folder).run(from: round * 100, rounds: 50)
        }
        try work.expectPromisesKept()
      }
      FaultyDisk.work()
      try work.run(from: 200, rounds: 2)
      try work.expectPromisesKept()
    }
  }
#endif
