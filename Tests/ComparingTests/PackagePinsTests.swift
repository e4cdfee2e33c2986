import Comparing
import Model
import Rendering
import Testing

@Suite("The versions of dependencies")
struct PackagePinsTests {
  private static let old = String(repeating: "1a2b3c4d", count: 5)
  private static let new = String(repeating: "5d6e7f80", count: 5)

  @Test("Of what differs besides the commits, variables and versions of dependencies may change what code does")
  func ofCode() {
    var (old, new) = (Documents.integration(1), Documents.integration(2))
    old.circumstances = [
      Circumstance("system", "Debian"), Circumstance("tests.retries", "2"), Circumstance("dependency free", "1"),
    ]
    new.circumstances = [
      Circumstance("system", "Ubuntu"), Circumstance("environment.API", "b"), Circumstance("dependency free", "2"),
    ]
    new.toolchain = "Swift version 6.4"
    #expect(
      CircumstanceChange.ofCode(from: IntegrationRecord(old), to: IntegrationRecord(new)) == [
        CircumstanceChange("environment.API", before: nil, after: "b"),
        CircumstanceChange("dependency free", before: "1", after: "2"),
      ])
  }

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

  @Test("What is used as it was pinned departs from nothing, and neither does what was not pinned")
  func followed() {
    let pins = PackagePins([.init("kit", version: "1.2.2", revision: Self.old), .init("new", version: "1.0.0")])
    #expect(pins.departures(from: PackagePins([pins.pins[0]])) == [])
    #expect(pins.departures(from: pins) == [])
    #expect(pins.departures(from: PackagePins([])) == [])
  }

  @Test("Each version that was not followed is found with the one that was used")
  func departures() {
    let (kit, core) = (PackagePins.Pin("kit", version: "1.2.2"), PackagePins.Pin("core", branch: "main"))
    let used = PackagePins.Pin("kit", version: "1.3.0")
    #expect(
      PackagePins([used]).departures(from: PackagePins([kit, core])) == [
        .init(pinned: core, used: nil), .init(pinned: kit, used: used),
      ])
  }
}
