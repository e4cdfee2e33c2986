import FoundationEssentials
import Model
import Testing

extension Builds.SmallPackagesTests {
  @Test(
    "A bare repository with a dependency on another repository, whose versions are told, and a target for another platform, tested with XCTest alone"
  )
  func bare() throws {
    let library = try GitFolder("Library", in: scratch)
    try library.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.text("Library", targets: #".target(name: "Library")"#),
        "Sources/Library/Library.swift": "public let answer = 42\n",
      ])
    try library.git("tag", "1.0.0")
    let revision = try library.head.rawValue
    let source = try GitFolder("Client", in: scratch)
    func clientManifest(from version: String) -> String {
      SmallManifest.text(
        "Client", dependencies: #".package(url: "file://\#(library.path)", from: "\#(version)")"#,
        targets: """
          .target(
            name: "Client",
            dependencies: [
              .product(name: "Library", package: "Library"),
              .target(name: "Dock", condition: .when(platforms: [.macOS])),
            ]),
          .target(name: "Dock"),
          .testTarget(name: "ClientTests", dependencies: ["Client"])
          """)
    }
    try source.commit(
      "Ask the library",
      [
        "Package.swift": clientManifest(from: "1.0.0"),
        "Sources/Client/Client.swift": "import Library\npublic func ask() -> Int { answer }\n",
        "Sources/Dock/Dock.swift": "public func badge() -> Int { 0 }\n",
        "Tests/ClientTests/ClientTests.swift": """
        import Client
        import XCTest
        final class ClientTests: XCTestCase {
          func test_ask() { XCTAssertEqual(ask(), 42) }
        }

        """,
      ])
    try source.git("clone", "--quiet", "--bare", source.path, scratch.file("Client.git"))
    let before = try FolderSnapshot(scratch.file("Client.git"))
    let first = try program.integrate(scratch.file("Client.git"), "--sandbox", "off", bot: "Client")
    #expect(first.run.status == 0, "\(first.run.errors)\(first.run.output)")
    #expect(first.document.repository == scratch.file("Client.git"))
    #expect(first.document.branch == "main")
    #expect(first.document.tests.source == ["XCTest": "observer"])
    #expect(first.document.tests.passed == 1)
    #expect(first.coverage.files?.map(\.path) == ["Sources/Client/Client.swift"])
    #expect(try first.report.text("coverage.html").contains("<dt>Not built</dt><dd>1 source of Dock: not needed"))
    #expect(first.step(.resolving)?.exitStatus == 0)
    #expect(first.step(.testing)?.exitStatus == 0, "Listing tests is not testing.")
    #expect(try FolderSnapshot(scratch.file("Client.git")).differences(from: before) == [])

    let second = try program.integrate(scratch.file("Client.git"), "--quiet", "--sandbox", "off", bot: "Client")
    #expect(second.document.steps.map(\.name) == [.checkout, .building, .testing, .processing])
    #expect(second.document.tests.passed == 1)
    let used = Circumstance("dependency library", "1.0.0, \(revision.prefix(7))")
    #expect([first, second].map { $0.document.circumstances?.filter(\.isDependency) } == [[used], [used]])
    #expect(second.document.issues.isEmpty)

    // The versions that a commit pins count only as far as its manifest allows them.
    try library.commit("Grow", ["Sources/Library/Library.swift": "public let answer = 6 * 7\n"])
    try library.git("tag", "1.1.0")
    let pin = """
      "identity": "library", "kind": "localSourceControl", "location": "\(library.path)",
      "state": {"revision": "\(revision)", "version": "1.0.0"}
      """
    try source.commit(
      "Need more, and pin less",
      [
        "Package.swift": clientManifest(from: "1.1.0"),
        "Package.resolved": "{\"pins\": [{\(pin)}], \"version\": 2}\n",
        "Sources/Dock/Dock.swift": "public func badge() -> Int { 1 }\n",
      ])
    try source.git("push", "--quiet", scratch.file("Client.git"), "main")
    let third = try program.integrate(
      scratch.file("Client.git"), "--quiet", "--sandbox", "off", bot: "Client")
    #expect(third.run.status == 0, "\(third.run.errors)\(third.run.output)")
    #expect(
      third.document.issues.map(\.message) == [
        "Package.resolved of the commit was not followed: library 1.0.0 → 1.1.0."
      ])
    #expect(
      third.coverage.changes?.patch.uncounted == [
        UncountedPatchFile(path: "Sources/Dock/Dock.swift", package: nil, unmeasured: .unbuilt, lines: nil)
      ])
    let newer = try library.git("rev-parse", "--short=7", "HEAD").filter { !$0.isNewline }
    #expect(
      third.document.circumstances?.filter(\.isDependency) == [Circumstance("dependency library", "1.1.0, \(newer)")])

    // What pins are left when the last dependency is gone is of no account, whether SwiftPM runs or has nothing to do.
    try source.commit(
      "Need nothing",
      [
        "Package.swift": SmallManifest.text(
          "Client", targets: #".target(name: "Client"), .testTarget(name: "ClientTests", dependencies: ["Client"])"#),
        "Sources/Client/Client.swift": "public func ask() -> Int { 42 }\n",
      ])
    try source.git("push", "--quiet", scratch.file("Client.git"), "main")
    for _ in 1...2 {
      let last = try program.integrate(scratch.file("Client.git"), "--quiet", "--sandbox", "off", bot: "Client")
      #expect(last.document.tests.passed == 1, "\(last.run.errors)\(last.run.output)")
      #expect(last.document.circumstances?.contains(where: \.isDependency) == false)
      #expect(!last.document.issues.contains { $0.status != .resolved })
    }
  }
}
