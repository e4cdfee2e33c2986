import FoundationEssentials
import Model

/// What Martlet remembers about the builds that filled a scratch folder.
struct BuildRecords {
  private static let buildsName = "builds"
  private static let auditName = "audited"
  /// As many as a file can come from; what is older has been built anew or does not matter.
  private static let mostBuilds = 500
  /// Seconds by which the times of files may lag behind the clock: the kernel stamps them with its last tick.
  private static let lag = 0.02

  /// One integration that built.
  struct Build: Codable {
    var origin: BuildAudit.Origin
    /// When the integration began, in seconds since 1970.
    var begin: Double
    /// What stands for the arguments and variables that it was built with.
    var settings: String
  }

  private let memory: Folder

  init(in memory: Folder) {
    self.memory = memory
  }

  /// Oldest first.
  var builds: [Build] { read([Build].self, from: Self.buildsName) ?? [] }

  /// The last time that what is there was held against a build from nothing, and made the same.
  var lastAudit: BuildAudit? { read(BuildAudit.self, from: Self.auditName) }

  /// Notes that an integration is about to build.
  func append(_ integration: Integration, settings: String) {
    let origin = BuildAudit.Origin(number: integration.number, commit: integration.commit.id)
    let build = Build(origin: origin, begin: integration.startedAt.timeIntervalSince1970, settings: settings)
    write(Array((builds + [build]).suffix(Self.mostBuilds)), to: Self.buildsName)
  }

  func note(_ audit: BuildAudit) { write(audit, to: Self.auditName) }

  /// The integration during which a file was written.
  ///
  /// - Parameter change: when the file was changed, which no program can set, in seconds since 1970.
  func origin(ofChange change: Double) -> BuildAudit.Origin? {
    builds.last { $0.begin <= change + Self.lag }?.origin
  }

  private func read<Value: Decodable>(_ type: Value.Type, from name: String) -> Value? {
    // What cannot be read is an older version's, and as good as not there.
    memory.read(name).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
  }

  private func write(_ value: some Encodable, to name: String) {
    // A note that cannot be written costs an audit, or the name of a commit.
    guard let bytes = try? JSONEncoder().encode(value) else { return }
    try? memory.create().write([UInt8](bytes), to: name)
  }
}
