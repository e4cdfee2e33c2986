import FoundationEssentials
import Model
import Testing

extension Integrations {
  @Suite("What a package chooses for itself")
  struct PackageSettingsTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let repository: GitFolder

    private static let shared = Result { try ScratchFolder("modest") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      program = Program(scratch: scratch)
      repository = try GitFolder("Modest", in: scratch)
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.tested("Modest"),
          "Sources/Modest/Modest.swift": "public let answer = 42\npublic func ask() -> Int { answer }\n",
          "Sources/Modest/Made.swift": "public func make() -> Int { 1 }\n",
          "Tests/ModestTests/ModestTests.swift": """
          import Modest
          import Testing
          @Test func quick() { #expect(ask() == 42) }
          @Test func slow() { #expect(make() == 1) }
          """,
        ])
    }

    private func integrate(_ arguments: String...) throws -> Integrated {
      try program.integrate([repository.path, "--quiet"] + arguments, bot: "Modest")
    }

    @Test("An expression that takes for ever is given up, and the commit has no verdict because of it")
    func endlessExpression() throws {
      let name = String(repeating: "a", count: 60)
      try repository.commit(
        "Choose badly",
        [
          ".martlet.yml": "tests: {filter: [\"(a+)+$\"]}\n",
          "Tests/ModestTests/Long.swift": "import Testing\n@Test func \(name)() {}\n",
        ])
      let run = try integrate()
      #expect(run.run.status == 1, "\(run.run.errors)\(run.run.output)")
      #expect(run.document.outcome == .incomplete)
      #expect(
        run.document.reasons == [
          "The tests could not be chosen: trying the regular expression '(a+)+$' of --filter on their names took longer than 10 s. Avoid nested repetitions in it, such as (a+)+."
        ])
    }

    @Test(
      "The commit's .martlet.yml counts, and the report says first what it takes out of sight, and which settings are its"
    )
    func chosen() throws {
      let first = try integrate()
      #expect(first.document.settings == nil)
      #expect(first.document.tests.passed == 2)
      let settings = "tests: {skip: [slow], silence: 3h}\ncoverage: {exclude: [Sources/Modest/Made.swift]}\n"
      try repository.commit("Leave out what is slow", [".martlet.yml": settings])
      // What is not committed has no say.
      try scratch.write("actions: [build]\n", to: "Modest/.martlet.yml")
      let second = try integrate()
      #expect(second.run.status == 0, "\(second.run.errors)\(second.run.output)")
      #expect(
        second.document.settings == [
          SettingOrigin("tests.skip", .package),
          SettingOrigin("tests.silence", .commandLine, remark: "The package asks for more than is allowed."),
          SettingOrigin("coverage.exclude", .package),
        ])
      #expect(second.document.tests.passed == 1)
      #expect(second.document.tests.filteredOut == 1)
      #expect(second.coverage.files?.map(\.path) == ["Sources/Modest/Modest.swift"])
      // What a commit leaves out is told against what the one before did not.
      #expect(second.document.baseline == 1)
      #expect(second.document.outcome == .succeeded)
      let told = [
        "The package's own .martlet.yml skips 1 test: ModestTests.slow().",
        "The package's own .martlet.yml leaves 1 file out of coverage: Sources/Modest/Made.swift.",
      ]
      #expect(second.document.reasons == told)
      #expect(
        second.document.omissions == [
          PackageOmission(.testsLeftOut, names: ["ModestTests.slow()"]),
          PackageOmission(.coverageLeftOut, names: ["Sources/Modest/Made.swift"]),
        ])
      #expect(second.run.output.contains("\n  \(told[0])\n  \(told[1])\n"))
      #expect(second.run.output.contains("\nSettings  tests.skip, coverage.exclude from .martlet.yml\n"))
      // Beside that it says the branch, and what the build began with.
      let shown = try program.run("show", "Modest/2").output.split(separator: "\n")
        .filter { !$0.hasPrefix("Build ") && $0 != "Branch    main" }
      #expect(shown == second.run.output.split(separator: "\n"))
      let page = try second.report.words("index.html")
      #expect(page.contains("named in the package’s .martlet.yml"))
      #expect(page.contains("Some tests left out: 1 passed"))
      for sentence in told { #expect(page.contains(sentence)) }
      try repository.commit("Say more", [".martlet.yml": settings, "notes.txt": "More.\n"])
      #expect(try integrate().document.baseline == 2)
      try scratch.write("actions: [build]\n", to: "Modest/.martlet.yml")
      let tree = try integrate("--working-tree")
      #expect(tree.document.settings == [SettingOrigin("actions", .package)])
      #expect(tree.step(.testing) == nil)
      #expect(tree.document.reasons == ["The package's own .martlet.yml turns the tests off."])
    }

    @Test("A .martlet.yml that is wrong is a build error at its line, and nothing of the package runs")
    func wrong() throws {
      try repository.commit("Ask for too much", [".martlet.yml": "actions: [build, test]\ntriggers: []\nspeed: high\n"])
      let integrated = try integrate()
      #expect(integrated.run.status == 1)
      #expect(integrated.document.outcome == .buildErrors)
      #expect(integrated.document.reasons == ["The package's .martlet.yml has 2 errors, so nothing was built."])
      #expect(integrated.document.steps.map(\.name) == [.checkout])
      #expect(integrated.document.settings == nil)
      let issues = integrated.document.issues
      #expect(issues.map(\.kind) == [.error, .error])
      #expect(issues.map(\.file) == [".martlet.yml", ".martlet.yml"])
      #expect(issues.map(\.line) == [2, 3])
      #expect(issues.map(\.column) == [1, 1])
      #expect(
        issues.first?.message == "a package may not set 'triggers'; set it in the bot's file, bots/NAME.yml")
      #expect(integrated.run.output.contains(".martlet.yml:2:1: error: a package may not set 'triggers'"))
      #expect(try integrated.report.brokenLinks() == [])
      let shown = try program.run("show", "Modest").output.replacing("Branch    main\n", with: "")
      #expect(shown == integrated.run.output)
      try scratch.write("actions: [build]\n", to: "Modest/.martlet.yml")
      #expect(try integrate("--working-tree").document.outcome == .succeeded)
    }

    @Test("A link in the place of .martlet.yml is refused, not passed over")
    func link() throws {
      try scratch.write("actions: [build]\n", to: "Modest/elsewhere.yml")
      try FileManager.default.createSymbolicLink(
        atPath: scratch.file("Modest/.martlet.yml"), withDestinationPath: "elsewhere.yml")
      try repository.commit("Link the settings")
      for arguments in [[], ["--working-tree"]] {
        let run = try program.run(["run", repository.path, "--quiet", "--json"] + arguments)
        #expect(run.status == 1)
        #expect(run.output.contains("it is not a regular file; write the settings into the file itself"))
      }
    }
  }
}
