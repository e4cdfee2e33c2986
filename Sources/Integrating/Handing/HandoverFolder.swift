import FoundationEssentials
import Glibc
import Model

/// The folder of an integration that was handed out, under its ID: `handed/<id>` both in the home of the machine that
/// carries it out and in the home that keeps the result.
///
/// On the machine it appears complete, by a rename. `claim` is locked by the process that carries the integration out,
/// for as long as it lives; `started` is there from before that process began, so that it begins once, or is made by
/// the one that takes it up; `process` is touched as long as it lives; `result.json`
/// appears last, by a rename. What is none of these three is in progress, or lost.
struct HandoverFolder {
  let id: String
  let folder: Folder

  init(_ id: String, in home: Home) {
    self.id = id
    folder = Self.all(in: home).folder(id)
  }

  static func all(in home: Home) -> Folder { Folder(home.folder.file("handed"), isPrivate: true) }

  /// Whether a text can be an ID, and so the name of a folder.
  static func isID(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  static let claim = "claim"
  static let started = "started"
  /// The news of the process that carries the integration out, in lines of JSON.
  static let news = "news"
  static let canceled = "canceled"
  /// Which integration it is: `bot/number`.
  static let place = "place"
  /// The number of the process that carries the integration out.
  static let process = "process"
  static let manifest = "result.json"
  /// Why there is not even a failed integration, as a sentence.
  static let failure = "failure"
  /// Why it cannot be carried out where it was to begin, as a sentence.
  static let refusal = "refusal"
  /// The result in the home that keeps it: `kept`, `report` and `outbox`.
  static let result = "result"

  /// The path of the folder of messages to be sent by the machine that gave the order.
  var outbox: String { folder.file("outbox") }

  /// Whether the process that carries the integration out is alive.
  var isClaimed: Bool {
    let claim = open(folder.file(Self.claim), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard claim >= 0 else { return false }
    defer { close(claim) }
    return flock(claim, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// What changes as long as the process lives, whatever the clocks say; nil if there is none yet.
  var signOfLife: String? {
    // A network file system asks again only for a file that is opened.
    let file = open(folder.file(Self.process), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return stat(file)?.st_mtim.text
  }
}

/// The files of a result, as the machine that made them lists them.
struct ResultManifest: Codable, Sendable {
  struct File: Codable, Sendable, Hashable {
    /// Begins with `kept/`, `report/` or `outbox/`.
    var path: String
    var bytes: Int
    var sha256: String
    var isExecutable: Bool?
  }

  var id: String
  var bot: String
  var number: Int
  var files: [File]

  /// Lists the files of folders, each under its name.
  static func files(of folders: [(name: String, folder: Folder)]) throws(IntegratingError) -> [File] {
    var files: [File] = []
    for (name, folder) in folders {
      for path in folder.filesBeneath() {
        guard let file = file(path, in: folder) else {
          throw .storage("read", folder.file(path), errno: ENOENT)
        }
        files.append(
          File(path: "\(name)/\(path)", bytes: file.bytes, sha256: file.sha256, isExecutable: file.isExecutable))
      }
    }
    return files
  }

  /// Describes a file; nil if it cannot be read.
  static func file(_ path: String, in folder: Folder) -> File? {
    guard let bytes = folder.read(path, limit: .max) else { return nil }
    return File(
      path: path, bytes: bytes.count, sha256: SHA256.hash(bytes).hexadecimal,
      isExecutable: isExecutable(folder.file(path)) ? true : nil)
  }

  private static func isExecutable(_ path: String) -> Bool {
    stat(path, followingLinks: true).map { $0.st_mode & S_IXUSR != 0 } ?? false
  }
}
