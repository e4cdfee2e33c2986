import Integrating
import Model
import Processes
import Rendering

/// A log from some byte on as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), for a
/// page: whole lines, with the offset of the first byte behind them as the id.
final class LogEvents: PieceSource {
  private let file: OpenedFile
  private let clock: () -> Double
  private let next: () -> String?
  private var position: Int
  private var isOver = false
  private var saidAt: Double
  private var askedAt = -Double.infinity

  /// So many bytes of the log make one event at most.
  static let most = 16_384
  /// How often it is asked whether the step is over, and how long nothing is said, in seconds.
  private static let (pause, silence) = (0.5, 15.0)

  /// - Parameter next: where there is more to read, once the step is over.
  init(
    _ file: consuming OpenedFile, from position: Int, clock: @escaping () -> Double, next: @escaping () -> String?
  ) {
    self.file = file
    (self.position, self.clock, self.next) = (position, clock, next)
    saidAt = clock()
  }

  func next(atMost limit: Int) -> Piece {
    if isOver { return .end }
    let now = clock()
    var address: String?
    // Asked before the log is read: what was written before the end is sent.
    if now - askedAt >= Self.pause { (address, askedAt) = (next(), now) }
    let bytes = file.read(from: position, atMost: Self.most)
    let count = bytes.count == Self.most || address != nil ? Self.whole(bytes) ?? bytes.count : Self.lines(bytes)
    guard count == 0 else {
      saidAt = now
      // What else there is of it comes before its end.
      askedAt = address == nil ? askedAt : -Double.infinity
      position += count
      return .bytes(Self.event(bytes[..<count], id: position))
    }
    if let address {
      isOver = true
      return .bytes(Array("event: over\ndata: \(address)\n\n".utf8))
    }
    guard now - saidAt >= Self.silence else { return .nothingYet }
    saidAt = now
    return .bytes(Array(":\n\n".utf8))
  }

  /// How many bytes the whole lines have.
  static func lines(_ bytes: [UInt8]) -> Int { (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 }

  /// The same, or where there is no whole line how many the whole characters have; nil for none.
  private static func whole(_ bytes: [UInt8]) -> Int? {
    let count = lines(bytes)
    if count > 0 { return count }
    let tail = bytes.suffix(4)
    guard let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[lead] >= 0xC0 else { return nil }
    let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
    return lead + length > bytes.count && lead > 0 ? lead : nil
  }

  private static func event(_ bytes: ArraySlice<UInt8>, id: Int) -> [UInt8] {
    var event = Array("id: \(id)\ndata: ".utf8)
    var last: UInt8 = 0
    var bytes = bytes
    for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] where bytes.last == end { bytes.removeLast() }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): event += Array("\ndata: ".utf8)
      default: event.append(byte)
      }
      last = byte
    }
    return event + Array("\n\n".utf8)
  }
}

extension SiteServer {
  /// How much of a log stands in its page before what comes.
  private static let shown = 262_144

  /// The page of a log that grows: what there is, for a browser without script, too, to which the script adds what comes.
  func logPage(_ file: borrowing OpenedFile, of bot: String, _ number: Int, _ step: String) -> HTTPAnswer {
    let start = max(0, file.length - Self.shown)
    var bytes = file.read(from: start, atMost: Self.shown)
    bytes.removeLast(bytes.count - LogEvents.lines(bytes))
    let end = start + bytes.count
    if start > 0 { bytes.removeFirst((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? -1) + 1) }
    return ServerPage.answer(
      title: VisibleText.of("\(bot) \(number)"),
      [
        "<p class=lead>", .text(step), "</p>\n<pre class=log data-from=\"", .text("\(end)"), "\">\n",
        .text(String(decoding: bytes, as: UTF8.self)), "</pre>\n<script src=/martlet.js></script>\n",
      ], headers: [("Vary", "Accept")])
  }

  /// The events of a log that grows, behind what its reader has.
  func logEvents(
    _ file: consuming OpenedFile, from start: Int, of bot: String, _ number: Int, _ step: String
  ) -> HTTPAnswer {
    let pieces = LogEvents(file, from: start, clock: steadyClock) { [unowned self] in
      placeBehind(step, of: bot, number)
    }
    let headers = [
      ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
      ("Vary", "Accept"),
    ]
    return HTTPAnswer(status: 200, headers: headers, body: .stream(pieces))
  }

  /// Where a reader goes on when a step is over: to the next step that prints something, or to the report; nil before.
  private func placeBehind(_ step: String, of bot: String, _ number: Int) -> String? {
    let folder = home.integrations(of: bot).folder("\(number)")
    let place = SiteAddress.encoded(bot)
    guard let entry = running.first(where: { $0.bot == bot && $0.number == number }) else {
      return folder.holds("integration.json") || !folder.exists ? "/\(place)/\(number)/index.html" : nil
    }
    guard let now = entry.step?.rawValue, now != step, folder.folder("log").holds("\(now).log") else { return nil }
    return "/log/\(place)/\(number)/\(now)"
  }
}
