import FoundationEssentials
import Git
import Glibc
package import Model
package import Processes

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
    let session = MachineSession(connection, pipeIn: folder)
    if let taken = try result.finishTakingIn() { return try finish(taken, in: session) }
    do {
      if !handed.isFollowing { try deliver(in: session) }
    } catch let failure as MachineConnection.Failure {
      return .handed(.unplaced("\(failure)".withStop))
    } catch {
      return .handed(.failed("\(error)".withStop))
    }
    return try follow(in: session)
  }

  // MARK: Giving the order

  /// Sends what the machine lacks: commits, and the part of the past that comparing needs.
  private func deliver(in session: MachineSession) throws {
    // While a machine takes in a large repository, it says nothing.
    session.patience = nil
    try session.send(.inventory(bot: bot))
    // Meanwhile the machine answers.
    let repository = try Repository(at: order.bot.repository)
    var references = try repository.namedObjects("refs/heads/") + repository.namedObjects("refs/tags/")
    references.append(NamedObject(name: "\(MachineRun.keeping)\(handed.id)", object: order.commit.rawValue))
    let (files, made) = try PastCopy(home: home, bot: bot).files()
    let parcel = MachineParcel(
      bot: bot, references: references, head: try repository.headBranch()?.rawValue, past: files,
      dropped: handed.dropped)
    guard case .inventory(let inventory) = try session.reply() else { throw MachineSession.otherAnswer }

    let place = IntegrationRequest.Place(bot: bot, number: order.number)
    _ = try home.createIntegration(place, of: repository.commonPath)
    let pack = try repository.pack(references.map(\.object), besides: inventory.objects, in: folder.path)
    defer { if let pack { unlink(pack); unlink("\(pack.dropLast(4))idx") } }
    try session.send(.receive(id: handed.id))
    try FileStream.write(MachineParcel.fileName, [UInt8](try JSONEncoder().encode(parcel)), to: session.send)
    if let pack { try FileStream.write(MachineParcel.pack, from: pack, to: session.send) }
    let (all, known) = (home.integrations(of: bot), Set(inventory.past))
    for file in files where !known.contains(file) {
      if let bytes = made[file.path] {
        try FileStream.write("past/\(file.path)", bytes, to: session.send)
      } else {
        try FileStream.write("past/\(file.path)", from: all.file(file.path), to: session.send)
      }
    }
    try FileStream.writeEnd(to: session.send)
    guard case .received = try session.reply() else { throw MachineSession.otherAnswer }
  }

  // MARK: Following

  private func follow(in session: MachineSession) throws -> IntegrationNews {
    let over = try Cancellation(parent: cancellation)
    defer { over.cancel() }
    _ = try Worker { [self] in passOnCancellation(unless: over) }
    // When its last word came, and when it first failed since; silence alone does not count, since this machine may
    // have slept.
    var (heard, lostSince) = (clock.seconds(), Double?.none)
    func hear() { (heard, lostSince) = (clock.seconds(), nil) }
    var (pause, deliveries, refusals) = (0.0, 1, 0)
    while true {
      do {
        switch try followOnce(in: session, hear: hear) {
        case .result(let manifest): return try takeIn(manifest, in: session, hear: hear)
        case .lost(let reason): return .handed(.lost(reason))
        case .unplaced(let reason): return .handed(.unplaced(reason))
        case .unknown where handed.isFollowing:
          return .handed(.unplaced("It knows nothing of the integration any more."))
        case .unknown where deliveries < Self.mostDeliveries:
          deliveries += 1
          try deliver(in: session)
          hear()
        case .unknown: return .handed(.unplaced("It does not keep the orders that it is given."))
        }
      } catch let failure as MachineConnection.Failure {
        session.end()
        // Whatever it has begun is ended when it is told to drop it.
        if case .refused(let reason) = failure, !handed.isFollowing {
          refusals += 1
          if refusals == Self.mostRefusals { return .handed(.unplaced("It cannot begin: \(reason)".withStop)) }
        }
        let now = clock.seconds()
        let since = lostSince ?? now
        lostSince = since
        guard now - since < Self.patience else { return .handed(.lost(silence(of: now - heard, until: failure))) }
        usleep(UInt32(pause * 1_000_000))
        pause = min(max(0.5, pause * 2), Self.longestPause)
      }
    }
  }

  private func silence(of seconds: Double, until failure: MachineConnection.Failure) -> String {
    "\(handed.machine.name) did not answer for \(DurationText.short(seconds)): \(failure)".withStop
  }

  private func followOnce(in session: MachineSession, hear: () -> Void) throws -> MachineNews.End {
    // A connection may stay open although its other end hangs.
    session.patience = .seconds(Self.patience)
    let log = home.integration(order.number, of: bot).folder("log")
    let sizes = Dictionary(log.names().map { ($0, log.size(of: $0)) }, uniquingKeysWith: { $1 })
    try session.send(
      handed.isFollowing
        ? .follow(id: handed.id, logs: sizes) : .start(id: handed.id, order: try sentOrder(), logs: sizes))
    while true {
      guard case .news(let news) = try session.reply() else { throw MachineSession.otherAnswer }
      hear()
      switch news {
      case .news(let news): tell(news)
      case .log(let name, let offset, let bytes): try append(bytes, to: name, at: offset, in: log)
      case .alive: break
      case .end(let end): return end
      }
    }
  }

  private func append(_ bytes: Data, to name: String, at offset: Int, in log: Folder) throws {
    guard FileStream.isInner(name), !name.contains("/"), log.size(of: name) == offset else { return }
    try log.create()
    try log.append(Array(bytes), to: name)
  }

  /// Tells the machine that nobody wants the integration any more.
  ///
  /// - Parameter over: canceled with it, or when it has ended.
  private func passOnCancellation(unless over: Cancellation) {
    while !over.wait(atMost: .seconds(3600)) {}
    guard cancellation.isCanceled else { return }
    for _ in 0..<20 {
      // Whoever ordered it waits for a while only, and the machine is told once more later.
      if let never = try? Cancellation(), (try? connection.ask(["cancel", handed.id], cancellation: never)) != nil {
        return
      }
      usleep(500_000)
    }
  }

  // MARK: Taking the result in

  private func takeIn(
    _ manifest: ResultManifest, in session: MachineSession, hear: () -> Void
  ) throws -> IntegrationNews {
    do throws(HandedResult.Refusal) {
      try result.check(manifest)
    } catch {
      return .handed(.refused(error.reason))
    }
    let incoming = try result.prepare(for: manifest)
    if !incoming.wanted.isEmpty {
      try session.send(.fetch(id: handed.id, paths: incoming.wanted))
      try session.files(into: incoming.folder, hear: hear)
    }
    do {
      try result.accept(manifest, from: incoming.folder)
    } catch let refusal as HandedResult.Refusal {
      return .handed(.refused(refusal.reason))
    }
    guard let taken = try result.finishTakingIn() else {
      throw IntegratingError(.service, "cannot take \(bot) \(order.number) in: its result is gone from \(folder.path).")
    }
    return try finish(taken, in: session)
  }

  /// Lets the machine remove what it has of the integration.
  private func finish(_ summary: IntegrationSummary, in session: MachineSession) throws -> IntegrationNews {
    let files = PastCopy(home: home, bot: bot).files(of: order.number)
    do {
      try session.send(.release(id: handed.id, files: files))
      if case .released = try session.reply() { tell(.released) }
    } catch is MachineConnection.Failure {
      // It is told the next time that it is reached.
    }
    // A session that had to begin for this has its pipe there.
    try folder.remove()
    return .finished(summary)
  }
}

extension HandOut {
  /// Returns the order as the machine gets it: without what it has no use for and must not know.
  private func sentOrder() throws -> IntegrationOrder {
    var sent = order
    let path = try answering { try Repository(at: order.bot.repository).path }
    sent.origin = IntegrationOrder.Origin(
      id: handed.id, home: home.folder.path, repository: path, machine: handed.machine.name)
    if handed.machine.slurm != nil {
      // A machine that only hands out need not have any.
      sent.origin?.toolchain = try? home.toolchain(
        searchPath: connection.environment["PATH"] ?? "", cancellation: try Cancellation()
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
