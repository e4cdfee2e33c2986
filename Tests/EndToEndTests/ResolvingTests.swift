import FoundationEssentials
import Glibc
import Model
import TestGround
import Testing

extension Builds {
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
      let order = IntegrationOrder(
        bot: bot, number: number, commit: try app.head, branch: "main", cause: .commit, cleans: cleans,
        queuedAt: Date())
      return try Program(scratch: scratch).integrate(order).document
    }

    private static let appTests = "import App\nimport Testing\n@Test func asks() { #expect(ask() > 0) }\n"

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
        "Tests/AppTests/AppTests.swift": Self.appTests,
        "Packages/Core/Package.swift": SmallManifest.text(
          "Core", dependencies: coreDependencies, targets: ".target(name: \"Core\", dependencies: [\(products)])"),
        "Packages/Core/Sources/Core/Core.swift": products.isEmpty
          ? "public func core() -> Int { 1 }\n" : "import Library\npublic func core() -> Int { answer }\n",
      ]
      files["Package.resolved"] = pins
      try app.commit("Change the core", files)
    }

    /// Integrations of an app whose core comes to need a library, one after the other.
    private struct Row {
      static let carriedOut = Result { try Row(ResolvingTests()) }

      /// Those until the versions that are not committed were resolved anew.
      let documents: [IntegrationRecord]
      /// The library's versions in the last two of these.
      let versions: [[Circumstance]]
      /// With pins that are out of date, which the bot's arguments forbid to change, and then do not.
      let forced: IntegrationRecord
      let free: IntegrationRecord

      init(_ tests: ResolvingTests) throws {
        let (app, library) = (tests.app, tests.library)
        func need(from version: String, pins: String? = nil) throws {
          try tests.commit(
            coreDependencies: #".package(url: "file://\#(library.path)", from: "\#(version)")"#,
            products: #".product(name: "Library", package: "Library")"#, pins: pins)
        }
        try tests.commit(coreDependencies: "", products: "")
        var documents = [try tests.order(1), try tests.order(2)]
        try need(from: "1.0.0")
        documents.append(try tests.order(3))
        let pins = try tests.pins()
        documents.append(try tests.order(4) { $0.environment = ["FLAVOR": "sweet"] })
        try library.commit("Release 1.2.0", ["Sources/Library/Library.swift": "public let answer = 43\n"])
        try library.git("tag", "1.2.0")
        try app.commit("Pin nothing", [".gitignore": "Package.resolved\n"])
        documents.append(try tests.order(5))
        documents.append(try tests.order(6, cleans: true))
        self.documents = documents
        versions = try [1.1, 1.2].map { version in
          let revision = try library.git("rev-parse", "--short=7", "\(version).0^{commit}").filter { !$0.isNewline }
          return [Circumstance("dependency library", "\(version).0, \(revision)")]
        }
        try app.commit("Pin again", [".gitignore": ""])
        try need(from: "1.2.0", pins: pins)
        forced = try tests.order(7) { $0.arguments = ["--force-resolved-versions"] }
        free = try tests.order(8)
      }
    }

    /// What SwiftPM has written about the versions of dependencies.
    private func pins() throws -> String {
      let home = scratch.file("home")
      let pins = try #require(
        FileManager.default.subpathsOfDirectory(atPath: home).first { $0.hasSuffix("/Package.resolved") })
      return try String(contentsOf: URL(filePath: "\(home)/\(pins)"), encoding: .utf8)
    }

    @Test(
      "What a package of the same repository comes to need is fetched before the build, and versions that are not committed are resolved anew for a clean one"
    )
    func nested() throws {
      let row = try Row.carriedOut.get()
      let steps = row.documents.map { $0.steps.map(\.name) }
      #expect(steps[0] == [.checkout, .resolving, .building, .testing, .processing])
      #expect(steps[1] == [.checkout, .building, .testing, .processing])
      #expect(row.documents[2].outcome == .succeeded, "\(row.documents[2].reasons)")
      #expect(steps[2] == [.checkout, .resolving, .building, .testing, .processing])
      #expect(steps[3] == [.checkout, .resolving, .building, .testing, .processing])
      #expect(row.documents.suffix(2).map { $0.circumstances?.filter(\.isDependency) } == row.versions)
    }

    @Test("Pins that are out of date stay so where the bot's arguments forbid to change them")
    func forced() throws {
      let row = try Row.carriedOut.get()
      #expect(row.documents.last?.outcome == .succeeded)
      #expect(row.forced.outcome == .buildErrors)
      #expect(row.forced.steps.map(\.name) == [.checkout, .resolving])
      #expect(row.free.outcome == .succeeded)
    }

    @Test(
      "What was fetched and is gone is fetched anew when the build, which has no network, asks for it",
      .enabled(
        if: MachineAbilities.canRoute && NetworkAddress.outward != nil, "slirp4netns works here, and leads somewhere"))
    func gone() throws {
      let server = try GitServer(of: scratch, at: #require(NetworkAddress.outward))
      try app.commit(
        "Need the library",
        [
          "Package.swift": SmallManifest.text(
            "App", dependencies: #".package(url: "\#(server.address)/Library", from: "1.0.0")"#,
            targets: """
              .target(name: "App", dependencies: [.product(name: "Library", package: "Library")]),
              .testTarget(name: "AppTests", dependencies: ["App"])
              """),
          "Sources/App/App.swift": "import Library\npublic func ask() -> Int { answer }\n",
          "Tests/AppTests/AppTests.swift": Self.appTests,
        ])
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
  }
}
