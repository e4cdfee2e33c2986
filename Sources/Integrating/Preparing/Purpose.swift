import Glibc
import Model
import Processes

/// The purpose of a program in an integration, which determines what it can reach.
enum Purpose: String, CaseIterable, Sendable {
  /// Fetches dependencies: the only purpose with the network; it also runs manifests.
  case resolving
  /// Describes the package, which runs its manifests and nothing else.
  case describing
  /// Compiles, and runs plugins and macros.
  case building
  /// Compiles what is kept as a release.
  case archiving
  /// Runs the package's own code.
  case testing
  /// Reads what tests left behind.
  case measuring
}

extension IntegrationRun {
  /// Returns the sandbox for a program; nil if it is not to be contained, or cannot be.
  func sandbox(for purpose: Purpose) -> Sandbox? {
    guard case .contained(let bubblewrap, let policy) = containment else { return nil }
    var sandbox = Sandbox(bubblewrap: bubblewrap, readable: toolchain.folders)
    sandbox.temporaryBytes = request.resources.temporaryBytes
    let scratch = scratch.path
    if purpose == .measuring {
      sandbox.readable +=
        [scratch] + (testFolders.handed.exists ? [testFolders.handed.path] : [])
      sandbox.writable = [kept.folder("coverage").path]
      return sandbox
    }
    let isTesting = purpose == .testing
    if !isTesting, let shim = compilerShim { sandbox.readable.append(shim.folder) }
    sandbox.features = Sandbox.Features(policy.allow)
    sandbox.reporter = context.endReporter
    sandbox.home = isTesting ? testFolders.home.path : claimed.workspace.home.path
    sandbox.temporaryFolder = isTesting ? testFolders.temporary.path : claimed.workspace.temporary.path
    sandbox.accounts = isTesting ? testFolders.accounts : claimed.workspace.state.file(Self.accounts)
    sandbox.readable += policy.read
    sandbox.writable = policy.write
    if !isTesting, let caches = caches(for: purpose) { sandbox.writable.append(caches.path) }
    switch purpose {
    case .resolving, .describing, .building:
      sandbox.writable += [claimed.workspace.source.path, scratch]
      if purpose == .building { sandbox.views = moduleViews(in: modules) }
      // Unless the loopback can be kept out of reach, a stranger's manifest has no network at all.
      sandbox.network = purpose == .resolving && !request.isOfStranger
      if purpose == .resolving, case .works(let program) = router {
        (sandbox.network, sandbox.router, sandbox.resolver) = (true, program, resolver)
      }
      if purpose == .resolving, let login = dependencyLogin { sandbox.readable += login.readable }
    case .archiving:
      sandbox.writable += [claimed.workspace.release.path, releaseScratch.path]
    case .testing, .measuring:
      // The build stays as it is, for the next process and the next build.
      sandbox.readable.append(scratch)
      sandbox.network = policy.network
    }
    return sandbox
  }

  /// Returns the folders of Martlet's own that a program can write to; all are on one disk.
  func foldersWritten(by purpose: Purpose) -> [String] {
    let folders: [Folder] =
      switch purpose {
      case .resolving, .describing, .building:
        [
          claimed.workspace.source, claimed.workspace.home, claimed.workspace.caches, claimed.workspace.temporary,
          scratch, modules,
        ]
      case .archiving:
        [
          claimed.workspace.release, claimed.workspace.home, claimed.workspace.caches, claimed.workspace.temporary,
          releaseScratch,
        ]
      case .testing: [testFolders.root]
      case .measuring: []
      }
    return folders.map(\.path)
  }

  /// Returns a program in the environment and the sandbox of its purpose.
  ///
  /// - Parameter program: its path, or the name of one of the toolchain's.
  func command(_ program: String, _ arguments: [String] = [], for purpose: Purpose) -> Command {
    let folder =
      switch purpose {
      case .resolving, .describing, .building, .testing: packageFolder
      case .archiving: releasePackage
      case .measuring: kept.folder("coverage")
      }
    return Command(
      program.contains("/") ? program : toolchain.program(program), arguments, environment: environment(for: purpose),
      workingDirectory: folder.path
    ).contained(in: sandbox(for: purpose))
  }

  func limits(for purpose: Purpose) -> Limits {
    request.resources.limits(wallClock: request.tests.limits.step, writing: foldersWritten(by: purpose))
  }

  /// The folders of the destination's tests.
  var testFolders: TestFolders { claimed.workspace.tests(of: asked.buildName) }

  /// The folder for the machine-readable output of test libraries and the runtime; only Martlet writes there.
  var results: Folder { kept.folder("results") }

  /// Makes the folders that sandboxes let programs write to, and removes what the last integration left in them, except
  /// for what it built.
  func prepareForSandbox() throws(IntegratingError) {
    try claimed.workspace.removePassing()
    guard case .contained = containment else { return }
    try claimed.workspace.audit.takeAway()
    for folder in [claimed.workspace.home, claimed.workspace.temporary, claimed.workspace.caches] {
      try folder.takeAway()
      try folder.create()
    }
    try openBuildFolders()
    try claimed.workspace.state.write(Accounts.file(home: claimed.workspace.home.path), to: Self.accounts)
    try claimed.workspace.state.write(Router.resolver(of: Router.machineResolver), to: "resolv.conf")
  }

  /// Makes the folders that sandboxes let the builds of this destination write to and no other's.
  func openBuildFolders() throws(IntegratingError) {
    guard case .contained = containment else { return }
    try scratch.reopen()
    for purpose in Purpose.allCases { try caches(for: purpose)?.create() }
  }

  /// Makes the folders of the tests, and the view of the sources that contained tests see.
  func prepareForTests() throws(IntegrationStop) -> FolderView? {
    let folders = testFolders
    return try stopping {
      try kept.folder("coverage").create()
      try results.create()
      for folder in [folders.home, folders.temporary, folders.handed] { try folder.create() }
      guard case .contained = containment else { return nil }
      try folders.root.write(Accounts.file(home: folders.home.path), to: TestFolders.accountsName)
      return try FolderView.make(
        of: claimed.workspace.source.path, at: claimed.workspace.source.path, in: folders.layers("run"),
        cancellation: integrator.cancellation)
    }
  }

  /// The name of the account list that programs in a sandbox see, except for tests.
  private static let accounts = "passwd"

  /// The file by which programs with a network of their own resolve names.
  private var resolver: String { claimed.workspace.state.file("resolv.conf") }

  /// Determines how to fetch without reaching what listens on this machine's loopback.
  func findRouter() -> Router? {
    guard case .contained(let bubblewrap, _) = containment else { return nil }
    do {
      return try Router.find(
        bubblewrap: bubblewrap, searchPath: integrator.environment["PATH"] ?? "",
        cancellation: integrator.cancellation)
    } catch {
      return .unusable(why: "\(error)", remedy: "")
    }
  }

  /// Warns if what fetches dependencies can reach too much of the network, or cannot reach its proxies.
  func warnOfNetwork() {
    guard let router else { return }
    // Without a router, a stranger's manifests have no network at all.
    if request.isOfStranger, case .unusable = router { return }
    guard case .unusable(let why, let remedy) = router else { return warnOfProxies() }
    journal.warn(.loopbackInReach(why: why, remedy: remedy))
  }

  private func warnOfProxies() {
    let proxies = Router.unreachableProxies(in: environment(for: .resolving))
    if !proxies.isEmpty { journal.warn(.proxyOutOfReach(proxies)) }
  }

  /// Before Swift 6.4, Swift Build writes the test classes in a different order each time, and compiles that again;
  /// with this variable, the same classes keep their order.
  private var orderingEnvironment: [String: String] {
    let isMixed = context.buildSystem == .swiftbuild && toolchain.version < Toolchain.firstToPreferSwiftBuild
    return isMixed ? ["SWIFT_DETERMINISTIC_HASHING": "1"] : [:]
  }

  /// Returns the environment of what runs in the workspace.
  ///
  /// It is the same for each purpose except for the network, since SwiftPM forgets manifests when it changes.
  func environment(for purpose: Purpose) -> [String: String] {
    let isBuilding = ![.measuring, .testing].contains(purpose)
    let environment = ChildEnvironment.building(from: integrator.environment, toolchain: toolchain)
      .merging(isBuilding ? compilerShim?.environment ?? [:] : [:]) { $1 }
      .merging(isBuilding ? orderingEnvironment : [:]) { $1 }
      .merging(purpose == .measuring ? [:] : request.sanitizerEnvironment) { $1 }
      .merging(purpose == .measuring ? [:] : request.environment) { $1 }
    let login = isBuilding ? dependencyLogin?.environment ?? [:] : [:]
    guard let sandbox = sandbox(for: purpose) else { return environment.merging(login) { $1 } }
    return ChildEnvironment.contained(environment, in: sandbox, own: Set(request.environment.keys))
      .merging(login) { $1 }
  }
}

extension Command {
  /// Returns the command in a sandbox, or unchanged if there is none.
  func contained(in sandbox: Sandbox?) -> Command {
    sandbox.map { contained(in: $0) } ?? self
  }
}

extension Sandbox.Features {
  init(_ allowed: [SandboxPolicy.Feature]) {
    self = allowed.reduce(into: []) { features, feature in
      switch feature {
      case .keyrings: features.insert(.keyrings)
      case .vsock: features.insert(.vsock)
      case .sockets: features.insert(.sockets)
      case .ioUring: features.insert(.ioUring)
      case .bpf: features.insert(.bpf)
      case .perf: features.insert(.perf)
      case .userfaultfd: features.insert(.userfaultfd)
      case .setuid: features.insert(.setuid)
      }
    }
  }
}
