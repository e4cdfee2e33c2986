import Foundation
import Model
import Testing

@Suite("Destinations")
struct DestinationTests {
  private func destination(_ name: String, _ change: (inout Destination) -> Void = { _ in }) -> Destination {
    var destination = Destination()
    change(&destination)
    destination.name = name
    return destination
  }

  @Test("Axes are combined, the last one fastest, but for what is left out")
  func axes() {
    var axes = Destinations.Axes()
    axes.toolchains = [nil, "/opt/swift-6.4/usr/bin"]
    axes.configurations = ["debug", "release"]
    axes.sanitizers = [nil, .thread]
    var left = Destination()
    (left.configuration, left.sanitize) = ("release", [.thread])
    let all = Destinations(axes: axes, excluding: [left])
    #expect(axes.count == 8)
    #expect(
      all.all.map(\.name) == [
        "debug", "debug+thread", "release", "swift-6.4+debug", "swift-6.4+debug+thread", "swift-6.4+release",
      ])
    #expect(all.all[3].toolchain == "/opt/swift-6.4/usr/bin")
    #expect(all.all[0].sanitize == [])
    #expect(all.problem == nil)
  }

  @Test("What is the same for all is in no name")
  func shortNames() {
    var axes = Destinations.Axes()
    (axes.configurations, axes.buildSystems, axes.toolchains) = (["debug", "release"], [.swiftbuild], ["/opt/next"])
    let all = Destinations(axes: axes).all
    #expect(all.map(\.name) == ["debug", "release"])
    #expect(all.allSatisfy { $0.buildSystem == .swiftbuild && $0.toolchain == "/opt/next" })
  }

  @Test("One that nobody named is called by what it says")
  func names() {
    #expect(Destination().ownWords == "default")
    #expect(destination("") { $0.traits = ["A", "B"] }.ownWords == "A,B")
    #expect(destination("") { $0.traits = [] }.ownWords == "no traits")
    #expect(
      destination("") { ($0.buildSystem, $0.arguments) = (.swiftbuild, ["-Xcc", "-O3"]) }.ownWords
        == "swiftbuild+-Xcc -O3")
    #expect(destination("") { $0.environment = ["B": "2", "A": "1"] }.ownWords == "A=1 B=2")
  }

  @Test("The first leads, so that it is required and built each time; and no two have one name")
  func problems() {
    let leads = "the first leads the report, so it is required and built for every commit"
    #expect(Destinations([]).problem == "there should be at least one")
    #expect(Destinations([destination("a") { $0.isRequired = false }]).problem == leads)
    #expect(Destinations([destination("a") { $0.when = .idle }]).problem == leads)
    #expect(
      Destinations([destination("a"), destination("a")]).problem == "two are called 'a'; give one another 'name'")
  }

  @Test("Traits are arguments of the build")
  func traits() {
    #expect(destination("") { $0.traits = ["A", "B"] }.buildArguments == ["--traits", "A,B"])
    #expect(
      destination("") { ($0.traits, $0.arguments) = ([], ["-v"]) }.buildArguments == ["--disable-default-traits", "-v"])
  }

  /// A document with these destinations, the first one leading; the arguments tell how each is built.
  private func document(_ results: [(name: String, arguments: String, outcome: Outcome?)]) -> IntegrationRecord {
    func record(_ index: Int) -> IntegrationRecord {
      let (name, arguments, outcome) = results[index]
      var integration = Integration(
        bot: "Shop", number: 2, repository: "/srv/git/Shop.git", branch: "main",
        commit: Commit(id: CommitID(rawValue: "a"), summary: "Sell", author: "mira", date: .distantPast),
        cause: .commit, toolchain: "", configuration: "debug", sandbox: "off", queuedAt: .distantPast,
        repeatCommand: "")
      integration.circumstances = [Circumstance("arguments", arguments)]
      integration.destination = DestinationResult(
        destination(name) { $0.isRequired = name != "optional" }, leads: index == 0, outcome: outcome)
      return IntegrationRecord(integration) { _ in "" }
    }
    var whole = record(0)
    whole.cells = results.indices.dropFirst().map(record)
    return whole
  }

  @Test("A destination that is gone had the name of one that is built as it was, if it is the only one")
  func renamed() {
    let before = document([
      ("default", "", .succeeded), ("tr", "-DX", .testFailures), ("release", "-O", .succeeded),
      ("other", "-O", .succeeded),
    ])
    func former(_ arguments: String, besides names: Set<String>) -> String? {
      before.destination(besides: names) { $0.circumstances == [Circumstance("arguments", arguments)] }
    }
    #expect(former("-DX", besides: ["default", "xtra", "release", "other"]) == "tr")
    #expect(former("-DX", besides: ["default", "xtra", "tr"]) == nil, "It is still there.")
    #expect(former("-DY", besides: ["default", "xtra"]) == nil)
    #expect(former("-O", besides: ["default", "xtra"]) == nil, "Which of two it was is not guessed.")
  }

  @Test("The outcomes that count are those of the required destinations that were built for")
  func requiredOutcomes() {
    let whole = document([
      ("default", "", .succeeded), ("tr", "", .testFailures), ("optional", "", .testFailures), ("idle", "", nil),
    ])
    #expect(whole.requiredOutcomes == ["default": .succeeded, "tr": .testFailures])
  }
}
