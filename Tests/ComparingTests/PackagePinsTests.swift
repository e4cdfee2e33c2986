import Comparing
import Model
import Testing

@Suite("The versions of dependencies")
struct PackagePinsTests {
  private static let old = String(repeating: "1a2b3c4d", count: 5)
  private static let new = String(repeating: "5d6e7f80", count: 5)

  @Test("Each pinned version is a circumstance, and the commit's own where the commit pins the very same")
  func circumstances() {
    let pins = PackagePins([
      .init("kit", version: "1.2.2", revision: Self.old), .init("core", branch: "main", revision: Self.old),
      .init("bare", revision: Self.old), .init("scope.registered", version: "2.0.0"),
    ])
    let all = pins.circumstances(committed: nil)
    #expect(
      all == [
        Circumstance("dependency bare", "1a2b3c4"), Circumstance("dependency core", "main, 1a2b3c4"),
        Circumstance("dependency kit", "1.2.2, 1a2b3c4"), Circumstance("dependency scope.registered", "2.0.0"),
      ])
    let committed = PackagePins([
      .init("kit", version: "1.2.2", revision: Self.old), .init("core", branch: "main", revision: Self.new),
    ])
    #expect(pins.circumstances(committed: committed).map(\.committed) == [nil, nil, true, nil])
    #expect(pins.circumstances(committed: committed).map(\.value) == all.map(\.value))
  }

  @Test("What is used as it was pinned is told nowhere, and neither is what was not pinned")
  func followed() {
    let pins = PackagePins([.init("kit", version: "1.2.2", revision: Self.old), .init("new", version: "1.0.0")])
    #expect(pins.departures(from: PackagePins([pins.pins[0]]), of: "the commit") == nil)
    #expect(pins.departures(from: pins, of: "the commit") == nil)
    #expect(pins.departures(from: PackagePins([]), of: "the commit") == nil)
  }

  @Test("Each version that was not followed is told with the one that was used; where names are equal, with commits")
  func departures() {
    let committed = PackagePins([
      .init("a", version: "1.9.0", revision: Self.old), .init("b", version: "1.0.0", revision: Self.old),
      .init("c", branch: "main", revision: Self.old), .init("d", version: "3.0.0", revision: Self.old),
      .init("e", revision: Self.old),
    ])
    let used = PackagePins([
      .init("a", version: "1.2.2", revision: Self.new), .init("b", version: "1.0.0", revision: Self.new),
      .init("c", version: "2.0.0", revision: Self.new), .init("e", revision: Self.new),
    ])
    #expect(
      used.departures(from: committed, of: "the commit")
        == "Package.resolved of the commit was not followed: a 1.9.0 → 1.2.2, b 1.0.0, 1a2b3c4 → 1.0.0, 5d6e7f8, c main → 2.0.0, d 3.0.0 → not used, e 1a2b3c4 → 5d6e7f8."
    )
  }

  @Test("Of many that were not followed five are named")
  func many() {
    let committed = PackagePins((1...7).map { .init("p\($0)", version: "1.0.0") })
    let used = PackagePins((1...7).map { .init("p\($0)", version: "1.1.0") })
    let named = (1...5).map { "p\($0) 1.0.0 → 1.1.0" }.joined(separator: ", ")
    #expect(
      used.departures(from: committed, of: "the work tree")
        == "Package.resolved of the work tree was not followed: \(named), and 2 more.")
  }
}
