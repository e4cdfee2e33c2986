import Testing

@testable import Integrating

@Suite("What a machine lacks")
struct MachineCheckTests {
  @Test("Little space is lacking, enough is not")
  func space() {
    let little = MachineCheck.space(free: 1_500_000_000, at: "/srv")
    #expect(!little.isThere)
    #expect(
      little.words
        == "only 1.5 GB free at /srv, and builds take 2.0 GB. Make room, or name a home on another disk with --home")
    #expect(
      MachineCheck.space(free: 2_000_000_000, at: "/srv")
        == .init(name: "disk", isThere: true, words: "2.0 GB free at /srv"))
  }

  @Test("The nearest folder that is there stands for a home that is not made yet")
  func existing() {
    #expect(MachineCheck.existing("/proc/self/nothing/of/this") == "/proc/self")
    #expect(MachineCheck.existing("/nothing/of/this") == "/")
    #expect(MachineCheck.existing("/") == "/")
  }
}
