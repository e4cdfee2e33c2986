import Foundation
import Model
import Testing

extension Misbehaviors {
  @Suite("When a test writes into the file of its counters")
  struct ForgedCountersTests {
    private static let shared = Result { try ScratchFolder("forged-counters") }

    /// A package whose tests run all of it, in a home in which another test may have built one with the same targets.
    private func begin(_ message: String, keeping: String, tests: String) throws -> (GitFolder, Program) {
      let scratch = try Self.shared.get()
      try scratch.beginAnew()
      let repository = try GitFolder("Counters", in: scratch)
      try repository.commit(
        message,
        [
          "Package.swift": SmallManifest.text(
            "Counters",
            targets:
              #".target(name: "Counters"), .target(name: "CKeeping"), .testTarget(name: "CountersTests", dependencies: ["Counters", "CKeeping"])"#
          ),
          "Sources/Counters/Counters.swift": "public func used() -> Int { 1 }\n",
          "Sources/CKeeping/include/keeping.h": "void keep(void);\n", "Sources/CKeeping/keeping.c": keeping,
          "Tests/CountersTests/CountersTests.swift": tests,
        ])
      return (repository, Program(scratch: scratch))
    }

    @Test("No line runs by that, and a gate that asks for it fails")
    func gate() throws {
      let (repository, program) = try begin(
        "Count honestly", keeping: "#include \"keeping.h\"\n\nvoid keep(void) {}\n", tests: Self.tests(""))
      let honest = try program.integrate(
        repository.path, "--quiet", "--gate", "patch-fully-covered", bot: "Counters")
      #expect(honest.document.outcome == .succeeded, "\(honest.document.reasons)")
      try repository.commit(
        "Forge a count",
        [
          "Sources/Counters/Counters.swift":
            "public func used() -> Int { 1 }\n\npublic func unused(_ number: Int) -> Int {\n  number * 2\n}\n",
          "Tests/CountersTests/CountersTests.swift": Self.tests(Self.forging),
        ])
      let forged = try program.integrate(
        repository.path, "--quiet", "--gate", "patch-fully-covered", bot: "Counters")
      #expect(forged.document.tests.passed == 2, "\(forged.document.issues.map(\.message))")
      #expect(
        forged.document.reasons == [
          "Full patch gate: 3 of 3 changed lines never ran: Sources/Counters/Counters.swift:3–5."
        ])
      #expect(forged.coverage.complete)
    }

    @Test("Programs that tests start count, files that tests write do not, also in a home behind a link")
    func programs() throws {
      let scratch = try ScratchFolder("started-programs")
      let repository = try GitFolder("Counters", in: scratch)
      try FileManager.default.createSymbolicLink(
        atPath: scratch.file("link"), withDestinationPath: scratch.file("home"))
      try FileManager.default.createDirectory(atPath: scratch.file("home"), withIntermediateDirectories: false)
      let program = Program(scratch: scratch, environment: ["MARTLET_HOME": scratch.file("link")])
      let files = [
        "Package.swift": SmallManifest.text(
          "Counters",
          targets:
            #".target(name: "Counters"), .executableTarget(name: "counting"), .testTarget(name: "CountersTests", dependencies: ["counting"])"#
        ),
        "Sources/Counters/Counters.swift": "public enum Counters {}\n",
        "Sources/counting/main.swift": "print(6 * 7)\n",
      ]
      let tests = "Tests/CountersTests/CountersTests.swift"
      try repository.commit(
        "Count in a program", files.merging([tests: Self.starting("")]) { $1 })
      let honest = try program.integrate(
        repository.path, "--quiet", "--gate", "patch-fully-covered", bot: "Counters")
      #expect(honest.document.outcome == .succeeded, "\(honest.document.reasons)")
      #expect(honest.coverage.complete)
      #expect(honest.coverage.lines?.covered == 1)
      try repository.commit(
        "Write a profile",
        [
          "Sources/counting/main.swift": "print(6 * 7)\n\nfunc unused() -> Int {\n  2\n}\n",
          tests: Self.starting(Self.copying),
        ])
      let forged = try program.integrate(
        repository.path, "--quiet", "--gate", "patch-fully-covered", bot: "Counters")
      #expect(forged.document.tests.passed == 2)
      let lost =
        "A program that a test started did not hand over its counters, so lines that only it ran are shown as never run."
      #expect(forged.coverage.reason == lost)
      #expect(forged.document.reasons == ["Full patch gate: the coverage is incomplete. \(lost)"])
      #expect(forged.run.status == 1)
    }

    @Test("Where a process does not hand over its counters, no gate is passed by them")
    func withheld() throws {
      let (repository, program) = try begin(
        "Keep the counters", keeping: Self.keeping, tests: Self.tests("  func testKeeping() { keep() }\n"))
      let withheld = try program.integrate(
        repository.path, "--quiet", "--gate", "patch-fully-covered", bot: "Counters")
      #expect(withheld.document.tests.passed == 2)
      let lost =
        "A process of XCTest ended with status 0 and did not hand over its coverage, so its figures may be wrong."
      let reason = "No test process left its counters. \(lost)"
      #expect(withheld.coverage.reason == reason)
      #expect(
        withheld.document.reasons == ["Full patch gate: no coverage. \(reason)"])
      #expect(withheld.run.status == 1)
    }

    /// Before `main`, takes away the call by which memory without a name is made.
    private static let keeping = """
      #include "keeping.h"
      #include <errno.h>
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stddef.h>
      #include <sys/prctl.h>
      #include <sys/syscall.h>

      void keep(void) {}

      __attribute__((constructor)) static void refuse(void) {
        struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
        struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
      }

      """

    /// Starts the program that is built beside the tests.
    private static func starting(_ more: String) -> String {
      """
      import Foundation
      import XCTest

      final class CountersTests: XCTestCase {
        func testCounting() throws {
          let program = Process()
          program.executableURL = Bundle.main.bundleURL.appendingPathComponent("counting")
          let output = Pipe()
          program.standardOutput = output
          try program.run()
          program.waitUntilExit()
          XCTAssertEqual(output.fileHandleForReading.readDataToEndOfFile(), Data("42\\n".utf8))
        }
      \(more)}

      """
    }

    /// Writes a profile beside those of the process, in which every counter of its own says that something ran.
    private static let copying = """

        func testCopying() throws {
          let pattern = try XCTUnwrap(ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"])
          let folder = (pattern as NSString).deletingLastPathComponent
          let own = try XCTUnwrap(
            FileManager.default.contentsOfDirectory(atPath: folder).first { $0.contains(".\\(getpid()).") })
          var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\\(folder)/\\(own)")))
          let header = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self).prefix(16)) }
          let start = 128 + Int(header[2]) + Int(header[3]) * 64 + Int(header[4])
          for counter in 0..<Int(header[5]) { bytes[start + counter * 8] = 1 }
          let name = own.replacingOccurrences(of: ".\\(getpid()).", with: ".1.")
          try Data(bytes).write(to: URL(fileURLWithPath: "\\(folder)/\\(name)"))
        }

      """

    private static func tests(_ more: String) -> String {
      """
      import CKeeping
      import Counters
      import Foundation
      import XCTest

      final class CountersTests: XCTestCase {
        func testUsed() {
          keep()
          XCTAssertEqual(used(), 1)
        }
      \(more)}

      """
    }

    /// Says that every region ran; the form is that of LLVM's raw profiles
    /// (https://llvm.org/docs/InstrProfileFormat.html#raw-profile-format).
    private static let forging = """

        func testForging() throws {
          let pattern = try XCTUnwrap(ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"])
          let folder = (pattern as NSString).deletingLastPathComponent
          for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.contains(".\\(getpid()).") {
            let file = open("\\(folder)/\\(name)", O_RDWR)
            var header = [UInt64](repeating: 0, count: 16)
            XCTAssertEqual(pread(file, &header, 128, 0), 128)
            let start = 128 + Int(header[2]) + Int(header[3]) * 64 + Int(header[4])
            let ones = [UInt64](repeating: 1, count: Int(header[5]))
            XCTAssertEqual(pwrite(file, ones, ones.count * 8, off_t(start)), ones.count * 8)
            close(file)
          }
        }

      """
  }
}
