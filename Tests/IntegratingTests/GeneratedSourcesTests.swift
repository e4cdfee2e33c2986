import FoundationEssentials
import Glibc
import Testing

@testable import Integrating

@Suite("Generated sources")
struct GeneratedSourcesTests {
  private struct Place {
    let scratch: Scratch
    let generated: GeneratedSources

    init() throws {
      scratch = try Scratch()
      let folder = scratch.folder
      generated = GeneratedSources(
        engine: NativeEngine(scratch: try folder.folder("scratch").create(), configuration: "debug"),
        scratch: folder.folder("scratch"),
        memory: try folder.folder("memory").create())
      try folder.folder("scratch").link("debug", to: "x86/debug")
    }

    func write(_ path: String) throws {
      let parts = path.split(separator: "/")
      try scratch.folder.folder(parts.dropLast().joined(separator: "/")).create().write(
        [1], to: String(parts[parts.count - 1]))
    }

    func holds(_ path: String) -> Bool { scratch.folder.holds(path) }
  }

  @Test("What the driver remembers of the lists of tests goes before a build, and nothing else")
  func forgotten() throws {
    let place = try Place()
    let build = "scratch/x86/debug"
    let lists = [
      "\(build)/PPackageTests.build/primary.priors", "\(build)/PPackageDiscoveredTests.build/primary.priors",
    ]
    let others = [
      "\(build)/P.build/primary.priors", "\(build)/PPackageTests.build/runner.swift.o",
      "\(build)/PTests.build/a.priors",
    ]
    for path in lists + others { try place.write(path) }
    place.generated.forget(embedsResources: false, usesPlugins: false)
    #expect(lists.filter(place.holds).isEmpty)
    #expect(others.filter(place.holds) == others)
  }

  @Test("Sources that a prebuild command made go before the next build, and what it keeps for itself stays")
  func prebuilt() throws {
    let place = try Place()
    let (old, cache) = (
      "scratch/plugins/outputs/p/P/destination/Pre/Old.swift", "scratch/plugins/outputs/p/P/cache.json"
    )
    try place.write(old)
    try place.write(cache)
    place.generated.forget(embedsResources: false, usesPlugins: false)
    #expect(place.holds(old))
    place.generated.forget(embedsResources: false, usesPlugins: true)
    #expect(!place.holds(old) && place.holds(cache))
  }

  @Test("A link in the place of a module leads to nothing that is removed")
  func links() throws {
    let place = try Place()
    try place.write("outside/primary.priors")
    try place.write("scratch/x86/debug/other")
    symlink(place.scratch.file("outside"), place.scratch.file("scratch/x86/debug/PPackageTests.build"))
    place.generated.forget(embedsResources: false, usesPlugins: false)
    #expect(place.holds("outside/primary.priors"))
  }

  @Test(
    "A build after one that generated other sources waits for the next second",
    arguments: [(1000.25, 1000.5, 501), (1000.25, 1000.999, 2), (1000.25, 1001.0, nil), (1000.25, 999.5, nil)])
  func pause(ended: Double, now: Double, milliseconds: Int?) throws {
    let place = try Place()
    try place.write("scratch/plugins/outputs/p")
    place.generated.noteEnd(at: Date(timeIntervalSince1970: ended))
    let pause = place.generated.pause(at: Date(timeIntervalSince1970: now))
    #expect(pause == milliseconds.map { .milliseconds($0) })
  }

  @Test("Without other generated sources nothing waits, nor before the first build")
  func noPause() throws {
    let place = try Place()
    place.generated.noteEnd(at: Date(timeIntervalSince1970: 1000))
    #expect(place.generated.pause(at: Date(timeIntervalSince1970: 1000.5)) == nil)
    let other = try Place()
    try other.write("scratch/x86/debug/P.build/DerivedSources/accessor.swift")
    #expect(other.generated.pause(at: Date(timeIntervalSince1970: 1000.5)) == nil)
  }
}
