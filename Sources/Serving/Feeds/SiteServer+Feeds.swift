import FoundationEssentials
import Glibc
import Integrating
import Model
import Processes
import Rendering
import Storing

extension SiteServer {
  static let feedType = "application/atom+xml"
  static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

  /// How many integrations a feed has.
  private static let feedLength = 50

  func feed(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bots = try read { () throws(IntegratingError) in try overviews.all(where: sees(call.viewer)) }
    var entries: [AtomFeed.Entry] = []
    for bot in bots {
      entries += bot.newestLines.prefix(Self.feedLength).map { AtomFeed.Entry(bot: bot.name, line: $0) }
    }
    entries.sort { ($0.line.endedAt, $0.bot, $0.line.number) > ($1.line.endedAt, $1.bot, $1.line.number) }
    let feed = AtomFeed(
      of: nil, Array(entries.prefix(Self.feedLength)), site: site(for: call.request), address: "feed.atom")
    return bytes(Array(feed.text.utf8), type: Self.feedType)
  }

  func botFeed(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bot = try overview(call)
    let entries = bot.newestLines.prefix(Self.feedLength).map { AtomFeed.Entry(bot: bot.name, line: $0) }
    let feed = AtomFeed(
      of: bot.name, entries, site: site(for: call.request), address: "feed/\(SiteAddress.encoded(bot.name)).atom")
    return bytes(Array(feed.text.utf8), type: Self.feedType)
  }

  func projects(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bots = try read { () throws(IntegratingError) in try overviews.all(where: sees(call.viewer)) }
    let running = Set(running.map(\.bot))
    let projects = bots.map { bot in
      CCTray.Project(
        name: bot.name, isBuilding: running.contains(bot.name),
        line: bot.states.main.told)
    }
    return bytes(Array(CCTray(projects, site: site(for: call.request)).text.utf8), type: "application/xml")
  }

  func badge(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bot = try overview(call)
    let subject = call.optionalText("subject").flatMap(BadgeSubject.init) ?? .outcome
    let state = try call.optionalText("branch").map { branch throws(Problem) in
      let states = [bot.states.main] + bot.states.others
      guard let state = states.first(where: { $0.branch == branch }) else {
        throw Problem(404, "\(bot.name) has no such branch, or it was not integrated.")
      }
      return state
    }
    let told = (state ?? bot.states.main).told
    let destination = call.optionalText("destination")
    let number = told?.number ?? 0
    // It may be written again, and be another one under the same number.
    let written = WriteTime(home.integrations(of: bot.name).folder("\(number)").file("integration.json"))
    let key = "\(bot.name)/\(number)/\(written)/\(subject.rawValue)/\(destination ?? "")"
    if let known = badges[key] { return picture(known) }
    let document = try told.flatMap { line throws(Problem) -> IntegrationRecord? in
      // What was removed, or cannot be read, has nothing to tell.
      guard let whole = try? stored.integration(line.number, of: bot.name) else { return nil }
      guard let destination else { return whole.document }
      guard let cell = try? whole.destination(destination) else {
        throw Problem(404, "\(bot.name) has no such destination.")
      }
      return cell.document.destination?.outcome == nil ? nil : cell.document
    }
    let made = Badge.standing(of: bot.name, document, subject)
    if badges.count > 500 { badges = [:] }
    if document != nil { badges[key] = made }
    return picture(made)
  }

  /// A picture that pages of other sites may show.
  private func picture(_ text: String) -> HTTPAnswer {
    bytes(Array(text.utf8), type: "image/svg+xml", headers: [("Cross-Origin-Resource-Policy", "cross-origin")])
  }

  /// What runs and what waits now, as far as a viewer sees it.
  func currentQueue(for viewer: Viewer) -> QueueAnswer {
    var answer = QueueAnswer(
      watchState(for: viewer), overviews.progress, isWatching: WatcherLife.isRunning(on: home.folder.path))
    // It changes with every bot.
    if !viewer.seesAll { answer.asOf = nil }
    return answer
  }

  /// What a watcher has running; nothing where it has gone.
  var running: [WatchState.Entry] {
    WatcherLife.isRunning(on: home.folder.path) ? overviews.watchState?.running ?? [] : []
  }
}

extension SiteServer {
  func queue(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    json(currentQueue(for: call.viewer))
  }

  func description(_ call: EndpointCall) -> HTTPAnswer {
    bytes(
      OpenAPIDocument(endpoints: Endpoints.all, schemas: Endpoints.schemas, version: version).bytes,
      type: "application/json")
  }

  func health(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    _ = try read { () throws(IntegratingError) in try past.version() }
    return json(
      JSONPart.object([
        "status": .text("ok"), "version": .text(version),
        "isWatching": .flag(WatcherLife.isRunning(on: home.folder.path)),
      ]))
  }

  func metrics(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bots = try read { () throws(IntegratingError) in try overviews.all(where: sees(call.viewer)) }
    var text = MetricsText()
    // Memory and requests tell of every bot.
    if call.viewer.seesAll { addServer(to: &text) }
    addQueue(watchState(for: call.viewer), to: &text)
    addBots(bots, to: &text)
    return HTTPAnswer(type: Self.metricsType, body: Array(text.text.utf8))
  }

  private func addServer(to text: inout MetricsText) {
    text.add("martlet_build_info", .gauge, "The version of Martlet that answers", [([("version", version)], 1)])
    text.add(
      "martlet_http_requests_total", .counter, "Requests that were answered, by the hundred of their status",
      answered.sorted { $0.key < $1.key }.map { ([("status", "\($0.key)xx")], Double($0.value)) })
    text.add(
      "martlet_http_connections", .gauge, "Connections that are open", [([], Double(connectionCount()))])
    text.add(
      "process_start_time_seconds", .gauge, "When the server started, since 1970",
      [([], startedAt.timeIntervalSince1970.rounded())])
    text.add(
      "process_resident_memory_bytes", .gauge, "Memory of the server", [([], Double(ResidentMemory.ofThisProcess))])
  }

  private func addQueue(_ state: WatchState?, to text: inout MetricsText) {
    let isWatching = WatcherLife.isRunning(on: home.folder.path)
    text.add("martlet_watcher_up", .gauge, "Whether a watcher runs on the home", [([], isWatching ? 1 : 0)])
    guard isWatching, let state else { return }
    text.add("martlet_jobs", .gauge, "How many integrations may run at once", [([], Double(state.jobs))])
    text.add("martlet_running", .gauge, "Integrations that run", [([], Double(state.running.count))])
    text.add("martlet_waiting", .gauge, "Integrations that wait", [([], Double(state.waitingCount))])
  }

  private func addBots(_ bots: [BotOverview], to text: inout MetricsText) {
    text.add(
      "martlet_integrations_total", .counter, "Integrations of a bot that were started",
      bots.map { ([("bot", $0.name)], Double($0.highestNumber)) })
    let told = bots.compactMap { bot in
      bot.states.main.told.map { (bot.name, bot.states.main, $0) }
    }
    text.add(
      "martlet_outcome", .gauge, "How the default branch of a bot stands: 1 for its outcome",
      told.map { ([("bot", $0.0), ("outcome", $0.2.outcome.rawValue)], 1) })
    text.add(
      "martlet_green", .gauge, "Whether the newest result of a bot's default branch is green",
      told.filter { $0.1.result != nil }.map { ([("bot", $0.0)], $0.1.isRed ? 0 : 1) })
    text.add(
      "martlet_ended_seconds", .gauge, "When that integration ended, since 1970",
      told.map { ([("bot", $0.0)], $0.2.endedAt.timeIntervalSince1970.rounded()) })
    text.add(
      "martlet_duration_seconds", .gauge, "How long that integration took",
      told.map { ([("bot", $0.0)], $0.2.duration) })
    let results = told.compactMap { told in told.1.result.map { (told.0, $0) } }
    text.add(
      "martlet_tests", .gauge, "The tests of the newest result of a bot's default branch, for its first destination",
      results.flatMap { bot, line in
        (line.knownTests.map { [("listed", $0.listed), ("red", $0.red), ("flaky", $0.flaky)] } ?? []).map {
          ([("bot", bot), ("kind", $0.0)], Double($0.1))
        }
      })
    text.add(
      "martlet_lines", .gauge, "The lines of code of that integration",
      results.flatMap { bot, line in
        (line.lines.map { [("all", $0.total), ("uncovered", $0.uncovered)] } ?? []).map {
          ([("bot", bot), ("kind", $0.0)], Double($0.1))
        }
      })
  }
}
