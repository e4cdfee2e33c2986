import FoundationEssentials
import Model

/// Martlet's memory of the builds that filled a scratch folder.
struct BuildRecords {
  private static let buildsName = "builds"
  private static let auditName = "audited"
  /// As many builds as a file can come from; anything older has been rebuilt or does not matter.
  private static let mostBuilds = 500
  /// The seconds by which file times may lag behind the clock: the kernel uses the time of its last tick.
  private static let lag = 0.02

  /// An integration that built.
  struct Build: Codable {
    var origin: BuildAudit.Origin
    /// When the integration began, in seconds since 1970.
    var begin: Double
    /// A digest of the arguments and variables of the build.
    var settings: String
  }

  private let memory: Folder

  init(in memory: Folder) {
    self.memory = memory
  }

  /// The builds, oldest first.
  var builds: [Build] { memory.value([Build].self, in: Self.buildsName) ?? [] }

  /// The last audit that found the same products as a build from scratch.
  var lastAudit: BuildAudit? { memory.value(BuildAudit.self, in: Self.auditName) }

  /// Records that an integration is about to build.
  func append(_ integration: Integration, settings: String) {
    let origin = BuildAudit.Origin(number: integration.number, commit: integration.commit.id)
    let build = Build(origin: origin, begin: integration.startedAt.timeIntervalSince1970, settings: settings)
    write(Array((builds + [build]).suffix(Self.mostBuilds)), to: Self.buildsName)
  }

  func note(_ audit: BuildAudit) { write(audit, to: Self.auditName) }

  /// Returns the integration during which a file was written.
  ///
  /// - Parameter change: the change time of the file, which no program can set, in seconds since 1970.
  func origin(ofChange change: Double) -> BuildAudit.Origin? {
    builds.last { $0.begin <= change + Self.lag }?.origin
  }

  private func write(_ value: some Encodable, to name: String) {
    // A failed write costs an audit, or the name of a commit.
    try? memory.create().write(json: value, to: name)
  }
}
