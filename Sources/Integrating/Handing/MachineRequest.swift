import FoundationEssentials
import Git
import Model

/// What one machine asks another one for in a session, as a line of JSON. Each answer is a line of JSON, too.
enum MachineRequest: Codable, Sendable {
  case inventory(bot: String)
  /// To take what an order needs, which follows as a stream of files that begins with the `MachineParcel`.
  case receive(id: String)
  /// To begin an integration, once, and then to be told of it as by `follow`.
  case start(id: String, order: IntegrationOrder, logs: [String: Int])
  /// To be told of an integration to its end; the sizes are those of the logs that are known already.
  case follow(id: String, logs: [String: Int])
  /// Files of its result, which are answered with a stream of them.
  case fetch(id: String, paths: [String])
  /// To remove what was kept for a result that was taken in; the files are how the home knows it.
  case release(id: String, files: [PastFile])
}

enum MachineReply: Codable, Sendable {
  case inventory(MachineInventory)
  /// What an order needs is there.
  case received
  case news(MachineNews)
  case released
}

/// What a machine tells of an integration until its end.
enum MachineNews: Codable, Sendable {
  case news(IntegrationNews)
  /// More of a log, from an offset on.
  case log(name: String, offset: Int, bytes: Data)
  /// Nothing new; the machine is there.
  case alive
  /// The last one.
  case end(End)

  enum End: Codable, Sendable {
    case result(ResultManifest)
    /// There will be no result; the reason is a sentence.
    case lost(String)
    /// It cannot begin; the reason is a sentence.
    case unplaced(String)
    /// The machine knows nothing of it.
    case unknown
  }
}

/// What a machine has of a bot.
struct MachineInventory: Codable, Sendable {
  /// The full names of the objects that its copy of the repository can reach.
  var objects: [String]
  var past: [PastFile]
}

/// What a machine needs before it can carry an order out; the files that it names follow it.
struct MachineParcel: Codable, Sendable {
  static let fileName = "parcel.json"
  static let pack = "objects.pack"

  var bot: String
  /// Branches, tags and the reference that keeps the commit.
  var references: [NamedObject]
  /// The branch that HEAD points to; nil if it names a commit.
  var head: String?
  var past: [PastFile]
  /// The IDs of integrations to end and remove.
  var dropped: [String]
}

extension Encodable {
  /// The value as a line of JSON.
  var jsonLine: [UInt8] {
    get throws { [UInt8](try JSONEncoder().encode(self)) + [UInt8(ascii: "\n")] }
  }
}
