import Testing

@testable import Integrating

@Suite("Whether a build goes on from an earlier one")
struct BuildWarmthTests {
  private let scratch: Scratch
  private let memory: Folder

  init() throws {
    scratch = try Scratch()
    memory = scratch.folder.folder("memory")
  }

  private func warmth(_ arguments: String...) -> BuildWarmth { BuildWarmth(arguments: arguments, in: memory) }

  @Test("The first build begins from nothing, and the next one goes on once it has succeeded")
  func course() {
    #expect(warmth("a").isWarm(hasProducts: false) == false)
    warmth("a").noteBegin()
    // It failed, and nobody knows how far it came.
    #expect(warmth("a").isWarm(hasProducts: true) == nil)
    warmth("a").noteEnd()
    #expect(warmth("a").isWarm(hasProducts: true) == true)
    warmth("a").noteBegin()
    #expect(warmth("a").isWarm(hasProducts: true) == true)
  }

  @Test("Of other arguments, and of what an older Martlet built, it is not known")
  func unknown() {
    #expect(warmth("a").isWarm(hasProducts: true) == nil)
    warmth("a").noteEnd()
    #expect(warmth("a", "b").isWarm(hasProducts: true) == nil)
    warmth("a", "b").noteBegin()
    #expect(warmth("a").isWarm(hasProducts: true) == nil)
  }
}
