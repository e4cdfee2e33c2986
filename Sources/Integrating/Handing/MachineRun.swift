import FoundationEssentials
import Git
import Glibc
package import Model
package import Processes

/// What another machine does with an integration that is handed to it, each a command that is called over ssh.
package struct MachineRun: Sendable {
  /// The prefix of the references that keep the commits of orders.
  static let keeping = "refs/martlet/"

  let home: Home

  package init(home: Home) {
    self.home = home
  }

  func handed(_ id: String) throws(IntegratingError) -> HandoverFolder {
    guard HandoverFolder.isID(id) else {
      throw IntegratingError(.request, "'\(id)' is no ID of an integration that was handed out.")
    }
    return HandoverFolder(id, in: home)
  }

  /// The path of the copy of a bot's repository.
  private func mirror(of bot: String) -> String { "\(home.folder.path)/\(MirrorFile.folder)/\(bot).git" }

  /// Answers what this machine has of a bot.
  package func inventory(of bot: String) throws -> String {
    try home.requirePrivate()
    try home.prepare()
    var objects: [String] = []
    if access(mirror(of: bot), F_OK) == 0 {
      objects = try Repository(at: mirror(of: bot)).namedObjects("refs/").map(\.object)
    }
    let inventory = MachineInventory(
      objects: Set(objects).sorted(), past: PastCopy(home: home, bot: bot).copied())
    return String(decoding: try JSONEncoder().encode(inventory), as: UTF8.self)
  }

  /// Takes what an order needs from standard input.
  package func receive(_ id: String) throws {
    let handed = try handed(id)
    let all = try HandoverFolder.all(in: home).create()
    let aside = all.folder(".\(id).\(getpid()).new")
    try aside.remove()
    try aside.create()
    defer { try? aside.remove() }  // After the rename it is not there; what is left is removed with old folders.
    let reader = FileStreamReader(into: aside)
    try Self.readInput { try reader.take($0) }
    guard reader.isComplete, let bytes = aside.read(MachineParcel.fileName) else {
      throw IntegratingError(.service, "the order was cut off on its way.")
    }
    let parcel = try JSONDecoder().decode(MachineParcel.self, from: Data(bytes))
    guard FileStream.isInner(parcel.bot), !parcel.bot.contains("/"),
      parcel.past.allSatisfy({ FileStream.isInner($0.path) })
    else { throw IntegratingError(.request, "the order names files outside of the home.") }
    for other in parcel.dropped where HandoverFolder.isID(other) && other != id { try drop(other) }
    try takeCommits(of: parcel, from: aside)
    try PastCopy(home: home, bot: parcel.bot).update(to: parcel.past, with: aside.folder("past"))
    for name in aside.names() { try aside.folder(name).remove() }
    // Another attempt to hand the same order out came first.
    if handed.folder.exists { return }
    try aside.rename(to: handed.folder)
  }

  private func takeCommits(of parcel: MachineParcel, from folder: Folder) throws {
    let path = mirror(of: parcel.bot)
    if access(path, F_OK) != 0 {
      try Folder("\(home.folder.path)/\(MirrorFile.folder)", isPrivate: true).create()
      try Repository.create(at: path, branch: "main")
    }
    do {
      let repository = try Repository(at: path)
      if folder.holds(MachineParcel.pack) { try repository.add(packAt: folder.file(MachineParcel.pack)) }
    }
    // The commits of running integrations keep their references.
    let present = Set(HandoverFolder.all(in: home).names())
    let repository = try Repository(at: path)
    let others = try repository.namedObjects(Self.keeping).filter {
      present.contains(String($0.name.dropFirst(Self.keeping.count)))
    }
    try repository.take(
      parcel.references + others, replacing: ["refs/heads/", "refs/tags/", Self.keeping], head: parcel.head)
  }

  static func readInput(_ take: ([UInt8]) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw IntegratingError.storage("read", "standard input", errno: errno) }
      if count == 0 { return }
      try take(Array(buffer[..<count]))
    }
  }

  // MARK: Carrying out

  /// Begins an integration, once, in a process that goes on when the connection is cut.
  ///
  /// - Parameters:
  ///   - order: as it was read from standard input.
  ///   - program: this program, with the options for it.
  package func start(
    _ id: String, _ order: IntegrationOrder, program: String, options: [String], environment: [String: String]
  )
    throws
  {
    let handed = try handed(id)
    guard handed.folder.exists else { return }
    let claim = open(handed.folder.file(HandoverFolder.claim), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard claim >= 0 else {
      throw IntegratingError.storage("lock", handed.folder.file(HandoverFolder.claim), errno: errno)
    }
    defer { close(claim) }
    guard flock(claim, LOCK_EX | LOCK_NB) == 0, !handed.folder.holds(HandoverFolder.started) else { return }
    try handed.folder.write(Array("\(order.bot.name)/\(order.number)".utf8), to: HandoverFolder.place)
    try handed.folder.write([], to: HandoverFolder.started)
    var order = order
    order.bot.repository = mirror(of: order.bot.name)
    let output = open(handed.folder.file(HandoverFolder.news), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw IntegratingError.storage("write", handed.folder.file(HandoverFolder.news), errno: errno)
    }
    defer { close(output) }
    let line = [UInt8](try JSONEncoder().encode(order)) + [UInt8(ascii: "\n")]
    try DetachedProgram.start(
      program, ["carry-out", "--handed", id] + options, environment: environment, input: line, output: output,
      held: claim)
  }

  /// Cancels when somebody asks for it by a file, in the process that carries an integration out.
  package func cancelOnRequest(_ id: String, _ cancellation: Cancellation) throws {
    let folder = try handed(id).folder
    try folder.write(Array("\(getpid())\n".utf8), to: HandoverFolder.process)
    _ = try Worker {
      while !cancellation.isCanceled {
        if folder.holds(HandoverFolder.canceled) { cancellation.cancel() }
        usleep(200_000)
      }
    }
  }

  /// Lists the result, in the process that has carried the integration out.
  package func conclude(_ id: String, of bot: String, _ number: Int) throws {
    let handed = try handed(id)
    let kept = home.integrations(of: bot).folder("\(number)")
    let files = try ResultManifest.files(of: [
      ("kept", kept), ("report", home.site(of: bot).folder("\(number)")), ("outbox", Folder(handed.outbox)),
    ])
    let manifest = ResultManifest(id: id, bot: bot, number: number, files: files)
    try handed.folder.write([UInt8](try JSONEncoder().encode(manifest)), to: HandoverFolder.manifest)
  }

  /// Records why there is no integration at all.
  package func fail(_ id: String, because reason: String) throws {
    try handed(id).folder.write(Array(reason.utf8), to: HandoverFolder.failure)
  }

  // MARK: Telling

  /// Prints what happens to an integration until it is over.
  ///
  /// - Parameters:
  ///   - sizes: how much of each log is known already.
  ///   - say: prints a line; an error means that nobody listens.
  package func follow(_ id: String, of sizes: [String: Int], say: (String) throws -> Void) throws {
    let handed = try handed(id)
    let encoder = JSONEncoder()
    func tell(_ news: MachineNews) throws { try say(String(decoding: try encoder.encode(news), as: UTF8.self)) }
    guard handed.folder.exists else { return try tell(.unknown) }
    guard handed.folder.holds(HandoverFolder.started) else { return try tell(.unknown) }
    let place = handed.folder.read(HandoverFolder.place).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let log = home.folder.folder("integrations").folder(place).folder("log")
    var (tail, quiet, isOver) = (MachineTail(of: handed.folder, log: log, sizes: sizes), 0, false)
    while true {
      // Asked before the last look, so that nothing comes in between.
      let isOverNow = handed.folder.holds(HandoverFolder.manifest) || !isHeld(handed)
      let found = try tail.news()
      for news in found { try tell(news) }
      if isOver { break }
      isOver = isOverNow
      quiet = found.isEmpty ? quiet + 1 : 0
      if quiet % 100 == 99 { try tell(.alive) }
      if !isOver { usleep(50_000) }
    }
    try tell(end(of: handed))
  }

  private func end(of handed: HandoverFolder) -> MachineNews {
    if let bytes = handed.folder.read(HandoverFolder.manifest),
      let manifest = try? JSONDecoder().decode(ResultManifest.self, from: Data(bytes))
    {
      return .result(manifest)
    }
    if let reason = handed.folder.read(HandoverFolder.failure) { return .lost(String(decoding: reason, as: UTF8.self)) }
    return .lost("The process of this integration died on the machine that carried it out.")
  }

  /// Whether the process that carries the integration out is alive.
  func isHeld(_ handed: HandoverFolder) -> Bool {
    let claim = open(handed.folder.file(HandoverFolder.claim), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard claim >= 0 else { return false }
    defer { close(claim) }
    return flock(claim, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
