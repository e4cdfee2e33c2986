import FoundationEssentials
import Glibc
import Model
import Parsing
import Processes
import Testing

@testable import Integrating

@Suite("The processes of a test program")
struct TestSessionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A session with a program that does what a script says.
  private func session(
    _ script: String, _ limits: TestLimits = TestLimits(), sanitizers: [Bot.Sanitizer] = []
  ) throws -> TestSession {
    try scratch.folder.write("#!/bin/sh\n\(script)\n", to: "program")
    #expect(chmod(scratch.file("program"), 0o755) == 0)
    let surroundings = TestSurroundings(
      folder: scratch.path, environment: ["PATH": "/usr/bin:/bin"],
      toolchain: Toolchain(
        programs: "/no", libraries: "/no", name: "Swift version 6.0 (fake)", version: .init(major: 6, minor: 0),
        stamp: "one"),
      sanitizers: sanitizers, observation: .none(why: "there is no observer"),
      counters: ContinuousCounters(manifests: []), paths: PackagePaths(scratch.path), turn: nil)
    // Time stands still, so what ends a process is the process's own clock.
    let allowance = TestAllowance(
      limits: limits, resources: ResourceLimits(), writable: [], cancellation: try Cancellation(),
      clock: .init(now: { Date() }, seconds: { 0 }), started: 0)
    let output = TestOutput(
      log: try StepLog(.testing, in: scratch.folder, mask: SecretMask([])),
      folders: TestFolders(scratch.folder.folder("tests")), proven: scratch.folder.folder("proven"),
      results: scratch.folder.folder("results"), kept: scratch.folder)
    return TestSession(
      executable: BuildProducts.TestExecutable(name: "ShopPackageTests", path: scratch.file("program"), images: []),
      number: 1, surroundings: surroundings, allowance: allowance, output: output, progress: { _ in })
  }

  /// A program whose libraries answer each in its way when they are asked for their tests.
  private func listing(xctest: String, swiftTesting: String) -> String {
    "case $1 in --dump-tests-json) \(xctest);; *) \(swiftTesting);; esac"
  }

  private static let noXCTest = #"echo '{"name":"All tests","tests":[]}'"#

  @Test(
    "A library without tests is none that failed, nor is one that another main does not know",
    arguments: [
      ("echo 'M.one()'", false, ["M.one()"]), ("exit 0", false, []), ("exit 69", false, []), ("exit 1", true, []),
    ] as [(String, Bool, [String])])
  func lists(swiftTesting: String, hasOwnMain: Bool, tests: [String]) throws {
    let session = try session(listing(xctest: Self.noXCTest, swiftTesting: swiftTesting))
    let listing = try session.list(hasOwnMain: hasOwnMain).listing
    #expect(listing.xctest == [])
    #expect(listing.swiftTesting.map(\.description) == tests)
  }

  @Test(
    "A process that fails while it lists tests lists none",
    arguments: [
      (noXCTest, "exit 1", false, "Swift Testing failed with exit status 1."),
      (noXCTest, "echo 'M.one()'; exit 69", false, "Swift Testing failed with exit status 69."),
      (noXCTest, "echo 'M.one()'; exit 1", true, "Swift Testing failed with exit status 1."),
      (noXCTest, "kill -TERM $$", true, "Swift Testing was ended by signal 15 (SIGTERM)."),
      ("\(noXCTest); kill -TERM $$", "exit 69", false, "XCTest was ended by signal 15 (SIGTERM)."),
    ])
  func failing(xctest: String, swiftTesting: String, hasOwnMain: Bool, end: String) throws {
    let session = try session(listing(xctest: xctest, swiftTesting: swiftTesting))
    #expect(throws: IntegratingError(.service, "the process that lists those of \(end)")) {
      _ = try session.list(hasOwnMain: hasOwnMain)
    }
  }

  @Test("A process that lists tests for too long lists none")
  func endless() throws {
    let script = listing(xctest: "\(Self.noXCTest); exec sleep 60", swiftTesting: "exit 69")
    let session = try session(script, TestLimits(step: .seconds(1)))
    #expect(
      throws: IntegratingError(
        .service, "the process that lists those of XCTest was stopped, because it took longer than 1 s.")
    ) { _ = try session.list(hasOwnMain: false) }
  }

  private func runAlone(in session: TestSession) throws -> (product: TestReportBuilder.Product, hadTime: Bool) {
    let test = TestResult(id: TestID(module: "M", suite: "S", name: "t"), library: .xctest, state: .failed)
    var session = session
    var record = StepRecord(name: .testing, duration: 0)
    return try session.runAlone(
      test, of: TestSession.Listing(xctest: [test.id]), keepsTraces: false, record: &record)
  }

  @Test(
    "A run alone has no time if the limit of all tests together cuts it off, and not if another limit ends it",
    arguments: [
      (TestLimits(step: .milliseconds(200)), false), (TestLimits(silence: .milliseconds(200)), true),
      (TestLimits(step: .zero), false),
    ] as [(TestLimits, Bool)])
  func cutOff(limits: TestLimits, hadTime: Bool) throws {
    let session = try session("exec sleep 60", limits)
    #expect(try runAlone(in: session).hadTime == hadTime)
  }

  @Test("A run alone that is cut off tells what a sanitizer found until then")
  func cutOffFinding() throws {
    let script = "echo 'WARNING: ThreadSanitizer: data race (pid=3)' >&2; exec sleep 60"
    let session = try session(script, TestLimits(step: .seconds(1)), sanitizers: [.thread])
    let (product, hadTime) = try runAlone(in: session)
    #expect(product.report.sanitizerReports.map(\.message) == ["ThreadSanitizer: data race"])
    #expect(!hadTime)
  }
}
