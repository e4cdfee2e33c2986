import Integrating
import Model
import Rendering

extension SiteServer {
  /// How many of the newest integrations the page has rows for.
  private static let rowCount = 20
  /// How many issues it has rows for.
  private static let issueCount = 100

  /// The page from which a person has the watcher do something with a bot.
  func actionsPage(of bot: String, _ viewer: Viewer) throws(Problem) -> HTTPAnswer {
    try require(.ask, bot, viewer)
    let overview = try overview(of: bot)
    let place = "/api/v1/bots/\(SiteAddress.encoded(bot))"
    let running = Set(running.filter { $0.bot == bot }.compactMap(\.number))
    var parts: [ServerPage.Part] = [
      "<form method=post action=\"", .text("\(place)/integrate"),
      "\">\n<p><label>Revision <input name=commit placeholder=\"newest of each branch\"></label> ",
      "<button class=quiet>Integrate</button></p>\n</form>\n",
    ]
    parts += Self.button("Cancel what waits", to: "\(place)/cancel")
    for number in running.sorted() {
      parts += Self.button("Cancel \(number)", to: "\(place)/integrations/\(number)/cancel")
    }
    parts += ["<table class=flat>\n"]
    for line in overview.newestLines.prefix(Self.rowCount) {
      let integration = "\(place)/integrations/\(line.number)"
      parts += ["<tr><th scope=row><a href=\"", .text("/\(SiteAddress.encoded(bot))/\(line.number)/index.html"), "\">"]
      parts += [.text("\(line.number)"), "</a><td>", .text(line.lowercasedOutcome), "<td>"]
      parts += [.text(VisibleText.of(line.subject.split(separator: "\n").first.map(String.init) ?? ""))]
      for (word, verb) in [("Rerun", "rerun"), ("Pin", "pin"), ("Unpin", "unpin")] {
        parts += ["<td>"] + Self.button(word, to: "\(integration)/\(verb)")
      }
      parts += ["\n"]
    }
    parts += ["</table>\n"]
    return ServerPage.answer(title: VisibleText.of(bot), parts + (try issueForms(overview, place)))
  }

  /// The issues of the default branch that may be kept from counting.
  private func issueForms(_ overview: BotOverview, _ place: String) throws(Problem) -> [ServerPage.Part] {
    let issues = try issues(of: overview, branch: overview.states.main.branch)
    let open = (issues?.branches ?? []).flatMap(\.issues)
      .filter { $0.record.isOpen && $0.issue.kind.canBeSilenced }.map(\.issue)
    guard !open.isEmpty else { return [] }
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
