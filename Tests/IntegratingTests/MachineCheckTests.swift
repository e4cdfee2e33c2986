import Glibc
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

  @Test("A home that cannot be made is made by root for the user, and nothing around it changes hands")
  func unusableHome() {
    #expect(
      MachineCheck.unusable(home: "/srv/my ci", because: EACCES, of: "/srv", user: 1000)
        == .init(
          name: "home", isThere: false,
          words:
            "/srv/my ci cannot be used, because of /srv: Permission denied. Run as root: mkdir -p '/srv/my ci' && chown 1000 '/srv/my ci', or use --home"
        ))
    #expect(
      MachineCheck.unusable(home: "/ci", because: EROFS, of: "/", user: 1000).words
        == "/ci cannot be used, because of /: Read-only file system. Name a home on another disk with --home")
  }

  @Test("The nearest folder that is there stands for a home that is not made yet")
  func existing() {
    #expect(MachineCheck.existing("/proc/self/nothing/of/this") == "/proc/self")
    #expect(MachineCheck.existing("/nothing/of/this") == "/")
    #expect(MachineCheck.existing("/") == "/")
  }
}
