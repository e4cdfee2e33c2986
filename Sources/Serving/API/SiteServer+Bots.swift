import Integrating
import Model
import Storing

extension SiteServer {
  func bots(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let all = try read { () throws(IntegratingError) in try overviews.all(where: sees(call.viewer)) }
    let rest = all.drop { overview in call.optionalText("after").map { overview.name <= $0 } ?? false }
    let page = rest.prefix(call.number("limit") ?? Endpoints.usualLimit)
    let next = page.count < rest.count ? page.last.map { ListAnswer<BotAnswer>.NextPage.text($0.name) } : nil
    return json(ListAnswer(key: "bots", elements: page.map { BotAnswer($0) }, next: next))
  }

  func bot(_ call: EndpointCall) throws(Problem) -> HTTPAnswer { json(BotAnswer(try overview(call))) }

  func branches(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let states = try overview(call).states
    let branches =
      [BranchAnswer(states.main, isDefault: true)] + states.others.map { BranchAnswer($0, isDefault: false) }
    return json(ListAnswer(key: "branches", elements: branches, next: nil))
  }

  func integrations(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bot = try overview(call).name
    let page = try lines(of: bot, call)
    return json(
      ListAnswer(
        key: "integrations", elements: page.lines.map { LineAnswer($0, of: bot) }, next: page.next.map { .number($0) }))
  }

  func figures(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let page = try lines(of: try overview(call).name, call)
    return json(
      ListAnswer(key: "figures", elements: page.lines.map(FiguresAnswer.init), next: page.next.map { .number($0) }))
  }

  func testHistory(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let bot = try overview(call).name
    // What is no name of a test never ran.
    let test = TestID(call.text("test"))
    let page = try test.map { test throws(Problem) in
      try ask { store throws(StoringError) in try store.history(of: test, in: bot, Self.selection(call)) }
    }
    return json(
      ListAnswer(
        key: "history", elements: (page?.lines ?? []).map(PastTestAnswer.init), next: (page?.next).map { .number($0) }))
  }

  func issues(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let overview = try overview(call)
    let issues = try issues(of: overview, branch: call.optionalText("branch") ?? overview.states.main.branch)
    return json(IssuesDocument(issues ?? BotIssues(bot: overview.name, branches: [])))
  }

  /// The issues of a branch as its newest integration that knows them has them; nil where none is kept that is near.
  func issues(of overview: BotOverview, branch: String?) throws(Problem) -> BotIssues? {
    var selection = PastSelection(branch: branch, limit: 20)
    let now = clock()
    var later: Int?
    // As far back as one answer may look.
    for _ in 0..<5 {
      let page = try ask { store throws(StoringError) in try store.lines(of: overview.name, selection) }
      for line in page.lines where line.branch == branch && line.uncommitted != true {
        guard line.outcome.isConclusive else {
          if later == nil, line.knowsIssues { later = line.number }
          continue
        }
        let issues = try read { [later] () throws(IntegratingError) in
          try stored.issues(of: overview.name, knownTo: line.number, later: later, at: now)
        }
        if let issues { return issues }
      }
      guard let next = page.next else { break }
      selection.before = next
    }
    return nil
  }

  /// The bot that a request names.
  func overview(_ call: EndpointCall) throws(Problem) -> BotOverview { try overview(of: call.text("bot")) }

  func overview(of name: String) throws(Problem) -> BotOverview {
    guard let found = try read({ () throws(IntegratingError) in try overviews.overview(of: name) }) else {
      throw Self.noBot
    }
    return found
  }

  private func lines(of bot: String, _ call: EndpointCall) throws(Problem) -> PastPage<HistoryLine> {
    try ask { store throws(StoringError) in try store.lines(of: bot, Self.selection(call)) }
  }

  private static func selection(_ call: EndpointCall) -> PastSelection {
    PastSelection(
      before: call.number("before"), branch: call.optionalText("branch"),
      outcome: call.optionalText("outcome").flatMap(Outcome.init),
      limit: call.number("limit") ?? Endpoints.usualLimit)
  }
}
