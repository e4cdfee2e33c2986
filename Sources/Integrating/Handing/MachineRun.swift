import FoundationEssentials
import Git
import Glibc
import Model
package import Processes
import Storing

/// What another machine does with an integration that is handed to it over ssh, or the machine that submits jobs to Slurm.
package struct MachineRun: Sendable {
  /// The prefix of the references that keep the commits of orders.
  static let keeping = "refs/martlet/"

  let home: Home
  let engine: any MachineEngine

  /// - Parameters:
  ///   - slurm: the arguments for sbatch if Slurm is to run the integrations; nil for this machine.
  ///   - environment: that of Slurm's programs.
  package init(home: Home, slurm: [String]? = nil, environment: [String: String] = [:]) {
    self.home = home
    let client = SlurmClient(environment: environment)
    engine = slurm.map { SlurmEngine(client: client, arguments: $0) } ?? DetachedEngine()
  }

  func handed(_ id: String) throws(IntegratingError) -> HandoverFolder {
    guard HandoverFolder.isID(id) else {
      throw IntegratingError(.request, "'\(id)' is no ID of an integration that was handed out.")
    }
    return HandoverFolder(id, in: home)
  }

  /// The path of the copy of a bot's repository.
  private func mirror(of bot: String) -> String { "\(home.folder.path)/\(MirrorFile.folder)/\(bot).git" }

  func inventory(of bot: String) throws -> MachineInventory {
    try home.requirePrivate()
    try home.prepare()
    if !engine.runsHere { try home.folder.write([], to: Store.fileName + Store.sharedSuffix) }
    var objects: [String] = []
    if access(mirror(of: bot), F_OK) == 0 {
      objects = try Repository(at: mirror(of: bot)).namedObjects("refs/").map(\.object)
    }
    return MachineInventory(objects: Set(objects).sorted(), past: PastCopy(home: home, bot: bot).copied())
  }

  /// Takes what an order needs.
  ///
  /// - Parameter files: writes the files that are sent into a folder.
  func receive(_ id: String, files: (Folder) throws -> Void) throws {
    let handed = try handed(id)
    let all = try HandoverFolder.all(in: home).create()
    let aside = all.folder(".\(id).\(getpid()).new")
    try aside.remove()
    try aside.create()
    defer { try? aside.remove() }  // After the rename it is not there; what is left is removed with old folders.
    try files(aside)
    guard let bytes = aside.read(MachineParcel.fileName) else {
      throw IntegratingError(.service, "the order has no \(MachineParcel.fileName).")
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

  // MARK: Carrying out

  /// Begins an integration, once, in a process that goes on when the connection is cut.
  func start(_ id: String, _ order: IntegrationOrder, by program: CarryingProgram) throws {
    let handed = try handed(id)
    guard handed.folder.exists else { return }
    var order = order
    order.bot.repository = mirror(of: order.bot.name)
    try engine.start(handed, order, by: program)
  }

  /// Takes an integration up, in a process that somebody else has begun, and that holds the claim until its end.
  ///
  /// - Returns: false if another process has taken it up.
  package func claim(_ id: String) throws -> Bool {
    let folder = try handed(id).folder
    let claim = open(folder.file(HandoverFolder.claim), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard claim >= 0 else { throw IntegratingError.storage("lock", folder.file(HandoverFolder.claim), errno: errno) }
    // Without locks, as on some file systems that nodes share, the next file suffices to begin once.
    // Whoever looks whether it is taken holds it for a moment.
    for _ in 0..<20 where flock(claim, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { usleep(50_000) }
    if flock(claim, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    let path = folder.file(HandoverFolder.started)
    let started = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard started >= 0 else {
      if errno == EEXIST { return false }
      throw IntegratingError.storage("write", path, errno: errno)
    }
    close(started)
    unlink(folder.file(SlurmEngine.order))
    return true
  }

  /// Cancels when somebody asks for it by a file, in the process that carries an integration out, and shows that it
  /// lives.
  package func cancelOnRequest(_ id: String, _ cancellation: Cancellation) throws {
    let folder = try handed(id).folder
    let process = folder.file(HandoverFolder.process)
    try folder.write("\(getpid())\n", to: HandoverFolder.process)
    _ = try Worker {
      while true {
        // Without its folder, nobody knows of it any more.
        let isGone = utimensat(AT_FDCWD, process, nil, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
        if isGone || folder.holds(HandoverFolder.canceled) { cancellation.cancel() }
        usleep(200_000)
      }
    }
  }

  /// Whether somebody has asked for the end of an integration.
  package func isCanceled(_ id: String) throws -> Bool { try handed(id).folder.holds(HandoverFolder.canceled) }

  /// Records that an integration cannot be carried out here.
  package func refuse(_ id: String, because reason: String) throws {
    try handed(id).folder.write(reason, to: HandoverFolder.refusal)
  }

  /// Lists the result, in the process that has carried the integration out.
  package func conclude(_ id: String, of bot: String, _ number: Int) throws {
    let handed = try handed(id)
    let files = try ResultManifest.files(of: [
      ("kept", home.integration(number, of: bot)), ("report", home.report(number, of: bot)),
      ("outbox", Folder(handed.outbox)),
    ])
    let manifest = ResultManifest(id: id, bot: bot, number: number, files: files)
    try handed.folder.write(json: manifest, to: HandoverFolder.manifest)
  }

  /// Records why there is no integration at all.
  package func fail(_ id: String, because reason: String) throws {
    try handed(id).folder.write(reason, to: HandoverFolder.failure)
  }

  // MARK: Telling

  /// Tells what happens to an integration until it is over.
  ///
  /// - Parameters:
  ///   - sizes: how much of each log is known already.
  ///   - pause: waits before the next look, and returns false if nobody listens any more.
  func follow(
    _ id: String, of sizes: [String: Int], pause: () throws -> Bool, tell: (MachineNews) throws -> Void
  ) throws {
    let handed = try handed(id)
    guard handed.folder.exists, engine.hasTaken(handed) else { return try tell(.end(.unknown)) }
    let place = handed.folder.text(of: HandoverFolder.place) ?? ""
    let log = home.integrations.folder(place).folder("log")
    let watch = engine.watch(handed)
    var tail = MachineTail(of: handed.folder, log: log, sizes: sizes)
    var (quiet, isOver, state) = (0, false, CarryingState.runs)
    while true {
      // Asked before the last look, so that nothing comes in between.
      let isDone = handed.folder.holds(HandoverFolder.manifest) || handed.folder.holds(HandoverFolder.refusal)
      let next = isDone ? .over : try watch(Clock.system.seconds())
      if case .waits(let reason) = next, next != state { try tell(.news(.waits(reason))) }
      state = next
      let found = try tail.news()
      for news in found { try tell(news) }
      if isOver { break }
      isOver = state.isEnd
      quiet = found.isEmpty ? quiet + 1 : 0
      if quiet % 50 == 49 { try tell(.alive) }
      if !isOver, try !pause() { return }
    }
    if case .unplaced(let reason) = state { return try tell(.end(.unplaced(reason))) }
    try tell(.end(end(of: handed)))
  }

  private func end(of handed: HandoverFolder) -> MachineNews.End {
    if let manifest = handed.folder.value(ResultManifest.self, in: HandoverFolder.manifest) { return .result(manifest) }
    if let reason = handed.folder.text(of: HandoverFolder.refusal) { return .unplaced(reason) }
    if let reason = handed.folder.text(of: HandoverFolder.failure) { return .lost(reason) }
    return .lost("The process of this integration died on the machine that carried it out.")
  }
}

/// The growing files of an integration that is carried out for another machine: its news and its logs.
struct MachineTail {
  private let folder: Folder
  private let log: Folder
  /// How much was read of each file.
  private var sizes: [String: Int]
  private var newsSize = 0

  /// The most bytes of a log in one line.
  private static let piece = 1 << 17

  /// - Parameter sizes: how much of each log is known elsewhere.
  init(of folder: Folder, log: Folder, sizes: [String: Int]) {
    self.folder = folder
    self.log = log
    self.sizes = sizes
  }

  mutating func news() throws -> [MachineNews] {
    var found = try lines().map { MachineNews.news($0) }
    for name in log.names() where name.hasSuffix(".log") {
      let known = sizes[name] ?? 0
      let size = log.size(of: name)
      // A log that was written anew, or is another attempt's, comes with the result.
      guard size > known else { continue }
      let bytes = log.piece(of: name, from: known, bytes: min(size - known, Self.piece))
      guard !bytes.isEmpty else { continue }
      sizes[name] = known + bytes.count
      found.append(.log(name: name, offset: known, bytes: Data(bytes)))
    }
    return found
  }

  /// Returns the news of which the whole line is there, but for the last one: the result says more.
  private mutating func lines() throws -> [IntegrationNews] {
    let size = folder.size(of: HandoverFolder.news)
    guard size > newsSize else { return [] }
    let bytes = folder.piece(of: HandoverFolder.news, from: newsSize, bytes: size - newsSize)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    newsSize += end + 1
    return bytes[...end].split(separator: UInt8(ascii: "\n")).compactMap { line in
      // Whatever else is printed there is no news.
      guard let news = try? JSONDecoder().decode(IntegrationNews.self, from: Data(line)) else { return nil }
      if case .finished = news { return nil }
      return news
    }
  }
}
