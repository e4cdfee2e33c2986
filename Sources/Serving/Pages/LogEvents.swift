import Integrating
import Model
import Processes
import Rendering

/// A log from a given byte on, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)
/// for a page: whole lines, with the offset of the byte after them as the id.
final class LogEvents: PieceSource {
  private let file: OpenedFile
  private let clock: () -> Double
  private let next: () -> String?
  private var position: Int
  private var isOver = false
  private var saidAt: Double
  private var askedAt = -Double.infinity

  /// The largest number of bytes of the log in one event.
  static let most = 16_384
  /// The intervals, in seconds, at which the end of the step is checked, and after which silence is broken.
  private static let (pause, silence) = (0.5, 15.0)

  /// - Parameter next: returns the address at which to continue, once the step is over.
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
    // Asked before reading the log, so that everything written before the end is sent.
    if now - askedAt >= Self.pause { (address, askedAt) = (next(), now) }
    let bytes = file.read(from: position, atMost: Self.most)
    let count = bytes.count == Self.most || address != nil ? Self.whole(bytes) ?? bytes.count : Self.lines(bytes)
    guard count == 0 else {
      saidAt = now
      // The rest of the log must be sent before its end is announced.
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

  /// Returns the number of bytes in whole lines.
  static func lines(_ bytes: [UInt8]) -> Int { (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 }

  /// Returns the number of bytes in whole lines or, without a whole line, in whole characters; nil if there are none.
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
  /// The number of bytes of a log that its page contains initially.
  private static let shown = 262_144

  /// Returns the page of a growing log: its current content, also for a browser without script, which the script
  /// continues.
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

  /// Returns the events of a growing log, from the reader's position on.
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

  /// Returns the address at which to continue after a step: that of the next step that prints something, or the report;
  /// nil before the step is over.
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
