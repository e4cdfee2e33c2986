import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Integrating

@Suite("Taking up what was handed out")
struct ClaimTests {
  private let scratch: Scratch
  private let run: MachineRun
  private let handed: HandoverFolder
  private let id = "0123456789abcdef"

  init() throws {
    scratch = try Scratch()
    run = MachineRun(home: Home(scratch.folder.path))
    handed = try run.handed(id)
    try handed.folder.create()
  }

  @Test("Two jobs for one integration begin it once, and the order is gone from the disk")
  func once() throws {
    try handed.folder.write([], to: SlurmEngine.order)
    #expect(try run.claim(id))
    #expect(handed.isClaimed)
    #expect(try !run.claim(id))
    #expect(handed.folder.holds(HandoverFolder.started) && !handed.folder.holds(SlurmEngine.order))
  }

  @Test("Whatever has begun once is not begun again, even if its process is dead")
  func begunBefore() throws {
    try handed.folder.write([], to: HandoverFolder.started)
    #expect(try !run.claim(id))
  }

  @Test("What could not be begun does not count as begun, and the next attempt begins it")
  func failedStart() throws {
    let order = IntegrationOrder(
      bot: Bot(name: "greeter", repository: "/r"), number: 3, commit: CommitID(rawValue: "a"), branch: "main",
      cause: .commit, queuedAt: Date(timeIntervalSince1970: 0))
    let program = CarryingProgram(path: "/bin/true", options: [], environment: [:])
    let news = try handed.folder.folder(HandoverFolder.news).create()
    #expect(throws: IntegratingError.storage("write", news.path, errno: EISDIR)) {
      try run.engine.start(handed, order, by: program)
    }
    #expect(!run.engine.hasTaken(handed))
    try news.remove()
    try run.engine.start(handed, order, by: program)
    #expect(run.engine.hasTaken(handed))
  }

  @Test("What somebody does not want any more cannot be taken up")
  func dropped() throws {
    try handed.folder.remove()
    #expect(throws: IntegratingError.self) { try run.claim(id) }
  }
}
