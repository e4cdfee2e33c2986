import FoundationEssentials
import Glibc
import Model
import TestGround
import Testing

extension Integrations {
  @Suite("Dependencies that change")
  struct ResolvingTests {
    private let scratch: ScratchFolder
    private let library: GitFolder
    private let app: GitFolder

    init() throws {
      scratch = try ScratchFolder("resolving")
      library = try GitFolder("Library", in: scratch)
      app = try GitFolder("App", in: scratch)
      for (version, answer) in [("1.0.0", 41), ("1.1.0", 42)] {
        try library.commit(
          "Release \(version)",
          [
            "Package.swift": SmallManifest.text("Library", targets: #".target(name: "Library")"#),
            "Sources/Library/Library.swift": "public let answer = \(answer)\n",
          ])
        try library.git("tag", version)
      }
    }

    private func order(
      _ number: Int, cleans: Bool = false, _ change: (inout Bot) -> Void = { _ in }
    ) throws -> IntegrationRecord {
      var bot = Bot(name: "app", repository: app.path)
      bot.sandbox.mode = .off
      change(&bot)
      let head = try app.git("rev-parse", "HEAD").split(separator: "\n").joined()
      _ = try Program(scratch: scratch).carryOut(
        IntegrationOrder(
          bot: bot, number: number, commit: CommitID(rawValue: head), branch: "main", cause: .commit, cleans: cleans,
          queuedAt: Date()))
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      let file = scratch.file("home/site/app/\(number)/integration.json")
      return try decoder.decode(IntegrationRecord.self, from: Data(contentsOf: URL(filePath: file)))
    }

    /// An app with a package of its own repository, which has these dependencies.
    private func commit(coreDependencies: String, products: String, pins: String? = nil) throws {
      var files = [
        "Package.swift": SmallManifest.text(
          "App", dependencies: #".package(path: "Packages/Core")"#,
          targets: """
            .target(name: "App", dependencies: [.product(name: "Core", package: "Core")]),
            .testTarget(name: "AppTests", dependencies: ["App"])
            """),
        "Sources/App/App.swift": "import Core\npublic func ask() -> Int { core() }\n",
        "Tests/AppTests/AppTests.swift":
          "import App\nimport Testing\n@Test func asks() { #expect(ask() > 0) }\n",
        "Packages/Core/Package.swift": SmallManifest.text(
          "Core", dependencies: coreDependencies, targets: ".target(name: \"Core\", dependencies: [\(products)])"),
        "Packages/Core/Sources/Core/Core.swift": products.isEmpty
          ? "public func core() -> Int { 1 }\n" : "import Library\npublic func core() -> Int { answer }\n",
      ]
      files["Package.resolved"] = pins
      try app.commit("Change the core", files)
    }

    @Test(
      "What a package of the same repository comes to need is fetched before the build, and versions that are not committed are resolved anew for a clean one"
    )
    func nested() throws {
      try commit(coreDependencies: "", products: "")
      #expect(try order(1).steps.map(\.name) == [.checkout, .resolving, .building, .testing, .processing])
      #expect(try order(2).steps.map(\.name) == [.checkout, .building, .testing, .processing])
      try commit(
        coreDependencies: #".package(url: "file://\#(library.path)", from: "1.0.0")"#,
        products: #".product(name: "Library", package: "Library")"#)
      let third = try order(3)
      #expect(third.outcome == .succeeded, "\(third.reasons)")
      #expect(third.steps.map(\.name) == [.checkout, .resolving, .building, .testing, .processing])
      let fourth = try order(4) { $0.environment = ["FLAVOR": "sweet"] }
      #expect(fourth.steps.map(\.name) == [.checkout, .resolving, .building, .testing, .processing])
      try library.commit("Release 1.2.0", ["Sources/Library/Library.swift": "public let answer = 43\n"])
      try library.git("tag", "1.2.0")
      try app.commit("Pin nothing", [".gitignore": "Package.resolved\n"])
      let versions = try [1.1, 1.2].map { version in
        let revision = try library.git("rev-parse", "--short=7", "\(version).0^{commit}").filter { !$0.isNewline }
        return [Circumstance("dependency library", "\(version).0, \(revision)")]
      }
      #expect(try [order(5), order(6, cleans: true)].map { $0.circumstances?.filter(\.isDependency) } == versions)
    }

    @Test(
      "What was fetched and is gone is fetched anew when the build, which has no network, asks for it",
      .enabled(
        if: MachineAbilities.canRoute && NetworkAddress.outward != nil, "slirp4netns works here, and leads somewhere"))
    func gone() throws {
      let server = try GitServer(of: scratch, at: #require(NetworkAddress.outward))
      try commit(
        coreDependencies: #".package(url: "\#(server.address)/Library", from: "1.0.0")"#,
        products: #".product(name: "Library", package: "Library")"#)
      let first = try order(1) { $0.sandbox.mode = .on }
      #expect(first.outcome == .succeeded, "\(first.reasons)")
      try FileManager.default.removeItem(atPath: scratch.file("home/workspaces/app/main/\(Program.buildFolder)"))
      let second = try order(2) { $0.sandbox.mode = .on }
      #expect(second.outcome == .succeeded, "\(second.reasons)")
      #expect(second.steps.map(\.name) == [.checkout, .resolving, .building, .testing, .processing])
      #expect(second.issues.map(\.message) == [])
      try server.stop()
      try FileManager.default.removeItem(atPath: scratch.file("home/workspaces/app/main/\(Program.buildFolder)"))
      let third = try order(3) { $0.sandbox.mode = .on }
      #expect(third.outcome == .buildErrors)
      #expect(third.steps.map(\.name) == [.checkout, .building, .resolving])
      #expect(third.reasons.first?.hasPrefix("The dependencies could not be resolved") == true)
    }

    @Test(
      "What is fetched over ssh is fetched with the bot's login, and no manifest can read the key",
      .enabled(
        if: SecureShellServer.isThere && MachineAbilities.canRoute && NetworkAddress.outward != nil,
        "needs openssh-server and a slirp4netns that leads somewhere"))
    func secureShell() throws {
      let outward = NetworkAddress.text(try #require(NetworkAddress.outward))
      let server = try SecureShellServer(of: scratch, at: outward)
      let manifest = SmallManifest.text("Library", targets: #".target(name: "Library")"#)
      try library.commit(
        "Look for the key",
        ["Package.swift": manifest + "\nimport Foundation\nprecondition(open(\"\(server.key)\", O_RDONLY) == -1)\n"])
      try library.git("tag", "1.2.0")
      let user = String(cString: try #require(getpwuid(getuid())).pointee.pw_name)
      let address = "ssh://\(user)@\(outward):\(server.port)\(library.path)"
      try commit(
        coreDependencies: #".package(url: "\#(address)", from: "1.0.0")"#,
        products: #".product(name: "Library", package: "Library")"#)
      var login = Credentials()
      (login.sshKey, login.knownHosts) = (server.key, server.knownHosts)
      let refused = try order(1) { $0.sandbox.mode = .on }
      #expect(refused.outcome == .buildErrors)
      #expect(
        refused.reasons.contains(
          "Dependencies over SSH need keys, which lie outside the sandbox. Write 'dependency-credentials' into the bot's file, name them by their https addresses, or run with --sandbox off."
        ))
      let fetched = try order(2) { ($0.sandbox.mode, $0.dependencyCredentials) = (.on, login) }
      #expect(fetched.outcome == .succeeded, "\(fetched.reasons)")
      #expect(fetched.circumstances?.isEmpty != true)
      #expect(scratch.names(in: "home/agents") == [])
      try server.know("other")
      try FileManager.default.removeItem(atPath: scratch.file("home/workspaces"))
      let changed = try order(3) { ($0.sandbox.mode, $0.dependencyCredentials) = (.on, login) }
      #expect(changed.outcome == .buildErrors)
      #expect(
        changed.reasons.contains(
          "Some dependencies are fetched over SSH. Their hosts need to accept the key of 'dependency-credentials', and its 'known-hosts' needs to have their keys."
        ))
    }

    @Test("Pins that are out of date stay so where the bot's arguments forbid to change them")
    func forced() throws {
      try commit(
        coreDependencies: #".package(url: "file://\#(library.path)", exact: "1.0.0")"#,
        products: #".product(name: "Library", package: "Library")"#)
      #expect(try order(1).outcome == .succeeded)
      let home = scratch.file("home")
      let pins = try #require(
        FileManager.default.subpathsOfDirectory(atPath: home).first { $0.hasSuffix("/Package.resolved") })
      try commit(
        coreDependencies: #".package(url: "file://\#(library.path)", from: "1.1.0")"#,
        products: #".product(name: "Library", package: "Library")"#,
        pins: String(contentsOf: URL(filePath: "\(home)/\(pins)"), encoding: .utf8))
      let forced = try order(2) { $0.arguments = ["--force-resolved-versions"] }
      #expect(forced.outcome == .buildErrors)
      #expect(forced.steps.map(\.name) == [.checkout, .resolving])
      #expect(try order(3).outcome == .succeeded)
    }
  }
}
