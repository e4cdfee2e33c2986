import Integrating
import Model
import Rendering
import Storing

extension SiteServer {
  /// How many of the newest integrations the page has rows for.
  private static let rowCount = 20
  /// How many issues it has rows for.
  private static let issueCount = 100

  /// The page from which a person has the watcher do something with a bot, or with what of it the call names.
  func actionsPage(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let (bot, overview) = (call.text("bot"), try overview(call))
    let (number, issue) = (call.number("integration"), call.optionalText("issue"))
    let place = "/api/v1/bots/\(SiteAddress.encoded(bot))"
    let running = Set(running.filter { $0.bot == bot }.compactMap(\.number))
    var parts: [ServerPage.Part] = []
    if number == nil, issue == nil { parts += Self.botForms(place, running) }
    if let number, running.contains(number) {
      parts += Self.button("Cancel \(number)", to: "\(place)/integrations/\(number)/cancel")
    } else if number != nil || issue == nil {
      parts += ["<table class=flat>\n"]
      for line in try lines(of: overview, number) { parts += try row(of: line, bot, place) }
      parts += ["</table>\n"]
    }
    if number == nil || issue != nil { parts += try issueForms(overview, place, number, only: issue) }
    return ServerPage.answer(title: VisibleText.of(bot), parts)
  }

  private static func botForms(_ place: String, _ running: Set<Int>) -> [ServerPage.Part] {
    let forms: [ServerPage.Part] = [
      "<form method=post action=\"", .text("\(place)/integrate"),
      "\">\n<p><label>Revision <input name=commit placeholder=\"newest of each branch\"></label> ",
      "<button class=quiet>Integrate</button></p>\n</form>\n",
    ]
    return running.sorted().reduce(forms + button("Cancel what waits", to: "\(place)/cancel")) { parts, number in
      parts + button("Cancel \(number)", to: "\(place)/integrations/\(number)/cancel")
    }
  }

  /// The newest integrations of a bot, or one of them.
  private func lines(of overview: BotOverview, _ number: Int?) throws(Problem) -> [HistoryLine] {
    guard let number else { return Array(overview.newestLines.prefix(Self.rowCount)) }
    let page = try ask { store throws(StoringError) in
      try store.lines(of: overview.name, PastSelection(before: number + 1, limit: 1))
    }
    guard let line = page.lines.first, line.number == number else {
      throw Problem(404, "\(overview.name) has no finished integration \(number), or it was removed to make room.")
    }
    return [line]
  }

  private func row(of line: HistoryLine, _ bot: String, _ place: String) throws(Problem) -> [ServerPage.Part] {
    let integration = "\(place)/integrations/\(line.number)"
    var parts: [ServerPage.Part] = [
      "<tr><th scope=row><a href=\"", .text("/\(SiteAddress.encoded(bot))/\(line.number)/index.html"), "\">",
      .text("\(line.number)"), "</a><td>", .text(line.lowercasedOutcome), "<td>",
      .text(VisibleText.of(line.subject.split(separator: "\n").first.map(String.init) ?? "")), "<td>",
    ]
    parts += Self.button("Rerun", to: "\(integration)/rerun") + ["<td>"]
    let isPinned = try ask { store throws(StoringError) in try store.integration(line.number, of: bot)?.isPinned }
    // Of what no watcher ordered nothing is removed by itself.
    if let isPinned {
      parts += Self.button(isPinned ? "Unpin" : "Pin", to: "\(integration)/\(isPinned ? "unpin" : "pin")")
    }
    return parts + ["\n"]
  }

  /// The issues that may be kept from counting, as an integration knows them, or the newest of the default branch.
  private func issueForms(
    _ overview: BotOverview, _ place: String, _ number: Int?, only id: String?
  ) throws(Problem) -> [ServerPage.Part] {
    let now = clock()
    let known: BotIssues?
    if let number {
      known = try read { () throws(IntegratingError) in
        try stored.issues(of: overview.name, knownTo: number, at: now)
      }
    } else {
      known = try issues(of: overview, branch: overview.states.main.branch)
    }
    let open = (known?.branches ?? []).flatMap(\.all)
      .filter { $0.record.isOpen && $0.issue.kind.canBeSilenced && (id == nil || $0.issue.id == id) }.map(\.issue)
    guard !open.isEmpty else {
      return id == nil ? [] : ["<p>This issue cannot be silenced: it is gone, or always counts.</p>\n"]
    }
    var parts: [ServerPage.Part] = ["<h2>Issues</h2>\n<table class=flat>\n"]
    for issue in open.prefix(Self.issueCount) {
      parts += ["<tr><th scope=row>", .text(issue.id), "<td>"]
      let message = issue.message.prefix { $0 != "\n" }.prefix(200)
      parts += [.text(VisibleText.of("\(issue.test.map { "\($0): " } ?? "")\(message)")), "<td>"]
      let address = "\(place)/issues/\(SiteAddress.encoded(issue.id))"
      if let silence = issue.silence {
        parts += [.text(VisibleText.of(IssueWords.sentence(of: silence)))]
        parts += Self.button("Unsilence", to: "\(address)/unsilence")
      } else {
        parts += Self.silenceForm(to: "\(address)/silence")
      }
    }
    return parts + ["</table>\n"]
  }

  private static func silenceForm(to address: String) -> [ServerPage.Part] {
    [
      "<form method=post action=\"", .text(address),
      "\"><label>Reason <input name=reason required></label> <select name=for aria-label=\"How long\">",
      "<option value=streak>until resolved<option value=integration>for this commit only<option value=ever>permanently",
      "</select> <button class=quiet>Silence</button></form>\n",
    ]
  }

  private static func button(_ words: String, to address: String) -> [ServerPage.Part] {
    [
      "<form method=post action=\"", .text(address), "\"><button class=quiet>", .text(words),
      "</button></form>\n",
    ]
  }
}
