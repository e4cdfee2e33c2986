import Model
import Rendering

/// All that can be asked for beside the pages.
enum Endpoints {
  /// All of them, by what they are about.
  static let all: [Endpoint] = bots + integrations + orders + machines + feeds + people

  /// How many elements a page of a list has unless said, and at most.
  static let (usualLimit, mostLimit) = (50, 500)
  static let mostNumber = 2_147_483_647

  static let bot = Endpoint.Parameter(
    name: "bot", place: .path, kind: .text, isRequired: true, summary: "The name of a bot")
  static let number = Endpoint.Parameter(
    name: "number", place: .path, kind: .number(most: mostNumber), isRequired: true,
    summary: "The number of an integration")
  static let issue = Endpoint.Parameter(
    name: "issue", place: .path, kind: .text, isRequired: true, summary: "The whole id of an issue")
  static let limit = Endpoint.Parameter(
    name: "limit", kind: .number(most: mostLimit), summary: "At most this many (default: \(usualLimit))")
  static let before = Endpoint.Parameter(
    name: "before", kind: .number(most: mostNumber), summary: "Only those before this number, such as 'next' of a page")
  static let branch = Endpoint.Parameter(name: "branch", kind: .text, summary: "Only those of a branch")

  private static let bots: [Endpoint] = [
    Endpoint(
      path: "/api/v1/bots", name: "listBots", summary: "The bots by name, each with its state",
      parameters: [
        limit, .init(name: "after", kind: .text, summary: "Only those after this name, such as 'next' of a page"),
      ],
      answer: .json(ListAnswer<BotAnswer>.schema("bots", of: .named("Bot"), next: .text)), body: SiteServer.bots),
    Endpoint(
      path: "/api/v1/bots/{bot}", name: "getBot", summary: "One bot, with its state", parameters: [bot],
      answer: .json(.named("Bot")), body: SiteServer.bot),
    Endpoint(
      path: "/api/v1/bots/{bot}/branches", name: "listBranches",
      summary: "The branches of a bot with their states, the default one first", parameters: [bot],
      answer: .json(ListAnswer<BranchAnswer>.schema("branches", of: .named("Branch"), next: nil)),
      body: SiteServer.branches),
    Endpoint(
      path: "/api/v1/bots/{bot}/integrations", name: "listIntegrations",
      summary:
        "The finished integrations of a bot, newest first; a page may have fewer than asked for and a 'next'",
      parameters: [
        bot, limit, before, branch,
        .init(
          name: "outcome", kind: .choice(Outcome.allCases.map(\.rawValue)), summary: "Only those that ended so"),
      ],
      answer: .json(ListAnswer<LineAnswer>.schema("integrations", of: .named("IntegrationLine"), next: .integer)),
      body: SiteServer.integrations),
    Endpoint(
      path: "/api/v1/bots/{bot}/trends", name: "listFigures",
      summary: "The data of a bot's charts, newest first", parameters: [bot, limit, before, branch],
      answer: .json(ListAnswer<FiguresAnswer>.schema("figures", of: .named("Figures"), next: .integer)),
      body: SiteServer.figures),
    Endpoint(
      path: "/api/v1/bots/{bot}/tests", name: "listTestHistory",
      summary: "The results of one test in a bot's integrations, newest first",
      parameters: [
        bot, .init(name: "test", kind: .text, isRequired: true, summary: "The full name, as in integration.json"),
        limit, before, branch,
      ], answer: .json(ListAnswer<PastTestAnswer>.schema("history", of: .named("PastTest"), next: .integer)),
      body: SiteServer.testHistory),
    Endpoint(
      path: "/api/v1/bots/{bot}/issues", name: "getIssues",
      summary: "The issues of a branch, as of its newest integration that knows them",
      parameters: [bot, .init(name: "branch", kind: .text, summary: "A branch (default: the bot's default branch)")],
      answer: .json(.named("BotIssues")), body: SiteServer.issues),
  ]

  private static let integrations: [Endpoint] = [
    Endpoint(
      path: "/api/v1/bots/{bot}/integrations/{number}", name: "getIntegration",
      summary: "The document of an integration, integration.json", parameters: [bot, number],
      answer: .json(.named("Integration")), body: SiteServer.document),
    Endpoint(
      path: "/api/v1/bots/{bot}/integrations/{number}/tests", name: "listTests",
      summary: "The tests of an integration with their failures, by name",
      parameters: [
        bot, number, limit,
        .init(name: "after", kind: .text, summary: "Only those after this name, such as 'next' of a page"),
        .init(name: "state", kind: .choice(TestState.allCases.map(\.rawValue)), summary: "Only those that ended so"),
      ], answer: .json(ListAnswer<IntegrationRecord.Case>.schema("tests", of: .named("Test"), next: .text)),
      body: SiteServer.tests),
    Endpoint(
      path: "/api/v1/bots/{bot}/integrations/{number}/files", name: "listFiles",
      summary: "The files of an integration: documents, logs, attachments, products", parameters: [bot, number],
      answer: .json(ListAnswer<FileAnswer>.schema("files", of: .named("File"), next: nil)), body: SiteServer.files),
    Endpoint(
      path: "/api/v1/bots/{bot}/integrations/{number}/file", name: "getFile",
      summary: "One of the files of an integration, with ranges",
      parameters: [
        bot, number, .init(name: "path", kind: .text, isRequired: true, summary: "As the list of files has it"),
      ],
      answer: .file, body: SiteServer.file),
    Endpoint(
      path: "/log/{bot}/{number}/{step}", name: "followLog",
      summary: "The output of a step, live until the integration ends",
      parameters: [
        bot, number,
        .init(
          name: "step", place: .path, kind: .choice(Step.allCases.map(\.rawValue)), isRequired: true,
          summary: "A step of an integration"),
        .init(name: "from", kind: .number(most: mostNumber), summary: "Only what comes behind so many bytes"),
      ], answer: .text(type: ContentType.plainText), scope: .log, body: SiteServer.log),
  ]

  private static let orders: [Endpoint] =
    [
      order(
        .integrate, "Integrate the branches of a bot as they are now, or a revision",
        [.init(name: "commit", kind: .text, summary: "A revision, in any way that git understands")]),
      order(.cancel, name: "cancelWaiting", "Cancel the queue of a bot"),
      order(.rerun, "Integrate the same commit again", [number]),
      order(.cancel, "Cancel an integration that runs", [number]),
      order(.pin, "Keep an integration whatever the bot's 'keep' says", [number]),
      order(.unpin, "Let a pinned integration expire like the others", [number]),
      Endpoint(
        method: .post, path: "/api/v1/bots/{bot}/issues/{issue}/silence", name: "silence",
        summary: "Keep an issue from counting from the next integration on",
        parameters: [
          bot, issue,
          .init(
            name: "reason", kind: .sentence(most: SiteServer.longestReason), isRequired: true,
            summary: "Why it need not count"),
          .init(
            name: "for", kind: .choice(Silence.Scope.allCases.map(\.rawValue)),
            summary: "How long (default: streak, until the issue is gone)"),
        ], answer: .json(.named("Order")), scope: .ask, body: SiteServer.silence),
      Endpoint(
        method: .post, path: "/api/v1/bots/{bot}/issues/{issue}/unsilence", name: "unsilence",
        summary: "Let a silenced issue count again", parameters: [bot, issue], answer: .json(.named("Order")),
        scope: .ask,
        body: SiteServer.unsilence),
      Endpoint(
        method: .post, path: "/hooks/{bot}", name: "takeHook",
        summary: "Check a bot's repository now; for webhooks of GitHub, GitLab, Forgejo and Gitea", parameters: [bot],
        answer: .json(.named("Order")), scope: nil, body: SiteServer.hook),
    ]

  /// Something that the watcher is asked to do, with a bot or with one of its integrations.
  private static func order(
    _ verb: ControlRequest.Verb, name: String? = nil, _ summary: String, _ parameters: [Endpoint.Parameter] = []
  ) -> Endpoint {
    let place = parameters.contains { $0.place == .path } ? "/integrations/{number}" : ""
    return Endpoint(
      method: .post, path: "/api/v1/bots/{bot}\(place)/\(verb.rawValue)", name: name ?? verb.rawValue, summary: summary,
      parameters: [bot] + parameters, answer: .json(.named("Order")), scope: .ask,
      body: { server in { call throws(Problem) in try server.order(verb, call) } })
  }

  private static let machines: [Endpoint] = [
    Endpoint(
      path: "/api/v1/queue", name: "getQueue", summary: "What runs, what waits, and whether a watcher runs",
      parameters: [], answer: .json(.named("Queue")), body: SiteServer.queue),
    Endpoint(
      path: "/events", name: "followEvents",
      summary: "The queue and new pages as server-sent events", parameters: [],
      answer: .text(type: "text/event-stream"), body: SiteServer.events),
    Endpoint(
      path: "/api/v1/openapi.json", name: "getDescription", summary: "This description, for programs", parameters: [],
      answer: .json(.open("An OpenAPI document", [])), body: SiteServer.description),
    Endpoint(
      path: "/healthz", name: "getHealth", summary: "Whether the server can read its index", parameters: [],
      answer: .json(.named("Health")), body: SiteServer.health),
    Endpoint(
      path: "/metrics", name: "getMetrics", summary: "Metrics for Prometheus", parameters: [],
      answer: .text(type: SiteServer.metricsType), body: SiteServer.metrics),
  ]

  private static let feeds: [Endpoint] = [
    Endpoint(
      path: "/feed.atom", name: "getFeed", summary: "The newest integrations of all bots, for feed readers",
      parameters: [], answer: .text(type: SiteServer.feedType),
      body: SiteServer.feed),
    Endpoint(
      path: "/feed/{bot}.atom", name: "getBotFeed", summary: "The newest integrations of a bot, for feed readers",
      parameters: [bot], answer: .text(type: SiteServer.feedType),
      body: SiteServer.botFeed),
    Endpoint(
      path: "/cc.xml", name: "getProjects", summary: "The state of the bots, for build lights and menu-bar programs",
      parameters: [], answer: .text(type: "application/xml"),
      body: SiteServer.projects),
    badge(
      "/badge/{bot}.svg", name: "getBadge", "A badge with the state of a bot or one of its branches",
      .init(name: "branch", kind: .text, summary: "A branch (default: the bot's default branch)")),
    badge(
      "/badge/{bot}/{branch}.svg", name: "getBranchBadge", "A badge with the state of a branch; a / in its name is %2F",
      .init(name: "branch", place: .path, kind: .text, isRequired: true, summary: "The name of the branch")),
  ]

  private static func badge(
    _ path: String, name: String, _ summary: String, _ branch: Endpoint.Parameter
  ) -> Endpoint {
    Endpoint(
      path: path, name: name, summary: summary,
      parameters: [
        bot, branch,
        .init(name: "destination", kind: .text, summary: "One destination (default: all)"),
        .init(
          name: "subject", kind: .choice(BadgeSubject.allCases.map(\.rawValue)),
          summary: "What the badge tells (default: outcome)"),
      ], answer: .text(type: "image/svg+xml"), body: SiteServer.badge)
  }

  /// What people open in a browser beside the pages on the disk.
  private static let people: [Endpoint] = [
    Endpoint(
      path: "/wall", name: "showWall", summary: "All bots, for a screen on a wall", parameters: [], answer: .page,
      body: SiteServer.wall),
    Endpoint(
      path: "/actions/{bot}", name: "showActions", summary: "What a bot can be asked to do, as forms",
      parameters: [
        bot,
        .init(name: "integration", kind: .number(most: mostNumber), summary: "Only what is about this integration"),
        .init(name: "issue", kind: .text, summary: "Only what is about this issue"),
      ], answer: .page, scope: .ask, body: SiteServer.actionsPage),
    Endpoint(
      path: "/login", name: "showLogin", summary: "The form to log in, or who is logged in", parameters: [next],
      answer: .page, body: SiteServer.loginPage),
    Endpoint(
      method: .post, path: "/login", name: "logIn", summary: "Begin a session in a browser with a token",
      parameters: [
        .init(name: "token", place: .form, kind: .text, isRequired: true, summary: "Of 'martlet tokens new'"),
        .init(name: "next", place: .form, kind: .text, summary: next.summary),
      ], answer: .redirect, body: SiteServer.logIn),
    Endpoint(
      method: .post, path: "/logout", name: "logOut", summary: "End the session of a browser", parameters: [],
      answer: .redirect, body: SiteServer.logOut),
  ]

  private static let next = Endpoint.Parameter(
    name: "next", kind: .text, summary: "The path to go on to (default: /)")
}

extension Endpoints {
  /// The forms that have names.
  static let schemas: [String: AnswerSchema] = [
    "Order": OrderAnswer.schema, "Queued": QueuedAnswer.schema,
    "Outcome": .choice(Outcome.allCases.map(\.rawValue)), "TestState": .choice(TestState.allCases.map(\.rawValue)),
    "Bot": BotAnswer.schema, "Branch": BranchAnswer.schema, "IntegrationLine": LineAnswer.schema,
    "TestCounts": CountsAnswer.schema, "Figures": FiguresAnswer.schema, "PastTest": PastTestAnswer.schema,
    "Queue": QueueAnswer.schema, "QueueEntry": QueueAnswer.Entry.schema, "File": FileAnswer.schema,
    "LineCounts": .object([
      .init("total", .integer), .init("covered", .integer, "The partly covered ones included"),
      .init("partial", .integer),
    ]),
    "Health": .object([.init("status", .choice(["ok"])), .init("version", .text), .init("isWatching", .flag)]),
    "Integration": .open(
      "The document martlet.integration/1; readers ignore members that they do not know",
      [
        .init("schema", .text), .init("bot", .text), .init("number", .integer), .init("outcome", .named("Outcome")),
        .init("reasons", .list(.text)), .init("startedAt", .date), .init("endedAt", .date),
        .init("tests", .open("The counts and every case", [.init("listed", .integer)])),
        .init("issues", .list(.named("Issue"))),
      ]),
    "Test": .open(
      "One listed test, as in martlet.integration/1",
      [.init("id", .text), .init("library", .text), .init("state", .named("TestState")), .init("duration", .number)]),
    "Issue": .open(
      "One issue, as in martlet.integration/1",
      [
        .init("id", .text), .init("kind", .text), .init("status", .text), .init("message", .text),
        .init("age", .integer),
      ]),
    "BotIssues": .object([
      .init("schema", .text), .init("bot", .text),
      .init(
        "branches",
        .list(
          .object([
            .maybe("branch", .text), .init("integration", .integer), .init("commit", .text),
            .init("issues", .list(.named("Issue"))),
          ])), "One branch, or none where it has no conclusive integration that is kept"),
    ]),
  ]
}
