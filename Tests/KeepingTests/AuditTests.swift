import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("Audits in idle time")
struct AuditTests {
  private let day = 86_400.0

  /// A watch of a bot whose branch was built twice, a day ago.
  private func built(_ name: String = #function, _ more: String = "") throws -> (kept: KeptWatch, repository: String) {
    let kept = try KeptWatch(name)
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", more)
    try kept.start()
    kept.integrated()
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    kept.integrated()
    #expect(kept.launcher.running.isEmpty)
    kept.time.advance(day)
    kept.settle()
    return (kept, repository)
  }

  private func end(_ kept: KeptWatch, _ difference: BuildAudit.Difference? = nil) throws {
    let child = try #require(kept.child)
    let commit = try #require(child.order?.commit)
    child.news.append(.audited(BuildAudit(date: kept.time.now, commit: commit, difference: difference)))
    child.end = TaskEnd()
    kept.settle()
  }

  @Test("After a day the newest build of a branch is audited, and then not until it was built again")
  func aDay() throws {
    let (kept, repository) = try built()
    #expect(kept.child?.order?.audits == true)
    #expect(kept.child?.order?.number == 2)
    #expect(kept.child?.order?.branch == "main")
    try end(kept)
    #expect(kept.lines.all.contains("greeter 2: a clean build makes the same."))
    kept.time.advance(3 * day)
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.child?.order?.audits == false)
    kept.integrated()
    #expect(kept.child?.order?.audits == true)
    #expect(kept.child?.order?.number == 3)
  }

  @Test("Work ends an audit at once, which is begun again afterwards")
  func work() throws {
    let (kept, repository) = try built()
    let audit = try #require(kept.child)
    try kept.scratch.commit(repository, "Hurry")
    kept.settle()
    #expect(audit.isKilled)
    let next = try #require(kept.launcher.started.last)
    #expect(next.order?.audits == false)
    #expect(next.order?.number == 3)
    next.finish(at: kept.time.now)
    kept.settle()
    #expect(kept.launcher.started.last?.order?.audits == true)
    #expect(kept.launcher.started.last?.order?.number == 3)
  }

  @Test("A commit whose build is not its own is integrated again")
  func differs() throws {
    let (kept, _) = try built()
    let commit = try #require(kept.child?.order?.commit)
    try end(kept, BuildAudit.Difference(files: ["debug/Red.build/Red.swift.o"]))
    #expect(kept.child?.order?.audits == false)
    #expect(kept.child?.order?.cause == .rerun)
    #expect(kept.child?.order?.commit == commit)
    #expect(kept.child?.order?.number == 3)
  }

  @Test("What is always a clean build is not audited")
  func always() throws {
    let (kept, _) = try built(#function, "clean: always\n")
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("A watcher that stops gives an audit up")
  func stops() throws {
    let (kept, _) = try built()
    let audit = try #require(kept.child)
    kept.watcher?.stop()
    #expect(audit.isKilled)
    #expect(kept.watcher?.isOver == true)
  }
}
