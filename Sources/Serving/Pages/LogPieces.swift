import Integrating
import Processes

/// A log from a given byte on, which continues while the integration runs.
final class LogPieces: PieceSource {
  private let file: OpenedFile
  private let isOver: () -> Bool
  private var position: Int

  /// - Parameter isOver: whether nothing more will be written.
  init(_ file: consuming OpenedFile, from position: Int, isOver: @escaping () -> Bool) {
    self.file = file
    self.position = position
    self.isOver = isOver
  }

  func next(atMost limit: Int) -> Piece {
    // Checked before reading the log, so that everything written before the end is sent.
    let isOver = isOver()
    let bytes = file.read(from: position, atMost: limit)
    position += bytes.count
    return bytes.isEmpty ? isOver ? .end : .nothingYet : .bytes(bytes)
  }
}

extension SiteServer {
  /// Returns the log of a step: as a file once the integration is over; before that, as it grows until the end, or as a
  /// page for browsers, whose script follows the events.
  func log(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let (bot, number, step) = (try overview(call).name, call.number("number") ?? 0, call.text("step"))
    let folder = home.integrations(of: bot).folder("\(number)")
    let untrusted = UntrustedFolder(folder.path)
    let name = "log/\(step).log"
    let absent = Problem(
      404, "There is no log of \(step) of \(bot) \(number): the step has not begun, or no program ran in it.")
    let start = call.number("from")
    let isFollowed = call.request.header("Accept")?.contains("text/event-stream") == true
    guard !folder.holds("integration.json") || start != nil || isFollowed else {
      guard case .file(let file) = untrusted.open(name) else { throw absent }
      return SiteFolder.answer(ServedFile(file), ["log", "\(step).log"])
    }
    guard case .file(let file) = untrusted.open(name) else { throw absent }
    if isFollowed {
      let known = call.request.header("Last-Event-ID").flatMap(Int.init) ?? start ?? 0
      return logEvents(file, from: max(0, known), of: bot, number, step)
    }
    if call.request.header("Accept")?.contains("text/html") == true, start == nil {
      return logPage(file, of: bot, number, step)
    }
    let pieces = LogPieces(file, from: start ?? 0) { folder.holds("integration.json") || !folder.exists }
    let headers = [
      ("Content-Type", ContentType.plainText), ("Cache-Control", "no-store"),
      // A front that buffers its output would otherwise delay the log.
      ("X-Accel-Buffering", "no"),
    ]
    return HTTPAnswer(status: 200, headers: headers, body: .stream(pieces))
  }
}
