import FoundationEssentials
import Model
import Testing

@testable import Integrating

@Suite("Which destinations are built at once")
struct BuildsAtOnceTests {
  private static let dependent = "dependencies: [.package(url: \"https://example.org/A.git\", from: \"1.0.0\")]"

  private func terms(
    _ manifest: String, arguments: [String] = [], environment: [String: String] = [:], toolchain: String? = nil,
    stopsEarly: Bool = false, isContained: Bool = true, hasPins: Bool = false
  ) -> BuildTerms? {
    var bot = Bot(name: "greeter", repository: "/srv/Greeter.git")
    bot.destinations = Destinations([Destination()], stopsEarly: stopsEarly)
    var way = Destination()
    (way.arguments, way.environment, way.toolchain) = (arguments, environment, toolchain)
    let request = IntegrationRequest(bot, queuedAt: Date(timeIntervalSince1970: 0)).going(way)
    return BuildTerms(
      request, PackageManifests(own: [.init(path: "Package.swift", text: manifest)]), isContained: isContained,
      hasPins: hasPins)
  }

  @Test("Destinations of a package that fetches nothing are, however they differ")
  func plain() {
    let all = [terms(""), terms("", arguments: ["--traits", "A"]), terms("", toolchain: "/opt/swift")]
    #expect(!all.contains(nil))
    #expect(Set(all).count == 1)
  }

  @Test("With dependencies, those are that resolve them alike")
  func dependencies() {
    let one = terms(Self.dependent, hasPins: true)
    #expect(one != nil)
    #expect(one == terms(Self.dependent, arguments: ["-Xswiftc", "-O"], hasPins: true))
    #expect(one != terms(Self.dependent, arguments: ["--traits", "A"], hasPins: true))
    #expect(one != terms(Self.dependent, environment: ["LOCAL": "1"], hasPins: true))
    #expect(one != terms(Self.dependent, toolchain: "/opt/swift", hasPins: true))
  }

  @Test("None is that waits for others, may change the sources, or is not contained")
  func alone() {
    #expect(terms("", stopsEarly: true) == nil)
    #expect(terms("", isContained: false) == nil)
    #expect(terms("plugins: [\"Generator\"]") == nil)
    // SwiftPM removes it.
    #expect(terms("", hasPins: true) == nil)
  }

  @Test("Neighbours with the same terms are in one group, and without room for two nothing is built at once")
  func groups() {
    let (one, other) = (terms(""), terms(Self.dependent))
    let all = [one, one, other, nil, nil, other, other, one]
    #expect(BuildTerms.groups(of: all, hasRoom: true) == [0..<2, 2..<3, 3..<4, 4..<5, 5..<7, 7..<8])
    #expect(BuildTerms.groups(of: all, hasRoom: false) == all.indices.map { $0..<$0 + 1 })
    #expect(BuildTerms.groups(of: [one, one, one], hasRoom: true) == [0..<3])
    #expect(BuildTerms.groups(of: [], hasRoom: true) == [])
  }

  @Test("Two builds have room on two processors with 6 GiB of memory")
  func room() {
    #expect(BuildTerms.hasRoomForTwo(processors: 2, memoryBytes: 6 << 30))
    #expect(!BuildTerms.hasRoomForTwo(processors: 1, memoryBytes: 64 << 30))
    #expect(!BuildTerms.hasRoomForTwo(processors: 16, memoryBytes: 6 << 30 - 1))
  }
}
