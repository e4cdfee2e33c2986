import FoundationEssentials
import Model
import Testing

extension Integrations {
  @Suite("Gates that were failed")
  struct GateHoldingTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Shop",
        targets: [.target(name: "Shop"), .testTarget(name: "ShopTests", dependencies: ["Shop"])])

      """

    private static let source = """
      public func price() -> Int {
        3
      }

      public func discount() -> Int {
        1
      }

      """

    private static func tests(_ line: String) -> String {
      "import Testing\nimport Shop\n\n@Test func sells() {\n  \(line)\n}\n"
    }

    private static let poor = tests("#expect(price() == 3)")
    private static let rich = tests("#expect(price() + discount() == 4)")

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    init() throws {
      scratch = try ScratchFolder("holding")
      repository = try GitFolder("Shop", in: scratch)
      program = Program(scratch: scratch)
    }

    private func integrate(_ gate: String, in path: String? = nil) throws -> Integrated {
      let run = try program.run(
        ["run", path ?? repository.path, "--quiet", "--sandbox", "off", "--gate", gate])
      guard let number = program.numbers(of: "Shop").max() else { throw NoIntegration(run: run) }
      return try program.integrated(number, of: "Shop", run: run)
    }

    private func sentence(_ integrated: Integrated) -> String? { integrated.document.gates?.first?.sentence }

    @Test("What the first commit of all did not test is not let through with the second")
    func firstCommit() throws {
      try repository.commit(
        "Begin",
        [
          "Package.swift": Self.manifest, "Sources/Shop/Shop.swift": Self.source,
          "Tests/ShopTests/ShopTests.swift": Self.poor,
        ])
      #expect(try integrate("patch-fully-covered").run.status == 1)
      try repository.commit("Explain", ["README.md": "Shop\n"])
      let held = try integrate("patch-fully-covered")
      #expect(held.run.status == 1)
      #expect(
        sentence(held)
          == "3 of 6 changed lines never ran: Sources/Shop/Shop.swift:5–7. This is told from the first commit on, because none since then passed the gate."
      )
      #expect(held.document.gates?.map(\.base) == [.nothing])
      try repository.commit("Test", ["Tests/ShopTests/ShopTests.swift": Self.rich])
      #expect(try integrate("patch-fully-covered").run.status == 0)
    }

    @Test("A gate is not met where what it is judged against is out of reach, in a shallow clone or removed")
    func outOfReach() throws {
      try repository.commit(
        "Begin",
        [
          "Package.swift": Self.manifest, "Sources/Shop/Shop.swift": Self.source,
          "Tests/ShopTests/ShopTests.swift": Self.rich,
        ])
      let clone = scratch.file("clone/Shop")
      func fetch() throws {
        try? FileManager.default.removeItem(atPath: clone)
        try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.path)", clone)
      }
      try fetch()
      #expect(try integrate("ratchet", in: clone).run.status == 0)
      try repository.commit("Test less", ["Tests/ShopTests/ShopTests.swift": Self.poor])
      try fetch()
      let shallow = try integrate("ratchet", in: clone)
      #expect(shallow.run.status == 1)
      #expect(
        sentence(shallow)
          == "It could not be judged. The repository is a shallow clone whose history ends before any commit that was integrated with complete coverage, so nobody can tell what to compare with. Fetch more of it, as with `git fetch --unshallow`."
      )
      try repository.git("-C", clone, "fetch", "--quiet", "--unshallow")
      let whole = try integrate("ratchet", in: clone)
      #expect(whole.run.status == 1)
      #expect(whole.document.gates?.map(\.base?.number) == [1])

      try FileManager.default.removeItem(atPath: scratch.file("home/integrations/Shop/1"))
      try repository.git("-C", clone, "commit", "--quiet", "--allow-empty", "--message", "Explain")
      let removed = try integrate("ratchet", in: clone)
      #expect(removed.run.status == 1)
      #expect(
        sentence(removed)
          == "It could not be judged. Integration 1 was removed or cannot be read. Silence the issue of this gate to begin anew. This is told from integration 1, because none since then passed the gate."
      )
    }
  }
}
