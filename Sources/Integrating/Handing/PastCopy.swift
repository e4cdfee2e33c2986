import FoundationEssentials
import Glibc
import Model
import Rendering

/// A file of a bot's past, as two machines recognize it.
struct PastFile: Codable, Sendable, Hashable {
  /// Relative to the folder of the bot's integrations.
  var path: String
  /// The same tag means the same contents.
  var tag: String

  /// The number of the integration that it belongs to; nil for a file of the bot as a whole.
  var number: Int? { path.split(separator: "/").first.flatMap { Int($0) } }
}

/// The part of a bot's past that comparing needs, which the machine that carries an integration out has a copy of: the
/// documents of what is kept, a line for each of the rest, and the silences.
struct PastCopy {
  /// The files of each integration that later ones read.
  private static let names = [
    StoredIntegration.fileName, CoverageDocument.fileName, TestMapDocument.fileName, "issues.json",
  ]
  /// The file in which a machine remembers what its copy is made of.
  private static let memory = ".copied.json"
  private static let silences = "silences.json"
  /// The files in which lines of removed integrations are read, as earlier versions wrote them.
  private static let lines = "history"
  private static let ledger = "ledger"

  let home: Home
  let bot: String

  private var folder: Folder { home.integrations(of: bot) }

  // MARK: In the home that keeps the integrations

  /// Returns everything that a copy has, and the contents of what is not a file here.
  func files() throws(IntegratingError) -> (files: [PastFile], made: [String: [UInt8]]) {
    let numbers = StoredIntegrations(in: home).numbers(of: bot)
    var files = numbers.flatMap { self.files(of: $0) }
    if let tag = tag(of: Self.silences) { files.append(PastFile(path: Self.silences, tag: tag)) }
    let made = try removed(besides: Set(numbers))
    for (name, bytes) in made.sorted(by: { $0.key < $1.key }) {
      files.append(PastFile(path: name, tag: String(SHA256.hash(bytes).hexadecimal.prefix(32))))
    }
    return (files, made)
  }

  func files(of number: Int) -> [PastFile] {
    paths(of: number).compactMap { path in
      tag(of: "\(number)/\(path)").map { PastFile(path: "\(number)/\(path)", tag: $0) }
    }
  }

  /// Returns the paths that an integration's files would have, those of its other destinations included.
  private func paths(of number: Int) -> [String] {
    let cells = ReportPaths.cells
    let destinations = folder.folder("\(number)/\(cells)").names()
    return Self.names + destinations.map { "\(cells)/\($0)/\(CoverageDocument.fileName)" }
  }

  /// Returns what tells a version of a file from others; nil if there is no such file. Finished integrations do not
  /// change, but a bot that is renamed has its documents written anew.
  private func tag(of path: String) -> String? {
    guard let status = stat(folder.file(path)), status.isFile else { return nil }
    return "\(status.st_size)-\(status.st_mtim.text)"
  }

  /// Returns what is left of integrations whose files were removed.
  private func removed(besides kept: Set<Int>) throws(IntegratingError) -> [String: [UInt8]] {
    let index = PastIndex(of: home)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var (history, ledger) = ([UInt8](), folder.read(Self.ledger) ?? [])
    for line in try index.newest(of: bot).reversed() where !kept.contains(line.number) {
      do {
        history += try encoder.encode(line) + [UInt8(ascii: "\n")]
      } catch {
        throw IntegratingError(.service, "cannot write down \(bot) \(line.number): \(error).")
      }
    }
    for one in try index.integrations(of: bot) where !kept.contains(one.number) {
      let line = "\(one.number) \(one.commit.rawValue) \(one.outcome.rawValue) \(one.scope ?? "-")"
      ledger += Array("\(line) \(one.isDirty ? "dirty" : "clean")\n".utf8)
    }
    return [Self.lines: history, Self.ledger: ledger].filter { !$0.value.isEmpty }
  }

  // MARK: On the machine that has the copy

  func copied() -> [PastFile] {
    let files = folder.value([PastFile].self, in: Self.memory) ?? []
    return files.filter { FileStream.isInner($0.path) && folder.holds($0.path) }
  }

  /// Makes the copy what the home has.
  ///
  /// - Parameters:
  ///   - files: everything that it is to have.
  ///   - fresh: the folder of those that were sent, under their paths; the others are there already.
  func update(to files: [PastFile], with fresh: Folder) throws(IntegratingError) {
    try folder.create()
    let wanted = Set(files.compactMap(\.number))
    let gone = folder.numbers.filter { !wanted.contains($0) }
    // From here on until the end, the copy is known to be incomplete.
    if folder.holds(Self.memory) { unlink(folder.file(Self.memory)) }
    for number in gone {
      try folder.folder("\(number)").takeAway()
      try home.report(number, of: bot).remove()
    }
    var changed: Set<Int> = []
    var isWhole = gone.isEmpty
    for file in files where fresh.holds(file.path) {
      if let number = file.number {
        try folder.createFolder(of: file.path)
        changed.insert(number)
      } else if file.path != Self.silences {
        isWhole = false
      }
      guard rename(fresh.file(file.path), folder.file(file.path)) == 0 else {
        throw .storage("write", folder.file(file.path), errno: errno)
      }
    }
    for name in [Self.silences, Self.lines, Self.ledger] where !files.contains(where: { $0.path == name }) {
      unlink(folder.file(name))
    }
    if !isWhole || !changed.isEmpty {
      try PastIndex(of: home).renew(of: bot, only: isWhole ? changed.sorted() : nil)
    }
    try folder.write(json: files, to: Self.memory)
  }

  /// Adds the files of an integration that this machine carried out itself, and removes what nobody reads any more.
  func add(_ files: [PastFile], of number: Int) throws(IntegratingError) {
    let kept = folder.folder("\(number)")
    let needed = Set(paths(of: number) + [PageKeys.fileName])
    for path in kept.filesBeneath() where !needed.contains(path) { unlink(kept.file(path)) }
    for name in kept.names() where !needed.contains(where: { $0 == name || $0.hasPrefix("\(name)/") }) {
      try kept.folder(name).takeAway()
    }
    // Pages are shared with the newest report only.
    for other in home.site(of: bot).numbers where other != number {
      try home.report(other, of: bot).remove()
    }
    try folder.write(json: copied().filter { $0.number != number } + files, to: Self.memory)
  }
}
