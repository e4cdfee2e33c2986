import Integrating
import Model
import Rendering

extension SiteServer {
  /// A reason has at most so many characters.
  static let longestReason = 1000

  /// Keeps an issue from counting. What people say of issues lies in the home, and no watcher has to run.
  func silence(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    try AccessGate.refuseForeign(call.request)
    let now = clock()
    let wish = BotIssues.SilenceWish(
      call.optionalText("for").flatMap(Silence.Scope.init) ?? .streak, reason: call.text("reason"),
      author: call.viewer.name ?? "somebody", since: now)
    let (bot, id) = (try overview(call).name, call.text("issue"))
    let passed = try door.pass { [stored] in
      do {
        let made = try stored.issues(of: bot, at: now).silences(of: id, wish)
        try stored.silences(of: bot).replace(those: id, with: made)
        return .taken(message: "\(id) of \(bot) is silenced \(IssueWords.extent(of: made[0])).", [])
      } catch let fault as BotIssues.SilenceFault {
        return fault.reply(about: id, of: bot)
      } catch {
        return .failed("\(error)")
      }
    }
    return answer(once: passed, about: bot, to: call.request)
  }

  /// Lets an issue count again.
  func unsilence(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    try AccessGate.refuseForeign(call.request)
    let (bot, id) = (try overview(call).name, call.text("issue"))
    let passed = try door.pass { [stored] in
      do throws(IntegratingError) {
        let silences = stored.silences(of: bot)
        guard try silences.all().contains(where: { $0.issue == id }) else {
          return .unknown("No issue of \(bot) with this id is silenced.")
        }
        try silences.replace(those: id, with: [])
        return .taken(message: "\(id) of \(bot) counts again.", [])
      } catch {
        return .failed(error.description)
      }
    }
    return answer(once: passed, about: bot, to: call.request)
  }
}

extension BotIssues.SilenceFault {
  fileprivate func reply(about id: String, of bot: String) -> WatcherReply {
    switch self {
    case .unknown: .unknown("There is no issue of \(bot) with this id. /api/v1/bots/BOT/issues lists them.")
    case .gone:
      .refused("\(id) is gone, so there is nothing to silence. With for=ever it is silenced should it come back.")
    case .alwaysCounts:
      .refused("\(id) cannot be silenced: errors of the build, tests that quit and failed triggers always count.")
    }
  }
}
