import Model

/// The history of a package that is red from the beginning, but not for the destination that leads.
///
/// All that is read of it is read at once: its folder, in which much is built already, is that of the next test, too.
struct RedBesideStory {
  static let told = Result { try RedBesideStory() }

  let begin: Integrated
  /// What `martlet issues` printed then.
  let listed: String
  /// With the issue silenced.
  let silenced: Integrated
  /// The exit statuses of silencing it, and of letting it count again.
  let silencing: [Int32?]
  /// With a toolchain for the leading destination that builds nothing.
  let stopped: Integrated
  /// The same, where what is red spares the other destinations.
  let spared: Integrated
  /// With another destination in the lead, and the first toolchain again.
  let reordered: Integrated

  private init() throws {
    let suite = try Integrations.DestinationTests()
    let repository = try GitFolder(Integrations.DestinationTests.uncontained, in: suite.scratch)
    try repository.commit("Begin", Integrations.DestinationTests.files)
    var bot = suite.uncontainedBot(repository)
    var (first, newer, idle) = (Destination(), Destination(), Destination())
    (first.name, newer.name, newer.arguments) = ("first", "newer", ["-Xswiftc", "-DNEWER"])
    (idle.name, idle.when) = ("idle", .idle)
    bot.destinations = Destinations([first, newer, idle])
    begin = try suite.carryOut(1, bot, repository)
    listed = try suite.program.run("issues", bot.name).output

    let id = begin.document.issues.first?.id ?? "none"
    let silence = try suite.program.run("silence", id, "--bot", bot.name, "--reason", "known")
    try repository.commit("Go on", ["README": "More.\n"])
    silenced = try suite.carryOut(2, bot, repository)
    silencing = [silence.status, try suite.program.run("unsilence", id).status]

    first.toolchain = try suite.toolchain(isNewer: false, name: "broken", isBroken: true)
    bot.destinations = Destinations([first, newer, idle])
    stopped = try suite.carryOut(3, bot, repository)
    bot.destinations?.stopsEarly = true
    spared = try suite.carryOut(5, bot, repository)

    first.toolchain = nil
    bot.destinations = Destinations([newer, first, idle])
    try repository.commit("Go further", ["README": "Even more.\n"])
    reordered = try suite.carryOut(6, bot, repository)
  }
}
