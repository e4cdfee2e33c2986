import FoundationEssentials
import Model
import Parsing
import Processes

/// The processes of one test executable: they list its tests, and run them.
struct TestSession {
  /// The tests of one executable, by library.
  struct Listing {
    var xctest: [TestID] = []
    var swiftTesting: [TestID] = []
    /// The names of Swift Testing's tests with their places, as filters see them.
    var places: [TestID: String] = [:]
  }

  let executable: String
  let folder: String
  let environment: [String: String]
  let toolchain: Toolchain
  /// Whether its processes are followed from inside.
  let observation: Observation
  /// What its processes can reach; nil for everything.
  let sandbox: Sandbox?
  let cancellation: Cancellation
  let log: StepLog
  /// Where the processes leave their counters.
  let profiles: Folder
  /// Where the counters are kept that came by the private channel; nobody but Martlet writes there.
  let proven: Folder
  /// Where what a library or the runtime writes for machines is kept.
  let results: Folder
  /// Where nobody but Martlet writes.
  let kept: Folder
  let paths: PackagePaths
  var progress: ProgressHandler
  let counters: ContinuousCounters
  let limits: TestLimits
  let resources: ResourceLimits
  /// The folders on the disk that its processes can write.
  let writable: [String]
  /// What the executable was built with.
  let sanitizers: [Bot.Sanitizer]
  let clock: Clock
  /// When the testing step began, by that clock.
  let started: Double
  /// The place of the executable among those of the package; tells the processes of one from those of another.
  let number: Int
  var startedProcesses = 0
  /// How many processes of each library left counters that belong to the results.
  var tracedProcesses: [TestLibrary: Int] = [:]
  /// The names of the files in `profiles` in whose place others are kept.
  var supersededProfiles: Set<String> = []
  /// Sentences about processes that left no counters.
  var lostCounters: [String] = []
  /// Whether what its processes leave, counters and attachments, belongs to the results.
  var keepsTraces = true
  /// The bytes of all attachments that were kept.
  var attachedBytes = 0
  /// How many were kept.
  var attachedCount = 0
  /// Sentences about what could not be kept as it should.
  var serviceWarnings: [String] = []

  // MARK: Listing

  /// Asks both libraries for their tests, side by side.
  func list() throws -> (listing: Listing, results: [ProcessResult]) {
    let places = results.file("swift-testing-list.jsonl")
    let command = command(
      ["--testing-library", "swift-testing", "--list-tests"] + stream(to: places), environment: listingEnvironment)
    let cancellation = cancellation
    // Listing takes a moment; a test executable that needs minutes for it hangs.
    let limits = resources.limits(wallClock: min(.seconds(120), limits.step), writing: writable)
    let most = Bounds.standard.listing
    let second = try Worker { try command.collect(limits: limits, cancellation: cancellation, limit: most) }
    let first = try self.command(["--dump-tests-json"], environment: listingEnvironment)
      .collect(limits: limits, cancellation: cancellation, limit: most)
    let other = try second.join()
    var listing = Listing()
    listing.xctest = try TestListing.xctest(first.standardOutput)
    listing.swiftTesting = try TestListing.swiftTesting(other.standardOutput)
    listing.places = TestListing.swiftTestingPlaces(
      placeRecords, listed: listing.swiftTesting)
    return (listing, [first.result, other.result])
  }

  /// What a listing process wrote about the places of tests; without it there is a fallback.
  private var placeRecords: [UInt8] {
    let reading = UntrustedFolder(results.path).read("swift-testing-list.jsonl", limit: Bounds.standard.listingEvents)
    return if case .bytes(let bytes) = reading { bytes } else { [] }
  }

  /// A listing process must not leave counters, not even in its own folder.
  private var listingEnvironment: [String: String] {
    ChildEnvironment.testing(from: environment, profiles: "/dev/null")
  }

  // MARK: Commands

  /// The one place where a command of the test executable is made.
  func command(_ arguments: [String], environment: [String: String]) -> Command {
    Command(executable, arguments, environment: environment, workingDirectory: folder).contained(in: sandbox)
  }

  /// The newest event stream that this toolchain's Swift Testing writes, into a file.
  func stream(to path: String) -> [String] {
    let version = toolchain.version >= Toolchain.Version(major: 6, minor: 3) ? "6.3" : "0"
    return ["--event-stream-version", version, "--event-stream-output-path", path]
  }
}
