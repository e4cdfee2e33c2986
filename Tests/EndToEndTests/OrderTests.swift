import FoundationEssentials
import Integrating
import Model
import Testing

extension Integrations {
  @Suite("What the watcher orders")
  struct OrderTests {
    private static let files = [
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Press",
        products: [.executable(name: "press", targets: ["Press"])],
        targets: [
          .target(name: "Ink", resources: [.copy("color.txt")]),
          .executableTarget(name: "Press", dependencies: ["Ink"]),
          .testTarget(name: "InkTests", dependencies: ["Ink"]),
        ])
      """,
      "Sources/Ink/color.txt": "black",
      "Sources/Ink/Ink.swift": "public func color() -> String { \"black\" }\n",
      "Sources/Press/main.swift": "import Ink\nprint(color())\n",
      "Tests/InkTests/InkTests.swift": """
      import Glibc
      import Ink
      import Testing
      @Test func color_isBlack() { #expect(color() == "black") }
      @Test func environment_isTheBots() { #expect(getenv("PAPER").map { String(cString: $0) } == "white") }
      """,
    ]

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let commit: CommitID

    private static let shared = Result { try ScratchFolder("orders") }

    init() throws {
      let scratch = try Self.shared.get()
      try scratch.beginAnew()
      try self.init(in: scratch)
    }

    /// - Parameter scratch: one of its own for what begins with a build from nothing.
    private init(in scratch: ScratchFolder) throws {
      self.scratch = scratch
      repository = try GitFolder("Press", in: scratch)
      try repository.commit("Print in black", Self.files)
      commit = try repository.head
    }

    private func order(_ number: Int, _ change: (inout Bot) -> Void = { _ in }) -> IntegrationOrder {
      var bot = Bot(name: "printer", repository: repository.path)
      bot.environment = ["PAPER": "white"]
      change(&bot)
      return IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
    }

    /// The news of the process that carries the order out, and its exit status.
    private func carryOut(_ order: IntegrationOrder) throws -> (news: [IntegrationNews], status: Int32?) {
      try Program(scratch: scratch).carryOut(order)
    }

    private func document(_ number: Int) throws -> IntegrationRecord {
      try StoredIntegrations(in: Home(scratch.file("home"))).integration(number, of: "printer").document
    }

    @Test("A commit with a tree that git would not make cannot be checked out, which is not Martlet's fault")
    func twins() throws {
      let tree = try repository.git("rev-parse", "HEAD:Sources").split(separator: "\n").joined()
      let bytes = stride(from: 0, to: tree.utf8.count, by: 2).compactMap { place in
        UInt8(tree.dropFirst(place).prefix(2), radix: 16)
      }
      let entry = Data("40000 Sources\0".utf8) + bytes
      try (entry + entry).write(to: URL(filePath: scratch.file("raw")))
      let twins = try repository.git("hash-object", "-t", "tree", "-w", "--literally", scratch.file("raw"))
      let commit = try repository.git("commit-tree", "-m", "Twins", twins.split(separator: "\n").joined())
      var order = order(1)
      order.commit = CommitID(rawValue: commit.split(separator: "\n").joined())
      #expect(try carryOut(order).status == 3)
      let document = try document(1)
      #expect(document.outcome == .checkoutError)
      #expect(
        document.reasons == [
          "Cannot list the files of a commit in “\(repository.path)”: it has two entries called “Sources”. "
            + "git makes no such tree; check that the commit is what it should be."
        ])
    }

    @Test("A commit without the package is an integration like any other, with its commits and what may mend it")
    func withoutPackage() throws {
      let tree = try repository.git("hash-object", "-t", "tree", "-w", "/dev/null").split(separator: "\n").joined()
      let commit = try repository.git("commit-tree", "-m", "Remove all", "-p", commit.rawValue, tree)
      var order = order(1)
      order.commit = CommitID(rawValue: commit.split(separator: "\n").joined())
      #expect(try carryOut(order).status == 3)
      let document = try document(1)
      #expect(document.outcome == .checkoutError && document.steps.map(\.name) == [.checkout])
      #expect(
        document.reasons == [
          "There is no Package.swift in the repository's root.", "Martlet integrates Swift packages only.",
        ])
    }

    /// Orders of one commit, each carried out after the other: archived, built alone, tested, scheduled and run again.
    private struct Row {
      static let carriedOut = Result { try Row(OrderTests(in: ScratchFolder("row"))) }

      let archived: (news: [IntegrationNews], status: Int32?)
      let built: (news: [IntegrationNews], status: Int32?)
      /// The exit statuses of those that follow.
      let statuses: [Int32?]
      let folder: ScratchFolder
      /// In the order in which they were made, the first one archived.
      let documents: [IntegrationRecord]

      init(_ tests: OrderTests) throws {
        folder = tests.scratch
        archived = try tests.carryOut(tests.order(4) { $0.actions = [.build, .test, .archive] })
        built = try tests.carryOut(tests.order(5) { $0.actions = [.build] })
        var statuses: [Int32?] = []
        for (number, cause) in [(6, .commit), (7, .schedule), (8, .rerun)] as [(Int, Cause)] {
          var order = tests.order(number)
          order.cause = cause
          statuses.append(try tests.carryOut(order).status)
        }
        self.statuses = statuses
        documents = try (4...8).map(tests.document)
      }
    }

    @Test("A green integration is archived with checksums, and the last good archive has a link")
    func archive() throws {
      let row = try Row.carriedOut.get()
      let (news, status) = row.archived
      #expect(status == 0)
      // How many tests have ended is news as well, where they take long enough for that.
      let steps = news.compactMap { if case .step(let step) = $0 { step } else { nil } }
      #expect(steps == [.checkout, .building, .testing, .processing, .archiving, .completed])
      guard case .finished(let summary) = news.last else { throw NoSummary() }
      #expect(summary.outcome == .succeeded)
      #expect(summary.tests.passed == 2)
      #expect(row.documents[0].archive?.map(\.path) == ["Press_Ink.resources/color.txt", "press"])
      let latest = row.folder.file("home/integrations/printer/latest")
      let check = try Program.run(
        "/usr/bin/sha256sum", ["--check", "--quiet", "SHA256SUMS"], environment: [:], in: latest)
      #expect(check.status == 0)
      let press = try Program.run("\(latest)/press", [], environment: [:], in: row.folder.path)
      #expect(press.output == "black\n")
    }

    @Test("What Swift Build goes on building is what it makes from nothing, and is archived")
    func swiftBuild() throws { try Self(in: ScratchFolder("orders")).goesOn() }

    private func goesOn() throws {
      let first = order(1) { $0.buildSystem = .swiftbuild }
      let begun = try carryOut(first).status
      let reasons = try document(1).reasons
      #expect(begun == 0, "\(reasons)")
      try repository.commit(
        "Print a line more", ["Sources/Press/main.swift": "import Ink\nprint(color())\nprint(\"and white\")\n"])
      var second = order(2) {
        $0.buildSystem = .swiftbuild
        $0.actions = [.build, .test, .archive]
      }
      second.commit = try repository.head
      let status = try carryOut(second).status
      let document = try document(2)
      #expect(status == 0, "\(document.reasons)")
      #expect(document.steps.first { $0.name == .building }?.warm == true)
      // What is archived was audited itself.
      let audited = document.steps.first { $0.name == .auditing }?.audited?.commit
      let log = "home/integrations/printer/2/log/auditing.log"
      let told = scratch.exists(log) ? try scratch.read(log) : nil
      #expect((told != nil) == MachineAbilities.canContain)
      #expect(audited == (MachineAbilities.canContain ? second.commit : nil), "\(told ?? "")")
      #expect(
        document.archive?.map(\.path).filter { !$0.hasSuffix(".plist") } == ["Press_Ink.bundle/color.txt", "press"])
      let latest = scratch.file("home/integrations/printer/latest")
      let press = try Program.run("\(latest)/press", [], environment: [:], in: scratch.path)
      #expect(press.output == "black\nand white\n")
    }

    @Test(
      "The build from nothing before an archive is run once more if something else ended it",
      .enabled(if: MachineAbilities.canContain))
    func killedFromNothing() throws { try Self(in: ScratchFolder("orders")).outlives() }

    private func outlives() throws {
      let manifest = try #require(Self.files["Package.swift"]).replacing(
        "import PackageDescription",
        with: """
          import Glibc
          import PackageDescription
          if mkdir(Context.packageDirectory + "/../../build/root/was-here", 0o755) == 0 { kill(getppid(), SIGKILL) }
          """)
      try repository.commit("Kill who builds from nothing", ["Package.swift": manifest])
      func carriedOut(_ number: Int, _ actions: [Bot.Action]) throws -> IntegrationRecord {
        var order = order(number) { $0.actions = actions }
        order.commit = try repository.head
        _ = try carryOut(order)
        return try document(number)
      }
      _ = try carriedOut(1, [.build])
      try repository.commit(
        "Print a line more", ["Sources/Press/main.swift": "import Ink\nprint(color())\nprint(\"and white\")\n"])
      let audited = try carriedOut(2, [.build, .archive])
      #expect(audited.outcome == .succeeded, "\(audited.reasons)")
      #expect(audited.steps.first { $0.name == .building }?.warm == true)
      let told = try scratch.read("home/integrations/printer/2/log/auditing.log")
      #expect(told.contains("swift-build was ended by signal 9 (SIGKILL). It is run once more."), "\(told)")
      #expect(audited.steps.first { $0.name == .auditing }?.audited?.commit == audited.commit.id, "\(told)")
    }

    @Test("The results of an integration whose report cannot be made are kept, and tell why there is none")
    func withoutReport() throws {
      try repository.commit("Break", [".martlet.yml": "triggers: []\n"])
      try scratch.write("{{.}}", to: "mine/integration.mustache")
      let run = try Program(scratch: scratch).run(
        "run", repository.path, "--quiet", "--templates", scratch.file("mine"))
      #expect(run.status == 3)
      let last = "Only the report could not be made; 'martlet show Press/1' tells the results.\n"
      #expect(run.errors.hasSuffix(last), "\(run.errors)")
      let document = try StoredIntegrations(in: Home(scratch.file("home"))).integration(1, of: "Press").document
      #expect(document.outcome == .buildErrors)
      let place = "\(scratch.file("mine/integration.mustache")):1:1"
      let warning =
        "There is no report of this integration: the template \(place): \".\" is a record and cannot be put in as text. Open it with {{#.}} and put in what it holds."
      #expect(document.issues.filter { $0.kind == .serviceWarning }.map(\.message).contains(warning))
    }

    @Test("An integration that was cut off is closed under its number with the reason, once, and keeps its log")
    func closing() throws {
      try scratch.write("Compiling Press\n", to: "home/integrations/printer/3/log/building.log")
      try scratch.write("half", to: "home/integrations/printer/3/results/xctest.xml")
      try scratch.write("{}", to: "home/outbox/printer.3.held/told.json")
      var order = order(3)
      order.closing = IntegrationOrder.Closing(outcome: .canceled, reason: "The watcher was killed.")
      #expect(try carryOut(order).status == 130)
      let document = try document(3)
      #expect(document.outcome == .canceled)
      #expect(document.reasons == ["The watcher was killed."])
      #expect(document.commit.summary == "Print in black")
      #expect(try scratch.read("home/integrations/printer/3/log/building.log") == "Compiling Press\n")
      #expect(!scratch.exists("home/integrations/printer/3/results"))
      // Nobody hears of it.
      #expect(scratch.names(in: "home/outbox") == [])
      #expect(try scratch.read("home/site/printer/3/index.html").contains("href=\"log/building.html\""))
      order.closing?.reason = "Another reason."
      let (news, status) = try carryOut(order)
      #expect(status == 130)
      guard case .finished(let summary) = news.last else { throw NoSummary() }
      #expect(summary.reason == "The watcher was killed.")
      #expect(try self.document(3) == document)
      // What the finished one still had to tell is due.
      try scratch.write("{}", to: "home/outbox/printer.3.held/told.json")
      _ = try carryOut(order)
      #expect(scratch.names(in: "home/outbox") == ["told.json"])
    }

    @Test("What is closed on another machine sends nothing that was told before, either")
    func closingElsewhere() throws {
      try scratch.write("{}", to: "home/handed/0123456789abcdef/outbox/told.json")
      var order = order(3)
      order.origin = IntegrationOrder.Origin(
        id: "0123456789abcdef", home: "/home", repository: repository.path, machine: "big")
      order.closing = IntegrationOrder.Closing(outcome: .internalError, reason: "The disk is full.")
      _ = try carryOut(order)
      #expect(try document(3).reasons == ["The disk is full."])
      #expect(scratch.names(in: "home/handed/0123456789abcdef") == [])
    }

    @Test("A toolchain that is missing is an integration with the reason, not a silence")
    func missingToolchain() throws {
      #expect(try carryOut(order(4) { $0.toolchain = "/nowhere" }).status == 3)
      let document = try document(4)
      #expect(document.outcome == .internalError)
      #expect(
        document.reasons == [
          "There is no Swift toolchain in /nowhere: none of /nowhere/usr/bin/swift, /nowhere/bin/swift, /nowhere/./swift is a program. Install it there, or name another one."
        ])
    }

    @Test("A bot that only builds is satisfied with a build, and misses no test, however many ran before")
    func buildOnly() throws {
      let row = try Row.carriedOut.get()
      #expect(row.archived.status == 0)
      let (news, status) = row.built
      #expect(status == 0)
      #expect(!news.contains(.step(.testing)))
      let built = row.documents[1]
      #expect(built.outcome == .succeeded)
      #expect(built.reasons == [])
      #expect(built.baseline == nil)
      // The next one with tests goes on where the last one with tests was.
      #expect(row.statuses[0] == 0)
      #expect(row.documents[2].baseline == 4)
      #expect(row.documents[2].deltas?.tests?["listed"] == 0)
    }

    @Test("The same commit is not built again, unless somebody has it run again")
    func again() throws {
      let row = try Row.carriedOut.get()
      #expect(row.statuses == [0, 0, 0])
      let builds = row.documents.suffix(3).map { $0.steps.first { $0.name == .building } }
      #expect(builds.map { $0?.exitStatus } == [0, nil, 0])
    }

    private struct NoSummary: Error {}
  }
}
