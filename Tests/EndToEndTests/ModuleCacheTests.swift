import Foundation
import Testing

extension Builds {
  @Suite("Modules of the toolchain", .serialized)
  struct ModuleCacheTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let repository: GitFolder

    init() throws {
      scratch = try ScratchFolder("modules")
      repository = try GitFolder("Mill", in: scratch)
      program = Program(scratch: scratch)
      try repository.commit(
        "One",
        [
          "Package.swift": SmallManifest.tested("Mill"),
          "Tests/MillTests/MillTests.swift": "import Testing\n@Test func grinds() {}\n",
          "Sources/Mill/Mill.swift": "import Foundation\npublic let flour = URL(filePath: \"/\")\n",
        ])
      try lendObserver()
    }

    /// Gives the home a copy of the observer that other tests made, which takes seconds, but none of their modules,
    /// which may be for other settings.
    private func lendObserver() throws {
      MadeTools.lend(to: scratch.file("lender"))
      try FileManager.default.createDirectory(
        atPath: scratch.file("home/toolchains"), withIntermediateDirectories: true)
      // What is being made has a name with a dot.
      for name in scratch.names(in: "lender/toolchains") where name.hasPrefix("observer-") && !name.contains(".") {
        let words = ["-a", "--", scratch.file("lender/toolchains/\(name)"), scratch.file("home/toolchains/")]
        let copying = try Program.run("/bin/cp", words, environment: [:], in: scratch.path)
        #expect(copying.status == 0, "\(copying.errors)")
      }
    }

    @Test("The first build from nothing makes its own, the second those of all others, which make none")
    func once() throws {
      #expect(try !integrate("one").isEmpty && made.isEmpty)
      let second = try integrate("two")
      #expect(second.isSuperset(of: made) && !made.isEmpty)
      // A copy: what a commit writes there, no other commit reads.
      let name = try #require(made.sorted().first)
      try scratch.write("not a module", to: "\(modules(of: "two"))/\(name)")
      #expect(try integrate("three") == made)
      #expect(try contents("\(modules(of: "three"))/\(name)") != contents("\(modules(of: "two"))/\(name)"))
    }

    /// Integrates a branch, and returns what its builds have as modules.
    private func integrate(_ branch: String) throws -> Set<String> {
      try repository.git("switch", "--quiet", "--create", branch)
      let run = try program.run("run", repository.path)
      #expect(run.status == 0, "\(run.errors)")
      return files(in: modules(of: branch))
    }

    private func modules(of branch: String) -> String { "home/workspaces/Mill/\(branch)/modules-root/copy" }

    /// What was made for all.
    private var made: Set<String> {
      let folders = scratch.names(in: "home/toolchains").filter {
        $0.hasPrefix("toolchain-modules-") && !$0.contains(".")
      }
      return folders.reduce(into: []) { $0.formUnion(files(in: "home/toolchains/\($1)")) }
    }

    private func files(in folder: String) -> Set<String> {
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: scratch.file(folder))) ?? []
      return Set(paths.filter { $0.hasSuffix(".pcm") || $0.hasSuffix(".swiftmodule") })
    }

    private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: scratch.file(path))) }
  }
}
