import Integrating
import Processes

/// A log from some byte on, up to another one, which goes on while the integration runs.
final class LogPieces: PieceSource {
  private let file: OpenedFile
  private let isOver: () -> Bool
  private var rest: Range<Int>

  /// - Parameter isOver: whether nothing more is written.
  init(_ file: consuming OpenedFile, _ range: Range<Int>, isOver: @escaping () -> Bool) {
    self.file = file
    rest = range
    self.isOver = isOver
  }

  func next(atMost limit: Int) -> Piece {
    // Looked at before the log: what was written before the end is sent.
    let isOver = rest.isEmpty || isOver()
    let bytes = file.read(from: rest.lowerBound, atMost: min(limit, rest.count))
    rest = (rest.lowerBound + bytes.count)..<rest.upperBound
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
    return Self.growing(file, from: start ?? 0, call.request) { folder.holds("integration.json") || !folder.exists }
  }

  /// A log that grows, or the part of it that is asked for: at once what is there, and as it comes what is not.
  private static func growing(
    _ file: consuming OpenedFile, from start: Int, _ request: HTTPRequest, isOver: @escaping () -> Bool
  ) -> HTTPAnswer {
    let length = file.length
    var (status, range) = (200, start..<max(start, ByteRange.farthest + 1))
    var headers = [
      ("Content-Type", ContentType.plainText), ("Cache-Control", "no-store"), ("Accept-Ranges", "bytes"),
      // A front that collects what it passes on would hold it back.
      ("X-Accel-Buffering", "no"),
    ]
    // The log has no name for one of its states that the part could be wanted of.
    if start == 0, request.method == .get, request.header("If-Range") == nil, let wanted = request.header("Range") {
      switch ByteRange.asked(wanted, ofGrowing: length) {
      case .whole: break
      case .none:
        var answer = Problem(416, "The log has \(length) bytes so far.").answer(toReaderOf: nil)
        answer.headers.append(("Content-Range", "bytes */\(length)"))
        return answer
      case .part(let part):
        (status, range) = (206, part)
        headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/*"))
      }
    }
    let body: HTTPAnswer.Body =
      range.upperBound <= length
      ? .file(ServedFile(file), range) : .stream(LogPieces(file, range, isOver: isOver))
    return HTTPAnswer(status: status, headers: headers, body: body)
  }
}
