import FoundationEssentials
import Glibc
import Model
import Processes
import TestGround
import Testing

extension Misbehaviors {
  @Suite("The sandbox")
  struct SandboxTests {
    private static let shared = Result { try ScratchFolder("sandbox") }

    private let scratch: ScratchFolder
    private var program: Program

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      program = Program(scratch: scratch)
    }

    /// A package whose manifest and tests reach for what is not theirs; each success would be a failure here.
    private func hostile() throws -> GitFolder {
      let repository = try GitFolder("Hostile", in: scratch)
      try repository.commit(
        "Reach out",
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import Foundation
          import PackageDescription
          try? "x".write(toFile: "\(scratch.file("by-manifest"))", atomically: false, encoding: .utf8)
          let package = Package(
            name: "Hostile",
            targets: [.target(name: "Hostile"), .testTarget(name: "HostileTests", dependencies: ["Hostile"])])

          """,
          "Sources/Hostile/Hostile.swift": "public func answer() -> Int { 42 }\n",
          "Tests/HostileTests/HostileTests.swift": """
          import Foundation
          import Hostile
          import Testing
          @Test func writesOutside() {
            #expect(answer() == 42)
            try? "x".write(toFile: "\(scratch.file("by-test"))", atomically: false, encoding: .utf8)
          }
          @Test func seesNoStranger() { #expect(kill(\(getpid()), 0) != 0) }
          @Test func rewritesItself() {
            #expect(throws: (any Error).self) {
              try "x".write(toFile: CommandLine.arguments[0], atomically: false, encoding: .utf8)
            }
          }
          @Test func forgesCounters() throws {
            let profile = try #require(ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"])
            let folder = (profile as NSString).deletingLastPathComponent
            try FileManager.default.createSymbolicLink(
              atPath: folder + "/forged.profraw", withDestinationPath: "\(scratch.file("secret"))")
          }
          @Test func hasAHome() throws {
            for folder in [NSHomeDirectory(), NSTemporaryDirectory()] {
              try "x".write(toFile: folder + "/mine", atomically: true, encoding: .utf8)
              #expect(chmod(folder + "/mine", 0o755) == 0)
              #expect(chmod(folder + "/mine", 0o4755) == -1)
            }
          }
          @Test func asksTheKernel() {
            #expect(socket(40, 1, 0) == -1 && errno == EAFNOSUPPORT)
          }

          """,
        ])
      return repository
    }

    /// The modes of what lies in a folder.
    private func modes(beneath folder: String) throws -> Set<mode_t> {
      Set(
        try FileManager.default.subpathsOfDirectory(atPath: scratch.file(folder)).map { name in
          var status = stat()
          try check(lstat(scratch.file("\(folder)/\(name)"), &status))
          return status.st_mode & 0o7777
        })
    }

    private func holds(_ name: String) -> Bool { access(scratch.file(name), F_OK) == 0 }

    @Test(
      "A package cannot reach out of its workspace", .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
    func contained() throws {
      let repository = try hostile()
      try Data("secret".utf8).write(to: URL(filePath: scratch.file("secret")))
      let integrated = try program.integrate(repository.path, "--sandbox", "on", bot: "Hostile")
      #expect(integrated.document.sandbox == "bubblewrap")
      #expect(integrated.document.outcome == .succeeded, "\(integrated.run.output)")
      #expect(integrated.document.tests.passed == 6)
      #expect(!holds("by-manifest"))
      #expect(!holds("by-test"))
      #expect(!holds("user/mine"))
      for name in try FileManager.default.contentsOfDirectory(atPath: scratch.file("home")) where name != "site" {
        var status = stat()
        #expect(stat(scratch.file("home/\(name)"), &status) == 0 && status.st_mode & 0o7077 == 0, "\(name)")
      }
      #expect(try modes(beneath: "home/integrations") == [0o600, 0o700])
      #expect(try modes(beneath: "home/site") == [0o644, 0o755])
      #expect(integrated.document.issues.isEmpty)
      #expect(integrated.coverage.lines?.covered == 1)
      #expect(integrated.coverage.complete == false)
      let lost =
        "A program that a test started did not hand over its counters, so lines that only it ran are shown as never run."
      #expect(integrated.coverage.reason == lost)
      #expect(try #require(integrated.step(.testing)?.cpu) > 0)
      #expect(try integrated.report.words("index.html").contains("sandbox bubblewrap"))
    }

    /// A package whose manifest calls at this machine's loopback, at the router's name for it, and at an outer address.
    private func caller(at loopback: Door, _ outside: Door?, _ address: in_addr_t?) throws -> GitFolder {
      let repository = try GitFolder("Caller", in: scratch)
      let outer = outside.map { "call(\(address ?? 0), \($0.port))" } ?? ""
      try repository.commit(
        "Call",
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import Glibc
          import PackageDescription
          func call(_ address: UInt32, _ port: UInt16) {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = address
            place.sin_port = port.bigEndian
            _ = withUnsafePointer(to: &place) { pointer in
              pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
              }
            }
            close(number)
          }
          call(UInt32(0x7F00_0001).bigEndian, \(loopback.port))
          call(UInt32(0x0A00_0202).bigEndian, \(loopback.port))
          \(outer)
          let package = Package(
            name: "Caller", dependencies: [.package(path: "Kit")],
            targets: [.testTarget(name: "CallerTests", dependencies: [.product(name: "Kit", package: "Kit")])])

          """,
          "Kit/Package.swift": """
          // swift-tools-version: 6.0
          import PackageDescription
          let package = Package(
            name: "Kit", products: [.library(name: "Kit", targets: ["Kit"])], targets: [.target(name: "Kit")])

          """,
          "Kit/Sources/Kit/Kit.swift": "public func answer() -> Int { 42 }\n",
          "Tests/CallerTests/CallerTests.swift": """
          import Kit
          import Testing
          @Test func answers() { #expect(answer() == 42) }

          """,
        ])
      return repository
    }

    @Test(
      "While dependencies are fetched, the outside can be reached and this machine's loopback cannot",
      .enabled(if: MachineAbilities.canRoute, "slirp4netns works here"))
    func fetching() throws {
      let loopback = try Door()
      let address = NetworkAddress.outward
      // Without a network, this machine stands for the outside.
      let outside = try address.map { try Door(at: $0) }
      let repository = try caller(at: loopback, outside, address)
      let integrated = try program.integrate(repository.path, "--sandbox", "on", bot: "Caller")
      #expect(integrated.document.outcome == .succeeded, "\(integrated.run.output)")
      #expect(integrated.step(.resolving) != nil)
      #expect(integrated.document.issues.map(\.message) == [])
      #expect(!loopback.wasCalled)
      #expect(outside?.wasCalled != false)
    }

    @Test(
      "Without slirp4netns the loopback is shared while dependencies are fetched, and the report says so",
      .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
    func fetchingWithout() throws {
      let loopback = try Door()
      let repository = try caller(at: loopback, nil, nil)
      let folder = scratch.file("programs")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: folder + "/slirp4netns"))
      #expect(chmod(folder + "/slirp4netns", 0o755) == 0)
      var program = program
      program.environment["PATH"] = "\(folder):\(program.variables["PATH"] ?? "")"
      let integrated = try program.integrate(repository.path, "--sandbox", "on", bot: "Caller")
      let message =
        "While the dependencies were fetched, the package's manifests could reach what listens on this machine's loopback, because slirp4netns "
      #expect(integrated.document.issues.contains { $0.message.hasPrefix(message) })
      #expect(loopback.wasCalled)
    }

    @Test(
      "A local dependency outside is named, with what lets it in",
      .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
    func outside() throws {
      let repository = try GitFolder("Depending", in: scratch)
      try repository.commit(
        "Depend on what lies outside",
        [
          "Package.swift": SmallManifest.text(
            "Depending", dependencies: #".package(path: "/no/such/Kit")"#, targets: #".target(name: "Depending")"#),
          "Sources/Depending/Depending.swift": "public let answer = 42\n",
        ])
      let integrated = try program.integrate(repository.path, "--quiet", bot: "Depending")
      #expect(integrated.document.outcome == .buildErrors)
      let message = "/no/such/Kit lies outside the sandbox. If you trust this code, run with --sandbox off."
      #expect(integrated.document.reasons.contains(message))
    }

    @Test("A machine that refuses is told apart: auto goes on and says so on every page, on does not begin")
    func refused() throws {
      let repository = try GitFolder("Plain", in: scratch)
      try repository.commit("Begin", ["Package.swift": "// swift-tools-version: 6.0\nnonsense\n"])
      let folder = scratch.file("programs")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let words = "bwrap: Unknown option --disable-userns"
      try Data("#!/bin/sh\necho '\(words)' >&2\nexit 1\n".utf8).write(to: URL(filePath: folder + "/bwrap"))
      #expect(chmod(folder + "/bwrap", 0o755) == 0)
      var program = program
      program.environment["PATH"] = "\(folder):\(program.variables["PATH"] ?? "")"
      let refusal = try program.run("run", repository.path, "--sandbox", "on")
      #expect(refusal.status == 3)
      #expect(
        refusal.errors
          == "error: cannot contain the code under test: bubblewrap does not work (\(words)). Install bubblewrap 0.8 or newer. Or run it uncontained, with --sandbox off.\n"
      )
      #expect(!holds("home/integrations/Plain/1"))
      let integrated = try program.integrate(repository.path, bot: "Plain")
      #expect(integrated.document.sandbox == "none: bubblewrap does not work (\(words))")
      let message =
        "The code under test was not contained: bubblewrap does not work (\(words)). Install bubblewrap 0.8 or newer."
      #expect(integrated.document.issues.last?.message == message)
      #expect(try integrated.report.words("index.html").contains(message))
      #expect(try integrated.report.words("index.html").contains("sandbox none: bubblewrap does not work"))
    }
  }
}
