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
  /// What the processes have for themselves.
  let folders: TestFolders
  /// Where the counters are kept that came by the private channel; nobody but Martlet writes there.
  let proven: Folder
  /// Where what a library or the runtime wrote for machines is kept; nobody but Martlet writes there.
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
  /// Sentences about processes that left no counters.
  var lostCounters: [String] = []
  /// Whether what its processes leave, counters and attachments, belongs to the results.
  var keepsTraces = true
  /// The bytes of all attachments that were kept.
  var attachedBytes = 0
  /// How many were kept.
  var attachedCount = 0
  /// What could not be kept as it should.
  var serviceWarnings: [ServiceWarning] = []

  // MARK: Listing

  /// Asks both libraries for their tests, side by side.
  func list() throws -> (listing: Listing, results: [ProcessResult]) {
    let name = "\(number)-list"
    let handed = try HandedFolder(of: name, in: folders)
    // Two at once cannot share a view.
    let command = try command(
      ["--testing-library", "swift-testing", "--list-tests"] + stream(to: handed.events),
      environment: listingEnvironment, handing: handed, in: ownView(of: name))
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
      places(in: handed), listed: listing.swiftTesting)
    return (listing, [first.result, other.result])
  }

  /// What a listing process wrote about the places of tests; without it there is a fallback.
  private func places(in handed: HandedFolder) -> [UInt8] {
    let reading = UntrustedFolder(handed.folder.path).read(
      HandedFolder.eventsName, limit: Bounds.standard.listingEvents)
    return if case .bytes(let bytes) = reading { bytes } else { [] }
  }

  /// A listing process must not leave counters, not even in its own folder.
  private var listingEnvironment: [String: String] {
    ChildEnvironment.testing(from: environment, profiles: "/dev/null")
  }

  // MARK: Commands

  /// The one place where a command of the test executable is made.
  ///
  /// - Parameters:
  ///   - handed: where it may hand something back; nil for nowhere.
  ///   - view: what it sees of the sources; nil for what the others before it left.
  func command(
    _ arguments: [String], environment: [String: String], handing handed: HandedFolder? = nil,
    in view: FolderView? = nil
  ) -> Command {
    var sandbox = sandbox
    if let handed { sandbox?.writable.append(handed.folder.path) }
    if let view { sandbox?.views = [view] }
    return Command(executable, arguments, environment: environment, workingDirectory: folder).contained(in: sandbox)
  }

  /// A view of the sources for one process alone; nil where there are none.
  private func ownView(of process: String) throws -> FolderView? {
    try sandbox?.views.first.map { view in
      try FolderView.make(
        of: view.original, at: view.place, in: folders.layers(process), kind: view.kind, cancellation: cancellation)
    }
  }

  /// The newest event stream that this toolchain's Swift Testing writes, into a file.
  func stream(to path: String) -> [String] {
    let version = toolchain.version >= Toolchain.Version(major: 6, minor: 3) ? "6.3" : "0"
    return ["--event-stream-version", version, "--event-stream-output-path", path]
  }
}
