import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("Destinations that wait for idle time")
struct IdleTests {
  private func begin(_ name: String = #function) throws -> (kept: KeptWatch, repository: String) {
    let kept = try KeptWatch(name)
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "destinations: [{}, {sanitize: thread, when: idle}]\n")
    try kept.start()
    return (kept, repository)
  }

  @Test("They are built for the newest commit when nothing waits, once")
  func once() throws {
    let (kept, _) = try begin()
    let first = try #require(kept.child?.order)
    #expect(first.includesIdle == false)
    kept.integrated()
    let second = try #require(kept.child?.order)
    #expect(second.cause == .idle)
    #expect(second.includesIdle == true)
    #expect(second.commit == first.commit)
    #expect(second.number == 2)
    kept.integrated()
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("So does a bot that tries all functions without their bodies")
  func mutants() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "coverage: {mutants: all}\n")
    try kept.start()
    kept.integrated()
    #expect(kept.child?.order?.cause == .idle)
    #expect(kept.child?.order?.includesIdle == true)
    kept.integrated()
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("They give way to a new commit, with which they are built later")
  func givesWay() throws {
    let (kept, repository) = try begin()
    kept.integrated()
    let idle = try #require(kept.child)
    #expect(idle.order?.cause == .idle)
    try kept.scratch.commit(repository, "Hurry")
    kept.settle()
    #expect(idle.isTerminated)
    idle.finish(.canceled, at: kept.time.now)
    kept.settle()
    #expect(kept.child?.order?.cause == .commit)
    kept.integrated()
    #expect(kept.child?.order?.cause == .idle)
    #expect(kept.child?.order?.number == 4)
  }

  @Test("An older commit that a person has integrated once more has no part in them")
  func rerunOfOld() throws {
    let (kept, repository) = try begin()
    kept.integrated()
    kept.integrated()
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    kept.integrated()
    #expect(kept.child?.order?.cause == .idle)
    kept.integrated()
    #expect(kept.launcher.running.isEmpty)
    _ = try kept.ask(ControlRequest(.rerun, bot: "greeter", number: 1))
    kept.settle()
    #expect(kept.child?.order?.cause == .rerun)
    kept.integrated()
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
  }
}
