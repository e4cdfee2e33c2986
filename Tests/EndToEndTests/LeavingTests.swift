import FoundationEssentials
import Glibc
import Integrating
import Model
import Testing

extension Misbehaviors {
  @Suite("What tests leave", .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
  struct LeavingTests {
    private static let files = [
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Leaver",
        products: [.executable(name: "leaver", targets: ["Leaver"])],
        targets: [.executableTarget(name: "Leaver"), .testTarget(name: "LeaverTests")])
      """,
      "README.md": "Read me.\n",
      // Without what the before-trigger writes, this does not compile.
      "Sources/Leaver/main.swift": "print(word)\n",
      "script/after.sh": "echo after; cat README.md; LC_ALL=C ls; test ! -e Snapshots && touch written && echo alone\n",
    ]

    /// Tests that write wherever they can, and look for what is left of those before them.
    private static func tests(_ outside: String) -> String {
      """
      import Foundation
      import Testing
      import XCTest

      let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

      /// Where this process hands its counters back.
      var handed: String {
        let profile = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] ?? ""
        return (profile as NSString).deletingLastPathComponent + "/.."
      }

      final class LeaverTests: XCTestCase {
        func testFindsAnEmptyHome() throws {
          for folder in [NSHomeDirectory(), NSTemporaryDirectory(), "/dev/shm"] {
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [], folder)
            try FileManager.default.createDirectory(
              atPath: folder + "/.cache/org.swift.swiftpm/manifests", withIntermediateDirectories: true)
            try Data("forged".utf8).write(to: URL(filePath: folder + "/.cache/org.swift.swiftpm/manifests/manifest.db"))
            XCTAssertEqual(chmod(folder + "/.cache/org.swift.swiftpm", 0), 0)
            XCTAssertEqual(chmod(folder, 0o555), 0)
          }
        }

        func testPlantsLinks() throws {
          for name in ["channel", "crashes", "attachments", "events.jsonl"] {
            _ = rename(handed + "/" + name, handed + "/former-" + name)
            try FileManager.default.createSymbolicLink(atPath: handed + "/" + name, withDestinationPath: "\(outside)")
          }
          for name in ["1-2", "1-3", "1-2/channel", "1-2/crashes"] {
            _ = symlink("\(outside)", handed + "/../" + name)
          }
        }

        func testWritesBesideTheSources() throws {
          for (name, text) in [
            ("Sources/Leaver/main.swift", "print(\\"tampered\\")"), ("script/after.sh", "echo tampered"),
            ("Sources/Leaver/More.swift", "let more = 1"), (".gitignore", "*"),
          ] {
            try Data(text.utf8).write(to: sources.appending(path: name))
          }
          let snapshots = sources.appending(path: "Snapshots")
          try FileManager.default.createDirectory(at: snapshots, withIntermediateDirectories: false)
          try Data("snapshot".utf8).write(to: snapshots.appending(path: "first.txt"))
          try FileManager.default.removeItem(at: sources.appending(path: "README.md"))
          XCTAssertEqual(chmod(sources.path, 0o555), 0)
        }
      }

      @Test func findsWhatOthersWrote() throws {
        #expect(try String(contentsOf: sources.appending(path: "Snapshots/first.txt"), encoding: .utf8) == "snapshot")
        #expect(access(sources.appending(path: "README.md").path, F_OK) != 0)
      }
      """
    }

    private let scratch: ScratchFolder
    private let repository: GitFolder

    init() throws {
      scratch = try ScratchFolder("leaving")
      repository = try GitFolder("Leaver", in: scratch)
      // What a process would remove that closes its channel by a path.
      try scratch.write("kept", to: "outside/s")
      var files = Self.files
      files["Tests/LeaverTests/LeaverTests.swift"] = Self.tests(scratch.file("outside"))
      try repository.commit("Leave", files)
    }

    private func carryOut(_ number: Int) throws -> IntegrationRecord {
      var bot = Bot(name: "leaver", repository: repository.path)
      // A release is made from nothing each time, so that one tells of what both integrations wrote.
      bot.actions = number == 1 ? [.build, .test] : [.build, .test, .archive]
      let prepare = "echo 'let word = \"honest\"' > Sources/Leaver/Prepared.swift"
      bot.triggers = [
        .script(Trigger.Script(moment: .before, source: .inline(prepare))),
        .script(Trigger.Script(moment: .after, source: .packageFile("script/after.sh"))),
      ]
      let commit = try repository.head
      let order = IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
      _ = try Program(scratch: scratch).carryOut(order)
      return try StoredIntegrations(in: Home(scratch.file("home"))).integration(number, of: "leaver").document
    }

    @Test(
      "What tests write reaches neither the archive, nor scripts, nor the next integration, and the report tells of it")
    func leaving() throws {
      for number in 1...2 {
        let document = try carryOut(number)
        #expect(document.outcome == .succeeded, "\(document.reasons) \(document.tests.cases.map(\.failures))")
        #expect(document.tests.passed == 4)
        #expect(document.issues.map(\.message) == [])
        #expect(
          document.tests.written?.files.map { "\($0.deed.rawValue) \($0.path)" } == [
            "added .gitignore", "removed README.md", "added Snapshots/first.txt", "added Sources/Leaver/More.swift",
            "changed Sources/Leaver/main.swift", "changed script/after.sh",
          ])
        let kept = "home/integrations/leaver/\(number)"
        let log = try scratch.read("\(kept)/log/after-triggers.log").split(separator: "\n").filter {
          !$0.hasPrefix("$ ")
        }
        #expect(
          log == ["after", "Read me.", "Package.swift", "README.md", "Sources", "Tests", "script", "alone"])
        let page = try ReportFolder(path: scratch.file("home/site/leaver/\(number)")).words("tests.html")
        #expect(page.contains("6 files, deleted after the tests"))
      }
      let archive = scratch.file("home/integrations/leaver/2/archive/leaver")
      #expect(try Program.run(archive, [], environment: [:], in: scratch.path).output == "honest\n")
      #expect(scratch.names(in: "outside") == ["s"])
      let workspace = try #require(scratch.names(in: "home/workspaces/leaver").first { !$0.hasPrefix(".") })
      let left = scratch.names(in: "home/workspaces/leaver/\(workspace)")
      #expect(!left.contains("tests") && !left.contains("tmp"), "\(left)")
    }
  }
}
