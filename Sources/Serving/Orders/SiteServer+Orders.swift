import Model
import Rendering

/// What the watcher was asked for, as a request for it is answered.
struct OrderAnswer: Encodable {
  /// What was done, as a sentence.
  var message: String?
  /// The integrations that are due now.
  var integrations: [QueuedAnswer]

  static let schema = AnswerSchema.object([
    .maybe("message", .text, "What was done, as a sentence"),
    .init("integrations", .list(.named("Queued")), "The integrations that are due now"),
  ])
}

/// An integration that somebody asked for.
package struct QueuedAnswer: Hashable, Sendable, Encodable {
  package var bot: String
  package var number: Int?
  /// The branch or tag.
  package var ref: String?
  package var commit: String

  package init(bot: String, number: Int?, ref: String?, commit: String) {
    (self.bot, self.number, self.ref, self.commit) = (bot, number, ref, commit)
  }

  static let schema = AnswerSchema.object([
    .init("bot", .text), .maybe("number", .integer, "Once it has begun"), .maybe("ref", .text, "The branch or tag"),
    .init("commit", .text),
  ])
}

extension SiteServer {
  /// Seconds that the watcher has for its answer.
  private static let patience = 10.0
  /// A revision has at most so many characters; git's names are far shorter.
  private static let longestRevision = 1000

  /// Has the watcher do what a request asks for.
  func order(_ verb: ControlRequest.Verb, _ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    try AccessGate.refuseForeign(call.request)
    // An empty field of a form says nothing.
    let commit = call.optionalText("commit").flatMap { $0.isEmpty ? nil : $0 }
    guard (commit?.unicodeScalars.count ?? 0) <= Self.longestRevision else {
      throw Problem(400, "'commit' has more than \(Self.longestRevision) characters.")
    }
    let bot = call.text("bot")
    return try carryOut(
      ControlRequest(verb, bot: bot, number: call.number("number"), commit: commit), about: bot, for: call.request)
  }

  /// Passes an order on; the answer follows the watcher's.
  ///
  /// - Parameter missed: called when the watcher has not taken it.
  func carryOut(
    _ order: ControlRequest, about bot: String, for request: HTTPRequest, missed: @escaping () -> Void = {}
  ) throws(Problem) -> HTTPAnswer {
    do throws(Problem) {
      return answer(once: try door.pass(order), about: bot, to: request, missed: missed)
    } catch {
      missed()
      throw error
    }
  }

  /// The answer to a request, once what it asks for is done.
  ///
  /// - Parameter missed: called when it was not taken.
  func answer(
    once passed: PassedOrder, about bot: String, to request: HTTPRequest, missed: @escaping () -> Void = {}
  ) -> HTTPAnswer {
    let accepted = request.header("Accept")
    let end = steadyClock() + Self.patience
    return .later { [unowned self] in
      guard let reply = passed.reply else {
        guard steadyClock() > end else { return nil }
        missed()
        return Problem(503, "No answer came within 10 seconds. What was asked may still be done.")
          .answer(toReaderOf: accepted)
      }
      if !reply.isTaken { missed() }
      return answer(to: reply, about: bot, toReaderOf: accepted)
    }
  }

  private func answer(
    to reply: WatcherReply, about bot: String, toReaderOf accepted: String?
  ) -> HTTPAnswer {
    let problem: Problem
    switch reply {
    case .taken(let message, let integrations):
      let answer = OrderAnswer(message: message, integrations: integrations)
      guard accepted?.contains("text/html") == true else {
        return HTTPAnswer(status: 202, type: "application/json", body: JSONAnswer.bytes(of: answer))
      }
      return answer.page(of: bot)
    case .refused(let reason): problem = Problem(409, reason)
    case .unknownBot: problem = Self.noBot
    case .unknown(let reason): problem = Problem(404, reason)
    case .absent:
      problem = Problem(503, "No watcher runs, so nothing can be asked of it. Start one with 'martlet watch'.")
    case .failed(let reason): problem = Problem(503, reason)
    }
    return problem.answer(toReaderOf: accepted)
  }
}

extension OrderAnswer {
  /// The answer for a person who sent a form.
  fileprivate func page(of bot: String) -> HTTPAnswer {
    let lines =
      [message].compactMap(\.self)
      + integrations.map { "\($0.bot): \($0.commit.prefix(7))\($0.ref.map { " on \($0)" } ?? "") is in the queue." }
    let parts = lines.flatMap { line -> [ServerPage.Part] in ["<p class=lead>", .text(VisibleText.of(line)), "</p>\n"] }
    let address = "/actions/\(SiteAddress.encoded(bot))"
    return ServerPage.answer(
      status: 202, title: VisibleText.of(bot), parts + ["<p><a href=\"", .text(address), "\">More</a></p>\n"])
  }
}
