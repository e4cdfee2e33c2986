import Integrating
import Model
import Processes

/// The changes while people look: those of the queue, and of the pages about all bots. They are checked once for all
/// followers.
final class LiveNews {
  private let folder: String
  private let queue: () -> QueueAnswer
  private let findPages: () -> String
  private var lookedAt = -Double.infinity
  private var lifeLookedAt = -Double.infinity
  private var stateTimes: [WriteTime] = []
  /// The state of the pages that tell of all bots.
  private(set) var pages = ""
  /// The running and waiting integrations, as JSON.
  private(set) var queueText = ""

  /// - Parameter pages: returns the state of the pages about all bots.
  init(of home: Home, pages: @escaping () -> String, queue: @escaping () -> QueueAnswer) {
    folder = home.folder.path
    (findPages, self.queue) = (pages, queue)
  }

  /// The intervals, in seconds, at which files and the watcher's life are checked.
  private static let (pause, lifePause) = (0.02, 1.0)

  /// Checks for changes if it is time to.
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

/// The news for one follower, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
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

  /// The seconds of silence after which something is sent, so that either end notices if the other is gone.
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
  /// Returns the events that a page follows as long as it is open.
  func events(_ call: EndpointCall) -> HTTPAnswer {
    let headers = [
      ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
    ]
    return HTTPAnswer(
      status: 200, headers: headers, body: .stream(EventPieces(news(for: call.viewer), clock: steadyClock)))
  }
}
