import FoundationEssentials
import Glibc
import Model
import TestGround
import Testing

extension Misbehaviors {
  @Suite("What commits leave behind")
  struct LeavingsTests {
    private let program: Program
    private let scratch: ScratchFolder
    private let repository: GitFolder

    init() throws {
      scratch = try ScratchFolder("leavings")
      program = Program(scratch: scratch)
      repository = try GitFolder("Heirs", in: scratch)
    }

    /// - Parameter deed: what the manifest does besides.
    private func manifest(_ deed: String = "") -> String {
      """
      // swift-tools-version: 6.0
      import PackageDescription
      \(deed)
      let package = Package(
        name: "Heirs",
        targets: [
          .target(name: "Heirs", swiftSettings: [.define("STRICT")]),
          .testTarget(name: "HeirsTests", dependencies: ["Heirs"]),
        ])

      """
    }

    /// Changes the number in the object of `Red.swift` in place, and keeps its times.
    private static let patch = """
      import Glibc
      let object = Context.packageDirectory + "/../../build/root/debug/Heirs.build/Red.swift.o"
      let file = open(object, O_RDWR)
      var status = stat()
      if file >= 0, fstat(file, &status) == 0 {
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        _ = pread(file, &bytes, bytes.count, 0)
        let old = withUnsafeBytes(of: Int32(42_424_242)) { Array($0) }
        for place in 0..<max(0, bytes.count - 3) where Array(bytes[place..<place + 4]) == old { bytes[place] += 1 }
        _ = pwrite(file, bytes, bytes.count, 0)
        futimens(file, [status.st_atim, status.st_mtim])
      }
      """

    /// Says in SwiftPM's caches that the manifest defines something else.
    private static let forgery = """
      import Foundation
      @Test func forges() {
        let folders = [NSHomeDirectory(), NSHomeDirectory() + "/../caches", NSHomeDirectory() + "/../state"]
        for folder in folders {
          for name in FileManager.default.enumerator(atPath: folder) ?? .init() {
            let path = "\\(folder)/\\(name)"
            guard let bytes = FileManager.default.contents(atPath: path), bytes.count > 0 else { continue }
            var forged = bytes
            while let place = forged.range(of: Data("STRICT".utf8)) {
              forged.replaceSubrange(place, with: Data("QUICKY".utf8))
            }
            if forged != bytes { try? forged.write(to: URL(fileURLWithPath: path)) }
          }
        }
      }

      """

    private func tests(of number: Int) -> String {
      """
      import Heirs
      import Testing
      @Test func isRed() { #expect(red() == \(number)) }
      @Test func isStrict() { #expect(strict()) }

      """
    }

    private static let strict = "public func strict() -> Bool { true }\n"

    private func audit(_ number: Int) throws -> BuildAudit? {
      let commit = try repository.head
      var order = IntegrationOrder(
        bot: Bot(name: "Heirs", repository: repository.path), number: number, commit: commit, branch: "main",
        cause: .commit, queuedAt: Date(timeIntervalSince1970: 1_700_000_000))
      order.audits = true
      let (news, status) = try program.carryOut(order)
      #expect(status == 0)
      for case .audited(let audit) in news { return audit }
      Issue.record("no news of the audit")
      return nil
    }

    @Test(
      "A forged cache of manifests reaches nobody, a changed object no other branch and no release, and an audit finds it",
      .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
    func attacks() throws {
      try repository.commit(
        "Forge",
        [
          "Package.swift": manifest(), "Sources/Heirs/Strict.swift": Self.strict,
          "Sources/Heirs/Red.swift": "public func red() -> Int { 42_424_242 }\n",
          "Tests/HeirsTests/HeirsTests.swift": tests(of: 42_424_242),
          "Tests/HeirsTests/Forgery.swift": "import Testing\n" + Self.forgery,
        ])
      let forging = try program.integrate(repository.path, bot: "Heirs")
      #expect(forging.document.outcome == .succeeded, "\(forging.run.output)")
      #expect(forging.step(.building)?.warm == false)
      #expect(try audit(1)?.difference == nil)

      try repository.git("rm", "--quiet", "Tests/HeirsTests/Forgery.swift")
      try repository.commit(
        "Break what is strict",
        ["Sources/Heirs/Strict.swift": "public func strict() -> Bool {\n#if STRICT\nfalse\n#else\ntrue\n#endif\n}\n"])
      let broken = try program.integrate(repository.path, bot: "Heirs")
      #expect(broken.document.outcome == .testFailures)
      #expect(broken.step(.building)?.warm == true)
      #expect(broken.step(.building)?.audited?.difference == nil)
      #expect(broken.step(.building)?.audited != nil)
      #expect(try program.run("show", "Heirs/2").output.contains("Build     incremental build, last audited "))

      try repository.commit(
        "Patch",
        [
          "Package.swift": manifest(Self.patch), "Sources/Heirs/Strict.swift": Self.strict,
          "Tests/HeirsTests/HeirsTests.swift": tests(of: 42_424_243),
        ])
      let patching = try repository.head.rawValue
      #expect(try program.integrate(repository.path, bot: "Heirs").document.outcome == .succeeded)
      try repository.commit("Be honest", ["Package.swift": manifest()])
      #expect(try program.integrate(repository.path, bot: "Heirs").document.outcome == .succeeded)

      let alone = try program.integrate(repository.path, "--commit", "HEAD", bot: "Heirs")
      #expect(alone.document.outcome == .testFailures, "\(alone.run.output)")
      #expect(alone.step(.building)?.warm == false)
      #expect(scratch.names(in: "home/workspaces/Heirs").sorted() == ["main"])

      let found = try #require(try audit(4))
      let files = try #require(found.difference?.files)
      #expect(files.contains { $0.hasSuffix("/Heirs.build/Red.swift.o") })
      #expect(!files.contains { $0.hasSuffix("/Strict.swift.o") })
      #expect(found.difference?.since == BuildAudit.Origin(number: 3, commit: CommitID(rawValue: patching)))
      let again = try program.integrate(repository.path, bot: "Heirs")
      #expect(again.document.outcome == .testFailures)
      #expect(again.step(.building)?.warm == false)
      #expect(again.document.issues.contains { $0.kind == .serviceWarning && $0.message == found.words })
      let after = try program.integrate(repository.path, bot: "Heirs")
      #expect(!after.document.issues.contains { $0.message == found.words && $0.status.isOpen })
    }
  }
}
