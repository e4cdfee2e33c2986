import Git
import Model
import Parsing
import Processes

/// Asks SwiftPM for the package's targets and sources, or remembers its answer.
///
/// The answer depends on the manifests, on the variables and arguments they are run with, and on which files exist and where
/// links lead, but not on contents; so a commit that only edits sources costs no question. The question is asked during another
/// activity: the build, or the tests if the build has to fetch dependencies first.
struct PackageModelQuestion: Sendable {
  private static let fileName = "package-model"

  let command: Command
  let state: Folder
  /// Where the destinations before this one remember their answers.
  private let others: [Folder]
  /// A digest of everything that the answer depends on.
  let key: String
  private let manifests: ManifestCache
  /// The caches of the run; nil for the user's.
  private let caches: Folder?
  /// Whether nothing but manifests can have affected the answer.
  private let isOfManifests: Bool
  private let limits: Limits
  private let resources: ResourceLimits

  private struct Memory: Codable {
    var key: String
    var model: PackageModel
  }

  init(for run: IntegrationRun) {
    command = run.command(
      "swift-package", run.describingArguments + ["describe", "--type", "json"], for: .describing)
    state = run.memory
    others = run.context.memories
    manifests = run.manifestCache
    caches = run.caches(for: .describing)
    isOfManifests = !run.manifests.needFetching
    resources = run.request.resources
    limits = run.limits(for: .describing)
    let resolved = run.packageFolder.text(of: "Package.resolved") ?? ""
    let contents = run.manifests.contents + [resolved] + run.resolvingArguments + run.manifestEnvironment
    // Without a list of the files, no remembered answer fits.
    let entries = (try? run.claimed.repository.entries(of: run.target.commit)) ?? []
    let paths = entries.map(\.path) + run.links(among: entries)
    let changes = run.source?.workingTree.map { $0.added + $0.deleted } ?? []
    key = SHA256.digest(of: [run.toolchain.name, run.toolchain.stamp] + contents + paths + ["\u{0}"] + changes)
  }

  /// The remembered answer, if it is still valid; that of another destination serves as well.
  var remembered: PackageModel? {
    ([state] + others).lazy.compactMap { $0.value(Memory.self, in: Self.fileName) }.first { $0.key == key }?.model
  }

  /// Asks SwiftPM, and remembers the answer.
  func ask(cancellation: Cancellation) throws -> PackageModel {
    func attempt() throws -> CollectedOutput {
      try command.collect(limits: limits, cancellation: cancellation, limit: 64 << 20)
    }
    if let caches { try manifests.lend(to: caches) }
    var answer = try attempt()
    if resources.wasKilledByOthers(answer.result) { answer = try attempt() }
    if let failure = resources.failure(answer.result) {
      let words = String(decoding: answer.standardError.suffix(2000), as: UTF8.self)
        .split(separator: "\n").joined(separator: "\n")
      throw IntegratingError(
        .service,
        """
        SwiftPM could not describe the package: swift-package \(failure)\(words.isEmpty ? "" : ": \(words)"). \
        Run 'swift package describe' in the package to see why.
        """)
    }
    let model = try PackageModel.read(answer.standardOutput)
    try state.write(json: Memory(key: key, model: model), to: Self.fileName)
    // Fetched packages are in the build's scratch folder, where plugins may have changed their manifests.
    if let caches, isOfManifests { manifests.keep(from: caches) }
    return model
  }
}

extension IntegrationRun {
  /// The arguments of `swift package`, whose common options come before the subcommand. If nothing is fetched, it needs
  /// nothing from the build's scratch folder, and with one of its own it does not wait for the build's lock.
  var describingArguments: [String] {
    let folder = manifests.needFetching ? scratch : scratch.folder("describing")
    return ["--package-path", packageFolder.path, "--scratch-path", folder.path] + systemArguments
      + cacheArguments(for: .describing) + resolvingArguments
  }
}

/// The package's targets, while SwiftPM is being asked for them.
final class PendingModel {
  private unowned let run: IntegrationRun
  private lazy var question = PackageModelQuestion(for: run)
  private var answer: Worker<PackageModel>?

  init(of run: IntegrationRun) {
    self.run = run
  }

  /// Makes the question, for which the repository is read, so that it can be asked where that must not happen.
  func prepare() { _ = question }

  /// Starts asking, unless that has been done.
  @discardableResult
  func ask() throws(IntegrationStop) -> Worker<PackageModel> {
    if let answer { return answer }
    let (question, cancellation) = (question, run.integrator.cancellation)
    return try stopping {
      let worker = try Worker { try question.remembered ?? question.ask(cancellation: cancellation) }
      answer = worker
      return worker
    }
  }

  /// Waits for the answer.
  func model() throws(IntegrationStop) -> PackageModel {
    let worker = try ask()
    return try stopping(unless: run.integrator.cancellation) { try worker.join() }
  }

  /// Throws if an answer cannot be read. If there is none because of the package, the build explains that better.
  func requireReadable() throws(IntegrationStop) {
    let worker = try ask()
    do {
      _ = try worker.join()
    } catch is IntegratingError {
      return
    } catch {
      throw IntegrationStop(outcome: .internalError, reason: "\(error) \(run.toolchain.triedWords)")
    }
  }

  /// Waits for the question to end, which must not outlive the integration; after a failed build, neither the answer
  /// nor the error is of use.
  func forget() { _ = try? answer?.join() }
}
