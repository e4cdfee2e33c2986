import Testing

@testable import Processes

@Suite("Processes that the kernel ended for want of memory")
struct MemoryKillsTests {
  @Test("The figure is read off the kernel's statistics, and is nought where the kernel does not count")
  func figure() {
    #expect(MemoryKills.count(in: "pgmajfault 912\noom_kill 3\nnuma_pte_updates 0\n") == 3)
    #expect(MemoryKills.count(in: "pgmajfault 912\n") == 0)
    #expect(MemoryKills.count(in: "") == 0)
  }
}
