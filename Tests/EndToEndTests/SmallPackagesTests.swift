import FoundationEssentials
import Model
import Testing

extension Builds {
  @Suite("Small packages")
  struct SmallPackagesTests {
    let scratch: ScratchFolder
    let program: Program

    init() throws {
      scratch = try ScratchFolder("small")
      program = Program(scratch: scratch)
    }

    @Test("A release build of a package that is tested with Swift Testing alone, which imports it as testable")
    func release() throws {
      let integrated = try ReleaseStory.told.get().integrated
      #expect(integrated.run.status == 0, "\(integrated.run.errors)\(integrated.run.output)")
      #expect(integrated.document.configuration == "release")
      #expect(integrated.document.tests.source == ["Swift Testing": "event-stream"])
      #expect(integrated.document.tests.passed == 1)
      #expect(integrated.coverage.available)
      #expect(integrated.coverage.lines?.covered ?? 0 > 0)
    }

    @Test("A package without a test target proves nothing")
    func withoutTests() throws {
      let repository = try GitFolder("Untested", in: scratch)
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.text("Untested", targets: #".target(name: "Untested")"#),
          "Sources/Untested/Untested.swift": "public let answer = 42\n",
        ])
      let integrated = try program.integrate(repository.path, "--quiet", bot: "Untested")
      #expect(integrated.run.status == 1)
      #expect(integrated.document.outcome == .incomplete)
      #expect(
        integrated.document.reasons == [
          "The package has no test target.",
          "To only build it, write 'actions: [build]' into .martlet.yml.",
        ])
      #expect(integrated.step(.building)?.exitStatus == 0)
      #expect(!integrated.coverage.available)
      #expect(try integrated.report.brokenLinks() == [])
    }

    @Test("A dependency that cannot be resolved is a build error in the words of SwiftPM")
    func unresolvable() throws {
      let repository = try GitFolder("Lonely", in: scratch)
      let missing = scratch.file("Nowhere")
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.text(
            "Lonely", dependencies: #".package(url: "file://\#(missing)", from: "1.0.0")"#,
            targets: #".target(name: "Lonely", dependencies: [.product(name: "Nowhere", package: "Nowhere")])"#),
          "Sources/Lonely/Lonely.swift": "import Nowhere\n",
        ])
      let integrated = try program.integrate(repository.path, "--quiet", "--sandbox", "off", bot: "Lonely")
      #expect(integrated.run.status == 1)
      #expect(integrated.document.outcome == .buildErrors)
      #expect(integrated.document.steps.map(\.name) == [.checkout, .resolving])
      #expect(
        integrated.document.reasons
          == ["The dependencies could not be resolved: 1 error, after “Fetching \(missing)”."])
      #expect(integrated.document.issues.map(\.kind) == [.error])
      let message = try #require(integrated.document.issues.first?.message)
      #expect(message.hasPrefix("Failed to clone repository \(missing):\n"))
      #expect(integrated.run.output.contains("error: \(message.split(separator: "\n")[0])"))
      #expect(try integrated.report.words("index.html").contains("Failed to clone repository \(missing)"))
      #expect(try integrated.report.brokenLinks() == [])
    }

    @Test("A manifest that does not compile is a build error at its line")
    func brokenManifest() throws {
      let repository = try GitFolder("Broken", in: scratch)
      try repository.commit(
        "Begin", ["Package.swift": "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Pakage()\n"])
      let integrated = try program.integrate(repository.path, "--quiet", bot: "Broken")
      #expect(integrated.run.status == 1)
      #expect(integrated.document.outcome == .buildErrors)
      #expect(integrated.document.issues.map(\.message) == ["cannot find 'Pakage' in scope"])
      #expect(integrated.document.issues.first?.file == "Package.swift")
      #expect(integrated.document.issues.first?.line == 3)
    }

    @Test("What others wrote reaches neither the terminal as control characters nor files outside the package")
    func hostile() throws {
      for integrated in try SmallStory.told.get().hostile {
        let run = integrated.run
        #expect(integrated.document.tests.failed == 3)
        #expect(!(run.output + run.errors).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
        #expect(run.output.contains("Link ⟨U+001B⟩[31mred⟨U+0007⟩\n"))
        for file in try integrated.report.files() {
          let text = try integrated.report.text(file)
          #expect(!text.contains("the secret word"), "\(file)")
          #expect(!text.contains("\u{1B}") || file.hasSuffix(".json"), "\(file)")
        }
      }
    }

    @Test("A source behind a link is shown with the text that the link leads to, and its changed lines are told")
    func linkedSource() throws {
      let second = try SmallStory.told.get().loose[0]
      let page = try second.report.text("coverage/Sources-Small-Shared.swift.html")
      #expect(page.contains("two() -> ") && !page.contains("is not in the report"))
      #expect(
        second.document.coverage.changes?.patch.files?.map { "\($0.path) \($0.neverRan)" }
          == ["Sources/Small/Shared.swift [1, 2, 3]"])
      #expect(second.document.coverage.changes?.files?.compactMap(\.lost) == [])
    }

    @Test("A warning of a source that was not compiled again is still told")
    func warnings() throws {
      let all = try SmallStory.told.get().warned
      let (first, second, third) = (all[0], all[1], all[2])
      #expect(all.map(\.run.status) == [0, 0, 0])
      #expect(all.map(\.document.outcome) == [.warnings, .warnings, .succeeded])
      #expect(first.document.reasons == ["2 compiler warnings."])
      #expect(
        all.map { $0.document.issues.map(\.status) }
          == [[.unresolved, .unresolved], [.unresolved, .unresolved], [.resolved, .resolved]])
      #expect(second.document.issues.map(\.age) == [1, 1])
      #expect(
        Set(first.document.issues.map { "\($0.file ?? "") \($0.line ?? 0)" })
          == ["Sources/CSmall/careless.c 1", "Sources/Small/Careless.swift 2"])
      #expect(second.document.deltas?.warnings == 0)
      #expect(third.document.deltas?.warnings == -2)
    }

    @Test("A warning that only the package manager prints is told again when it had nothing to build or to plan")
    func warningsOfSkippedBuild() throws {
      let all = try SmallStory.told.get().loose
      let (first, second, third) = (all[0], all[1], all[2])
      #expect(all.map(\.document.outcome) == [.warnings, .warnings, .warnings])
      #expect(first.document.issues.map(\.message) == second.document.issues.map(\.message))
      #expect(third.document.issues.map(\.id) == first.document.issues.map(\.id))
      #expect(first.document.issues.count == 1)
      #expect(second.document.steps.first { $0.name == .building }?.exitStatus == nil)
    }
  }
}
