import Model
import Testing

@testable import Scheduling

@Suite("Which commits count for a bot that names paths")
struct CommitFilterTests {
  private func counts(_ touched: String..., for paths: String...) -> Bool {
    var bot = Bot(name: "Kit", repository: "/git/Kit.git")
    bot.paths = paths
    return CommitFilter(bot).reason(toPassOver: touched) == nil
  }

  @Test("A submodule counts where a path names something beneath it")
  func submodules() {
    #expect(counts("Sources/Lib", for: "Sources/Lib/**") && counts("Sources/Lib", for: "Sources/Lib/*.swift"))
    #expect(!counts("Sources/Lib", for: "Sources/Library/**") && !counts("Sources/Lib.swift", for: "Sources/Lib/**"))
  }
}
