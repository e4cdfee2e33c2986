package import FoundationEssentials
package import Integrating
package import Model
import Processes
import Storing

/// Answers what is asked of a home: its pages, and what programs want to know.
///
/// It reads and never writes; whether a watcher runs makes no difference. It belongs to one thread.
package final class SiteServer {
  let home: Home
  let version: String
  let past: PastReader
  let stored: StoredIntegrations
  let overviews: BotOverviews
  let startedAt: Date
  private let address: SiteAddress?
  let isBehindFront: Bool
  private let pages: SiteFolder
  /// The pictures made so far: what they are made of never changes.
  var badges: [String: String] = [:]
  /// How many requests were answered, by the hundred of their status.
  private(set) var answered: [Int: Int] = [:]
  /// How many connections are open; of the server that this one answers for.
  package var connectionCount: () -> Int = { 0 }
  let clock: () -> Date
  /// Seconds on a clock that nobody sets.
  var steadyClock: () -> Double = Clock.system.seconds
  let access: AccessGate
  let door: WatcherDoor
  /// The value of a bot's secret.
  let hookSecrets: (_ bot: String, _ name: String) -> String?
  var hookedBots = HookedBots()
  let takenCalls: TakenCalls
  /// The summary document that was asked for last, which is read in pages.
  var lastDocument: (tag: String, document: IntegrationRecord)?
  /// Makes the pages that tell of all bots for who may not see all of them.
  private let overviewPages: Site
  /// Those pages by what their readers see, with what they were made of.
  private var madePages: [Viewer.Reach: (ground: String, pages: OverviewPages)] = [:]
  private var newsBySight: [Viewer.Reach: LiveNews] = [:]

  /// - Parameters:
  ///   - version: of the program.
  ///   - address: where people reach the site; nil for where each request says that it was sent.
  ///   - isBehindFront: whether only a program before this one can send requests, so that it is believed what it says.
  ///   - pages: makes the pages that tell of all bots.
  ///   - hookSecrets: the value of a bot's secret by its name; nil where it has none.
  package init(
    _ home: Home, version: String, address: SiteAddress?, isBehindFront: Bool, access: AccessGate, pages: Site,
    door: WatcherDoor, hookSecrets: @escaping (_ bot: String, _ name: String) -> String?,
    clock: @escaping () -> Date = { Date() }
  ) {
    (self.home, self.version, self.address, self.isBehindFront) = (home, version, address, isBehindFront)
    (self.access, overviewPages, self.door, self.hookSecrets) = (access, pages, door, hookSecrets)
    self.clock = clock
    startedAt = clock()
    takenCalls = TakenCalls(of: home)
    past = PastReader(of: home)
    stored = StoredIntegrations(in: home)
    overviews = BotOverviews(of: home, past: past, clock: clock)
    self.pages = SiteFolder(of: home)
  }

  /// What people type into a browser or a program, by the names of the endpoints.
  private static let typed = ["showWall", "getMetrics", "getFeed", "getProjects", "getBadge", "showLogin"]

  /// The addresses beside the pages that people type, each with a sentence; the description of the API has all others.
  package static var addresses: [(path: String, summary: String)] {
    typed.compactMap { name in Endpoints.all.first { $0.name == name } }.map { ($0.path, $0.summary) }
  }

  /// Reads what the first answers need, so that none of them is slow.
  package func prepare() throws(IntegratingError) { _ = try overviews.all() }

  /// The answer to a request, whole but for what the connection adds.
  package func answer(_ request: HTTPRequest) -> HTTPAnswer {
    let answer: HTTPAnswer
    do throws(Problem) {
      answer = try found(request)
    } catch {
      answer = error.answer(toReaderOf: request.header("Accept"), offersLogin: !access.isOpen)
    }
    return counted(answer.fitted(to: request).dressed())
  }

  /// The answer to what is no request that can be understood.
  package func refusal(_ problem: Problem, toReaderOf accepted: String?) -> HTTPAnswer {
    counted(problem.answer(toReaderOf: accepted).dressed())
  }

  private func counted(_ answer: HTTPAnswer) -> HTTPAnswer {
    if case .later(let make) = answer.body { return .later { [unowned self] in make().map { counted($0.dressed()) } } }
    answered[answer.status / 100, default: 0] += 1
    return answer
  }

  private func found(_ request: HTTPRequest) throws(Problem) -> HTTPAnswer {
    let viewer = try access.viewer(of: request)
    // A bot may be called as an endpoint begins; its pages are there all the same.
    if [.get, .head].contains(request.method), request.path.first != "api",
      let page = try page(request.path, for: viewer), page.status == 200
    {
      return page
    }
    var methods: [HTTPRequest.Method] = []
    for endpoint in Endpoints.all {
      guard let values = endpoint.match(request.path) else { continue }
      methods.append(endpoint.method)
      guard endpoint.answers(request.method) else { continue }
      if let scope = endpoint.scope, let bot = values["bot"] { try require(scope, bot, viewer) }
      let call = try endpoint.call(request, values, by: viewer)
      return guarded(try endpoint.body(self)(call), endpoint.scope, values["bot"], viewer)
    }
    guard methods.isEmpty, [.get, .head].contains(request.method) else { throw Self.wrongMethod(methods) }
    if request.path.first == "api" {
      throw Problem(404, "There is no such address. /api/v1/openapi.json describes those that there are.")
    }
    if let page = try page(request.path, for: viewer) { return page }
    if request.path == [""] { throw Self.noPageYet }
    throw Problem(404, "This page does not exist, or needs a login.")
  }

  private static let noPageYet = Problem(
    404, "No page was written yet: nothing was integrated here, and no watcher has run.")

  /// The page for a screen on a wall.
  func wall(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    guard let page = try page(["wall.html"], for: call.viewer) else { throw Self.noPageYet }
    return page
  }

  /// - Parameter methods: what the address is asked for by; a page, where it is none of an endpoint, by GET.
  private static func wrongMethod(_ methods: [HTTPRequest.Method]) -> Problem {
    let known = methods.isEmpty || methods.contains(.get) ? ["GET", "HEAD"] : []
    let all = known + (methods.contains(.post) ? ["POST"] : [])
    return Problem(
      405, "This address is asked with \(CountText.list(all, "or")).",
      headers: ["Allow": all.joined(separator: ", ")])
  }

  /// What is said of a bot that there is not, and of one that the caller may not see.
  static let noBot = Problem(404, "There is no such bot. /api/v1/bots lists those that there are.")

  /// Refuses what a viewer may not do with a bot; of one that the viewer may not see, nothing is told.
  func require(_ scope: AccessToken.Scope, _ bot: String, _ viewer: Viewer) throws(Problem) {
    guard !may(scope, bot, viewer) else { return }
    guard scope == .ask, may(.read, bot, viewer) else { throw Self.noBot }
    throw Problem(
      403, "That takes a token with the scope 'ask'. 'martlet tokens new --scope read,log,ask' makes one.")
  }

  /// Where the site is for whoever sent a request.
  func site(for request: HTTPRequest) -> SiteAddress {
    if let address { return address }
    return SiteAddress("\(isSecure(request) ? "https" : "http")://\(request.header("Host") ?? "localhost")")
  }

  /// Whether a browser sent a request over TLS, as far as the front says so.
  func isSecure(_ request: HTTPRequest) -> Bool {
    isBehindFront && request.header("X-Forwarded-Proto")?.lowercased() == "https"
  }
}

extension SiteServer {
  /// Asks the index; what it cannot do is told, and may be over soon.
  func read<Value>(_ body: () throws(IntegratingError) -> Value) throws(Problem) -> Value {
    do throws(IntegratingError) {
      return try body()
    } catch {
      throw Problem(503, error.description.capitalizedFirst)
    }
  }

  func ask<Value>(_ question: (inout Store) throws(StoringError) -> Value) throws(Problem) -> Value {
    try read { () throws(IntegratingError) in try past.ask(question) }
  }

  func json(_ value: some Encodable) -> HTTPAnswer { bytes(JSONAnswer.bytes(of: value), type: "application/json") }

  /// An answer that is made anew each time, with a name for just these bytes.
  func bytes(_ body: [UInt8], type: String, headers: [(name: String, value: String)] = []) -> HTTPAnswer {
    let tag = FileSystemName.fingerprint64(String(decoding: body, as: UTF8.self))
    return HTTPAnswer(type: type, body: body, headers: [("ETag", "\"\(tag)\"")] + headers)
  }
}

extension SiteServer {
  func may(_ scope: AccessToken.Scope, _ bot: String, _ viewer: Viewer) -> Bool {
    viewer.may(scope, bot, isPublic: overviews.isPublic(bot))
  }

  func sees(_ viewer: Viewer) -> (String) -> Bool { { self.may(.read, $0, viewer) } }

  /// What the watcher does, as far as a viewer sees it.
  func watchState(for viewer: Viewer) -> WatchState? {
    viewer.seesAll ? overviews.watchState : overviews.watchState?.only(sees(viewer))
  }

  /// What a viewer who follows events is told.
  func news(for viewer: Viewer) -> LiveNews {
    if let known = newsBySight[viewer.sight] { return known }
    let folder = home.siteFolder
    let news = LiveNews(
      of: home,
      pages: { [unowned self] in
        guard viewer.seesAll else { return (try? madePages(for: viewer))?.tag ?? "" }
        // One is written after the other.
        return ["index", "wall", "machines"].map { WriteTime("\(folder)/\($0).html").description }
          .joined(separator: "-")
      }, queue: { [unowned self] in currentQueue(for: viewer) })
    if newsBySight.count >= Self.mostSights { newsBySight = [:] }
    newsBySight[viewer.sight] = news
    return news
  }

  /// How many different views of the site are kept.
  private static let mostSights = 64

  /// A page, as far as a viewer may see it; nil where there is none.
  private func page(_ path: [String], for viewer: Viewer) throws(Problem) -> HTTPAnswer? {
    if SiteFolder.pathInReport(path.dropFirst(2)).first == Self.logFolder, !may(.log, path[0], viewer) { return nil }
    guard !viewer.seesAll, !SiteFolder.isShared(path) else { return withActions(pages.answer(path), path, viewer) }
    if [[""], ["index.html"], ["wall.html"]].contains(path) {
      let made = try madePages(for: viewer)
      return bytes(path == ["wall.html"] ? made.wall : made.index, type: ContentType.page)
    }
    guard let bot = path.first, may(.read, bot, viewer) else { return nil }
    return withActions(pages.answer(path), path, viewer)
  }

  private func madePages(for viewer: Viewer) throws(Problem) -> OverviewPages {
    let ground = try read { () throws(IntegratingError) in
      "\(try past.version()) \(WriteTime(home.folder.file(WatchState.fileName)).description)"
    }
    if let known = madePages[viewer.sight], known.ground == ground { return known.pages }
    let made = try read { () throws(IntegratingError) in try overviewPages.overview(of: sees(viewer)) }
    if madePages.count >= Self.mostSights { madePages = [:] }
    madePages[viewer.sight] = (ground, made)
    return made
  }

  /// The answer, which breaks off when its viewer may not see it any more.
  private func guarded(
    _ answer: HTTPAnswer, _ scope: AccessToken.Scope?, _ bot: String?, _ viewer: Viewer
  ) -> HTTPAnswer {
    guard let scope, case .stream(let source) = answer.body else { return answer }
    var answer = answer
    answer.body = .stream(
      GuardedPieces(source, clock: steadyClock) { [unowned self] in
        access.stillHolds(viewer) && bot.map { may(scope, $0, viewer) } != false
      })
    return answer
  }
}

/// A long answer that breaks off when its reader may not read it any more.
private final class GuardedPieces: PieceSource {
  private let source: any PieceSource
  private let clock: () -> Double
  private let isAllowed: () -> Bool
  private var askedAt: Double

  init(_ source: any PieceSource, clock: @escaping () -> Double, isAllowed: @escaping () -> Bool) {
    (self.source, self.clock, self.isAllowed) = (source, clock, isAllowed)
    askedAt = clock()
  }

  func next(atMost limit: Int) -> Piece {
    let now = clock()
    if now - askedAt >= 1 {
      askedAt = now
      guard isAllowed() else { return .broken }
    }
    return source.next(atMost: limit)
  }
}
