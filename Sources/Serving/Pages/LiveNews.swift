import Integrating
import Model
import Processes

/// What changes while people look: the queue, and the pages that tell of all bots. Looked at once for all who follow it.
final class LiveNews {
  private let folder: String
  private let queue: () -> QueueAnswer
  private let findPages: () -> String
  private var lookedAt = -Double.infinity
  private var lifeLookedAt = -Double.infinity
  private var stateTimes: [WriteTime] = []
  /// The state of the pages that tell of all bots.
  private(set) var pages = ""
  /// What runs and waits, as JSON.
  private(set) var queueText = ""

  /// - Parameters:
  ///   - pages: the state of the pages that tell of all bots.
  ///   - queue: what runs and waits.
  init(of home: Home, pages: @escaping () -> String, queue: @escaping () -> QueueAnswer) {
    folder = home.folder.path
    (findPages, self.queue) = (pages, queue)
  }

  /// How often files are looked at, and whether a watcher lives, in seconds.
  private static let (pause, lifePause) = (0.02, 1.0)

  /// Looks again where it is time to.
  func look(at now: Double) {
    guard now - lookedAt >= Self.pause else { return }
    lookedAt = now
    pages = findPages()
    let times = [WatchState.fileName, WatchProgress.fileName].map { WriteTime("\(folder)/\($0)") }
    guard times != stateTimes || now - lifeLookedAt >= Self.lifePause else { return }
    (stateTimes, lifeLookedAt) = (times, now)
    queueText = String(decoding: JSONAnswer.bytes(of: queue()).dropLast(), as: UTF8.self)
  }
}

/// The news as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), for one who follows.
final class EventPieces: PieceSource {
  private let news: LiveNews
  private let clock: () -> Double
  private var pages: String?
  private var queue: String?
  private var saidAt: Double

  init(_ news: LiveNews, clock: @escaping () -> Double) {
    (self.news, self.clock) = (news, clock)
    saidAt = clock()
  }

  /// After so many seconds of silence something is said, by which both ends see whether the other is there.
  private static let silence = 15.0

  func next(atMost limit: Int) -> Piece {
    let now = clock()
    news.look(at: now)
    var text = ""
    if news.queueText != queue {
      queue = news.queueText
      text += "event: queue\ndata: \(news.queueText)\n\n"
    }
    if news.pages != pages {
      pages = news.pages
      text += "event: pages\ndata: \(news.pages)\n\n"
    }
    if text.isEmpty, now - saidAt >= Self.silence { text = ":\n\n" }
    guard !text.isEmpty else { return .nothingYet }
    saidAt = now
    return .bytes(Array(text.utf8))
  }
}

extension SiteServer {
  /// The events that a page follows as long as somebody looks at it.
  func events(_ call: EndpointCall) -> HTTPAnswer {
    let headers = [
      ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
    ]
    return HTTPAnswer(
      status: 200, headers: headers, body: .stream(EventPieces(news(for: call.viewer), clock: steadyClock)))
  }
}
