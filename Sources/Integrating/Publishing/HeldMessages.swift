import Glibc
import Model
import Notifying

/// The mails and webhooks of an integration that are written, and wait in a folder until the integration exists.
///
/// They are removed with what an unfinished integration leaves, so that nobody hears of a number that never ends. The
/// summary document makes them due: from then on they are moved to the outbox, wherever a process was killed before.
struct HeldMessages {
  let folder: Folder

  /// Those of a bot's integration. They are not among its files, which its scripts may read.
  init(of bot: String, _ number: Int, in home: Home) {
    self.init(in: Folder("\(home.outbox)/\(bot).\(number)\(Self.ending)", isPrivate: true))
  }

  /// Those of a bot's integration, which the machine that gave the order sends if that is another one.
  init(of bot: String, _ number: Int, for origin: IntegrationOrder.Origin?, in home: Home) {
    self = origin.map { Self(in: Folder(HandoverFolder($0.id, in: home).outbox)) } ?? Self(of: bot, number, in: home)
  }

  private static let ending = ".held"

  /// The numbers of a bot's integrations that have some.
  static func numbers(of bot: String, in home: Home) -> [Int] {
    Folder(home.outbox).names().filter { $0.hasPrefix("\(bot).") && $0.hasSuffix(ending) }
      .compactMap { Int($0.dropFirst(bot.count + 1).dropLast(ending.count)) }
  }

  init(in folder: Folder) { self.folder = folder }

  /// Stores messages, in the place of those with the same names: nobody sends them yet.
  func put(_ deliveries: [Delivery]) throws {
    try folder.create()
    for delivery in deliveries { _ = try Outbox(folder.path).replace(with: delivery) }
  }

  /// Moves them to the outbox of the home, from which they are sent.
  func release(into home: Home) throws(IntegratingError) {
    let names = folder.names().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    guard !names.isEmpty else { return try drop() }
    guard mkdir(home.outbox, 0o700) == 0 || errno == EEXIST else {
      throw .storage("make the folder", home.outbox, errno: errno)
    }
    for name in names {
      // Another process that completes the integration moved it first.
      guard rename(folder.file(name), "\(home.outbox)/\(name)") == 0 || errno == ENOENT else {
        throw .storage("write", "\(home.outbox)/\(name)", errno: errno)
      }
    }
    try Folder(home.outbox).synchronizeNames()
    try drop()
  }

  /// Removes them unsent.
  func drop() throws(IntegratingError) { try folder.remove() }
}

/// What one trigger tells, once the integration exists.
struct HeldMessage {
  /// The name of the trigger.
  var name: String
  /// One for each recipient, in the order in which they are sent.
  var deliveries: [Delivery]
}
