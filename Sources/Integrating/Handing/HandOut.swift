import FoundationEssentials
import Git
import Glibc
package import Model
package import Processes
import Synchronization

/// Hands an integration out to another machine, follows it there, and takes its result into the home.
///
/// Whatever happens here, it can be done again: the machine begins once for each ID, and a result is taken in once.
package struct HandOut: Sendable {
  private let handed: HandOutOrder
  private let home: Home
  private let connection: MachineConnection
  private let clock: Clock
  private let cancellation: Cancellation
  private let tell: @Sendable (IntegrationNews) -> Void

  /// How long a machine may be out of reach before its integration counts as lost, in seconds.
  private static let patience = 900.0
  /// The longest pause between two attempts to reach it, in seconds.
  private static let longestPause = 15.0
  /// How often the order is given to a machine that says that it does not have it.
  private static let mostDeliveries = 3
  /// How often a machine may answer that it cannot begin, as with a full disk.
  private static let mostRefusals = 3

  /// - Parameters:
  ///   - cancellation: asks for the end of the integration, not of the following.
  ///   - tell: receives news as it comes.
  package init(
    _ handed: HandOutOrder, home: Home, program: MachineProgram, environment: [String: String], clock: Clock,
    cancellation: Cancellation, tell: @escaping @Sendable (IntegrationNews) -> Void
  ) {
    self.handed = handed
    self.home = home
    self.clock = clock
    self.cancellation = cancellation
    self.tell = tell
    connection = MachineConnection(machine: handed.machine, home: home, program: program, environment: environment)
  }

  private var order: IntegrationOrder { handed.order }
  private var bot: String { order.bot.name }
  private var folder: Folder { HandoverFolder(handed.id, in: home).folder }
  private var result: HandedResult { HandedResult(order, id: handed.id, home: home) }

  /// Does all of it.
  ///
  /// - Returns: the last news.
  /// - Throws: an error of this machine, such as a full disk; the integration is followed again later.
  package func run() throws -> IntegrationNews {
    guard HandoverFolder.isID(handed.id) else { throw IntegratingError(.request, "'\(handed.id)' is no ID.") }
    if let taken = try result.finishTakingIn() { return try finish(taken) }
    do {
      if !handed.isFollowing { try deliver() }
    } catch let failure as MachineConnection.Failure {
      return .handed(.unplaced("\(failure)".withStop))
    } catch {
      return .handed(.failed("\(error)".withStop))
    }
    return try follow()
  }

  // MARK: Giving the order

  /// Sends what the machine lacks: commits, and the part of the past that comparing needs.
  private func deliver() throws {
    let never = try Cancellation()
    let answer = try connection.ask(["have", bot], cancellation: never)
    let inventory: MachineInventory
    do {
      inventory = try JSONDecoder().decode(MachineInventory.self, from: Data(answer))
    } catch {
      throw MachineConnection.Failure.refused("it does not say what it has: \(error)")
    }
    try folder.create()
    let parcel = try pack(for: inventory)
    defer { unlink(parcel) }
    _ = try connection.ask(["receive", handed.id], input: parcel, cancellation: never)
  }

  private func pack(for inventory: MachineInventory) throws -> String {
    let repository = try Repository(at: order.bot.repository)
    let place = IntegrationRequest.Place(bot: bot, number: order.number)
    _ = try home.createIntegration(place, of: repository.commonPath)
    var references = try repository.namedObjects("refs/heads/") + repository.namedObjects("refs/tags/")
    references.append(NamedObject(name: "\(MachineRun.keeping)\(handed.id)", object: order.commit.rawValue))
    let pack = try repository.pack(references.map(\.object), besides: inventory.objects, in: folder.path)
    defer { if let pack { unlink(pack); unlink("\(pack.dropLast(4))idx") } }
    let past = PastCopy(home: home, bot: bot)
    let (files, made) = try past.files()
    let known = Set(inventory.past)
    let parcel = MachineParcel(
      bot: bot, references: references, head: try repository.headBranch()?.rawValue, past: files,
      dropped: handed.dropped)
    let path = folder.file("parcel")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw IntegratingError.storage("write", path, errno: errno) }
    defer { close(descriptor) }
    let write = { (bytes: [UInt8]) throws in try Self.write(bytes, to: descriptor, path) }
    try FileStream.write(MachineParcel.fileName, [UInt8](try JSONEncoder().encode(parcel)), to: write)
    if let pack { try FileStream.write(MachineParcel.pack, from: pack, to: write) }
    let all = home.integrations(of: bot)
    for file in files where !known.contains(file) {
      if let bytes = made[file.path] {
        try FileStream.write("past/\(file.path)", bytes, to: write)
      } else {
        try FileStream.write("past/\(file.path)", from: all.file(file.path), to: write)
      }
    }
    try FileStream.writeEnd(to: write)
    return path
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(IntegratingError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .storage("write", path, errno: count < 0 ? errno : ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }

  // MARK: Following

  private func follow() throws -> IntegrationNews {
    _ = try Worker { [self] in passOnCancellation() }
    let contact = Mutex(clock.seconds())
    var (pause, deliveries, refusals) = (0.5, 1, 0)
    while true {
      do {
        // A newer program may follow what an older one gave away.
        if handed.isFollowing { _ = try connection.ask(["have", bot], cancellation: try Cancellation()) }
        switch try followOnce({ contact.withLock { $0 = clock.seconds() } }) {
        case .result(let manifest)?: return try takeIn(manifest)
        case .lost(let reason)?: return .handed(.lost(reason))
        case .unplaced(let reason)?: return .handed(.unplaced(reason))
        case .unknown? where handed.isFollowing:
          return .handed(.unplaced("It knows nothing of the integration any more."))
        case .unknown? where deliveries < Self.mostDeliveries:
          deliveries += 1
          try deliver()
          continue
        case .unknown?: return .handed(.unplaced("It does not keep the orders that it is given."))
        default: throw MachineConnection.Failure.unreachable("its answer was cut off")
        }
      } catch let failure as MachineConnection.Failure {
        // Whatever it has begun is ended when it is told to drop it.
        if case .refused(let reason) = failure, !handed.isFollowing {
          refusals += 1
          if refusals == Self.mostRefusals { return .handed(.unplaced("It cannot begin: \(reason)".withStop)) }
        }
        let silent = clock.seconds() - contact.withLock(\.self)
        guard silent < Self.patience else {
          let minutes = Int(Self.patience / 60)
          return .handed(.lost("\(handed.machine.name) did not answer for \(minutes) minutes: \(failure)".withStop))
        }
        usleep(UInt32(pause * 1_000_000))
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  /// Follows the integration until the connection ends.
  ///
  /// - Returns: the machine's last line; nil if it said none.
  private func followOnce(_ hear: () -> Void) throws -> MachineNews? {
    let kept = home.integrations(of: bot).folder("\(order.number)")
    let log = kept.folder("log")
    let sizes = log.names().map { "\($0)=\(log.size(of: $0))" }.joined(separator: ",")
    let verb = [handed.isFollowing ? "follow" : "start", handed.id] + (sizes.isEmpty ? [] : ["--logs", sizes])
    let order = handed.isFollowing ? nil : try sentOrder()
    let pipe = try Self.pipe(for: order, at: folder.file("order"))
    var last: MachineNews?
    try connection.follow(
      verb, input: order == nil ? nil : folder.file("order"), cancellation: try Cancellation()
    ) { line in
      // Whatever else is printed there is no news.
      guard let news = try? JSONDecoder().decode(MachineNews.self, from: Data(line)) else { return }
      hear()
      switch news {
      case .news(let news): tell(news)
      case .log(let name, let offset, let bytes): try append(bytes, to: name, at: offset, in: log)
      case .alive: break
      case .result, .lost, .unplaced, .unknown: last = news
      }
    }
    // Until here it was open: its end would tell the machine nothing, but take the order away.
    _ = consume pipe
    return last
  }

  private static func pipe(for order: IntegrationOrder?, at path: String) throws -> InputPipe? {
    guard let order else { return nil }
    return try InputPipe.make([UInt8](try JSONEncoder().encode(order)) + [UInt8(ascii: "\n")], at: path)
  }

  private func append(_ bytes: Data, to name: String, at offset: Int, in log: Folder) throws {
    guard FileStream.isInner(name), !name.contains("/"), log.size(of: name) == offset else { return }
    try log.create()
    try log.append(Array(bytes), to: name)
  }

  /// Tells the machine that nobody wants the integration any more.
  private func passOnCancellation() {
    while !cancellation.wait(atMost: .seconds(3600)) {}
    for _ in 0..<20 {
      // Whoever ordered it waits for a while only, and the machine is told once more later.
      if let never = try? Cancellation(), (try? connection.ask(["cancel", handed.id], cancellation: never)) != nil {
        return
      }
      usleep(500_000)
    }
  }

  // MARK: Taking the result in

  private func takeIn(_ manifest: ResultManifest) throws -> IntegrationNews {
    do throws(HandedResult.Refusal) {
      try result.check(manifest)
    } catch {
      return .handed(.refused(error.reason))
    }
    let incoming = try result.prepare(for: manifest)
    if !incoming.wanted.isEmpty {
      let list = folder.file("wanted")
      try folder.write([UInt8](try JSONEncoder().encode(incoming.wanted)), to: "wanted")
      let reader = FileStreamReader(into: incoming.folder)
      try connection.receive(["fetch", handed.id], input: list, cancellation: try Cancellation()) {
        try reader.take($0)
      }
      guard reader.isComplete else { throw MachineConnection.Failure.unreachable("its files were cut off") }
    }
    do {
      try result.accept(manifest, from: incoming.folder)
    } catch let refusal as HandedResult.Refusal {
      return .handed(.refused(refusal.reason))
    }
    guard let taken = try result.finishTakingIn() else {
      throw IntegratingError(.service, "cannot take \(bot) \(order.number) in: its result is gone from \(folder.path).")
    }
    return try finish(taken)
  }

  /// Lets the machine remove what it has of the integration.
  private func finish(_ summary: IntegrationSummary) throws -> IntegrationNews {
    let files = PastCopy(home: home, bot: bot).files(of: order.number)
    let list = "past-\(handed.id)"
    let place = try HandoverFolder.all(in: home).create()
    try place.write([UInt8](try JSONEncoder().encode(files)), to: list)
    defer { unlink(place.file(list)) }
    do {
      _ = try connection.ask(["release", handed.id], input: place.file(list), cancellation: try Cancellation())
      tell(.released)
    } catch is MachineConnection.Failure {
      // It is told the next time that it is reached.
    }
    return .finished(summary)
  }
}

extension HandOut {
  /// Returns the order as the machine gets it: without what it has no use for and must not know.
  private func sentOrder() throws -> IntegrationOrder {
    var sent = order
    let path: String
    do throws(GitError) {
      path = try Repository(at: order.bot.repository).path
    } catch {
      throw IntegratingError(error)
    }
    sent.origin = IntegrationOrder.Origin(
      id: handed.id, home: home.folder.path, repository: path, machine: handed.machine.name)
    if handed.machine.slurm != nil {
      // A machine that only hands out need not have any.
      sent.origin?.toolchain = try? Toolchain.locate(
        searchPath: connection.environment["PATH"] ?? "", memory: home.toolchains,
        cancellation: try Cancellation()
      ).name
    }
    sent.secrets = order.secrets.filter { order.bot.secrets.contains($0.key) }
    sent.mailAccount?.login = nil
    sent.bot.credentials = nil
    sent.bot.triggers = try order.bot.triggers.map(Self.selfContained)
    return sent
  }

  /// Returns a trigger whose script is part of the order, since the file beside the bot's is on this machine.
  private static func selfContained(_ trigger: Trigger) throws -> Trigger {
    guard case .script(var script) = trigger, case .botFile(let path) = script.source else { return trigger }
    // A script that is not there is reported by the trigger itself.
    guard let bytes = FileManager.default.contents(atPath: path) else { return trigger }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return trigger }
    script.source = .inline(text)
    return .script(script)
  }
}
