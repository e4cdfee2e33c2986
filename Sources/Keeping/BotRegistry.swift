import BotFiles
import FoundationEssentials
import Glibc
import Model

/// The configured bots, each with its last good version if its file is broken.
struct BotRegistry {
  private let configuration: Configuration
  /// The folder of the mirrors of remote repositories.
  private let mirrors: String
  private(set) var settings: ServerSettings
  private(set) var bots: [String: Bot] = [:]
  /// The times at which the bots' files were last changed, by name.
  private(set) var times: [String: Date] = [:]
  /// The faults in the bots' files, by name.
  private(set) var faults: [String: String] = [:]
  /// All other problems, as sentences.
  private(set) var troubles: [String] = []
  /// The folders to which links among the files lead.
  private var linked: Set<String> = []

  struct Changes: Hashable {
    var changed: Set<String> = []
    var removed: Set<String> = []
  }

  /// Reads the settings, which have to be right: others would remove what these keep.
  init(_ configuration: Configuration, mirrors: String) throws(BotFileError) {
    self.configuration = configuration
    self.mirrors = mirrors
    settings = try configuration.settings()
  }

  /// The names of all bots, sorted, whether or not their files are right.
  var names: [String] { Set(bots.keys).union(faults.keys).sorted() }

  /// The folders in which a change may matter.
  var folders: Set<String> { linked.union([configuration.folder, configuration.botsFolder]) }

  func secretsFile(of bot: String) -> String { configuration.secretsFile(of: bot) }

  /// Returns the account for sending mail, with the login that is in the server's secrets now, and why that cannot be
  /// read. There is no account if the server sends no mail.
  func mailAccount() -> (account: MailAccount?, lack: BotFileError?) {
    guard settings.mail?.user != nil else { return (MailAccount(settings, secrets: [:]), nil) }
    do throws(BotFileError) {
      let secrets = try SecretsFile.read(at: configuration.serverSecretsFile, user: geteuid())
      return (MailAccount(settings, secrets: secrets), nil)
    } catch {
      return (MailAccount(settings, secrets: nil), error)
    }
  }

  /// Returns the values of some of a bot's secrets; the file is read only for some.
  func secrets(_ names: Set<String>, of bot: Bot) throws(BotFileError) -> [String: String] {
    guard !names.isEmpty else { return [:] }
    return try SecretsFile.read(at: secretsFile(of: bot.name), user: geteuid()).filter { names.contains($0.key) }
  }

  mutating func read() -> Changes {
    var changes = Changes()
    troubles = []
    faults = [:]
    do throws(BotFileError) {
      settings = try configuration.settings()
    } catch {
      // The last good settings remain in effect.
      troubles.append(error.description)
    }
    let files: [String]
    do throws(BotFileError) {
      files = try configuration.botFiles()
    } catch {
      troubles.append(error.description)
      return changes
    }
    linked = Set((files + [configuration.settingsFile]).flatMap(Self.folders(ofLinkAt:)))
    for file in files {
      let name = Configuration.name(ofBotAt: file)
      do throws(BotFileError) {
        let bot = try configuration.bot(at: file, settings: settings).placed(in: mirrors)
        if bots[name] != bot { changes.changed.insert(name) }
        bots[name] = bot
        times[name] = WatchHome.writeTime(of: file)
      } catch {
        faults[name] = error.description
      }
    }
    changes.removed = Set(bots.keys).subtracting(files.map(Configuration.name))
    for name in changes.removed { bots[name] = nil }
    return changes
  }

  /// The most links that are followed, as many as the kernel follows
  /// (https://man7.org/linux/man-pages/man7/path_resolution.7.html).
  private static let mostLinks = 40

  /// Returns the folders of the files to which a link leads one after the other, whether or not the last one exists;
  /// none for what is no link.
  private static func folders(ofLinkAt path: String) -> [String] {
    var folders: [String] = []
    var file = path
    // An error means that the file is no link, or is missing.
    while folders.count < mostLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file) {
      file = target.hasPrefix("/") ? target : "\(folder(of: file))/\(target)"
      folders.append(folder(of: file))
    }
    return folders
  }

  private static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "/"
  }
}
