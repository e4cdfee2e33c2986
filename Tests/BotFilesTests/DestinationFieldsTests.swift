import Model
import Testing

@Suite("Destinations in a bot's file")
struct DestinationFieldsTests {
  private func destinations(_ text: String) throws -> Destinations? { try Reading.bot(saying: text).destinations }

  @Test("A list says what differs from the bot")
  func list() throws {
    let all = try #require(
      try destinations(
        "destinations: [{}, {name: fast, configuration: release, arguments: [-v]}, {sanitize: thread, required: false, when: idle, environment: {A: \"1\"}}, {sanitize: none, build-system: swiftbuild, traits: [Logging]}, {toolchain: /opt/swift-6.4}]"
      ))
    #expect(
      all.all.map(\.name) == ["default", "fast", "thread+A=1", "swiftbuild+Logging", "swift-6.4"])
    #expect(all.all[1].configuration == "release")
    #expect(all.all[1].arguments == ["-v"])
    #expect(all.all[2].sanitize == [.thread])
    #expect(!all.all[2].isRequired)
    #expect(all.all[2].when == .idle)
    #expect(all.all[3].sanitize == [])
    #expect(!all.stopsEarly)
    #expect(all.all.allSatisfy { $0.gates == nil })
    #expect(try destinations("notes: true") == nil)
  }

  @Test("One that does not lead has gates of its own")
  func gates() throws {
    let all = try destinations("destinations: [{}, {configuration: release, gates: [{patch: 80}, ratchet]}]")?.all
    #expect(all?.last?.gates == [.patch(atLeast: 80), .ratchet])
    #expect(all?.last?.name == "release")
  }

  @Test("Axes are combined")
  func axes() throws {
    let all = try #require(
      try destinations(
        "destinations: {axes: {toolchain: [default, /opt/next], configuration: [debug, release], sanitize: [none, thread]}, exclude: [{sanitize: thread, configuration: release}], stop-early: true}"
      ))
    #expect(
      all.all.map(\.name) == ["debug", "debug+thread", "release", "next+debug", "next+debug+thread", "next+release"])
    #expect(all.stopsEarly)
    let cells = try #require(
      try destinations("destinations: {cells: [{}, {configuration: release}], stop-early: true}"))
    #expect(cells.all.count == 2)
    #expect(cells.coverage == .first)
    let merged = try #require(
      try destinations(
        "destinations: {cells: [{}, {name: idle, when: idle}, {name: new, required: false}], coverage: merged}"))
    #expect(merged.all.map(merged.measures) == [true, false, false])
    #expect(cells.all.map(cells.measures) == [true, false])
    let named = try #require(
      try destinations("destinations: {cells: [{}, {configuration: release, required: false}], coverage: release}"))
    #expect(named.all.map(named.measures) == [false, true])
    #expect(!named.allowMutants)
    #expect(try destinations("destinations: {cells: [{name: a}, {name: b}], coverage: a}")?.coverage == .first)
  }

  @Test(
    "What cannot be used is told at its place",
    arguments: [
      ("destinations: []", "2:15: 'destinations': there should be at least one"),
      (
        "destinations: [{required: false}]",
        "2:15: 'destinations': the first leads the report, so it is required and built for every commit"
      ),
      (
        "destinations: [{gates: [ratchet]}, {configuration: release}]",
        "2:15: 'destinations': the gates of the first are those of 'coverage'; leave out its own 'gates'"
      ),
      (
        "destinations: [{}, {configuration: release, gates: [no-unchecked-changes]}]",
        "2:15: 'destinations': functions are tried without their bodies for the first only; leave no-unchecked-changes out of the 'gates' of 'release'"
      ),
      (
        "destinations: [{}, {configuration: release, gates: [ratchet]}]\ncoverage: off",
        "3:1: the 'gates' of a destination judge coverage, and 'coverage: off' measures none; leave out one of the two"
      ),
      ("destinations: [{}, {}]", "2:15: 'destinations': two are called 'default'; give one another 'name'"),
      (
        "destinations: [{sanitize: memory}]",
        "2:27: 'sanitize' should be one of none, address, thread, not 'memory'"
      ),
      (
        "destinations: {axes: {configuration: [debug]}}",
        "2:22: 'axes' should name at least two values, such as {configuration: [debug, release], sanitize: [none, thread]}"
      ),
      (
        "destinations: {stop-early: true}",
        "2:15: 'destinations' needs either 'cells', such as [{}, {sanitize: thread}], or 'axes', such as {configuration: [debug, release], sanitize: [none, thread]}"
      ),
      (
        "destinations: {cells: [{}, {sanitize: thread}], coverage: all}",
        "2:15: 'destinations': none that is built for every commit is called 'all'; 'coverage' should be first, merged or the name of one"
      ),
      (
        "destinations: {cells: [{}, {sanitize: thread}], coverage: merged}\ncoverage: {gates: [no-unchecked-changes]}",
        "2:1: functions are tried without their bodies in what the first of 'destinations' builds, so 'mutants' and the gate no-unchecked-changes need its coverage: leave them out, or write coverage: first"
      ),
      (
        "destinations: {cells: [{}], exclude: [{configuration: release}]}",
        "2:15: 'exclude' goes with 'axes'; take the destination out of 'cells'"
      ),
      (
        "destinations: [{arguments: [--build-system]}]",
        "2:29: '--build-system' is what 'build-system' says; write it there"
      ),
      (
        "destinations: [{traits: [\"a b\"]}]",
        "2:26: each of 'traits' should be the name of a trait such as Logging, not 'a b'"
      ),
    ])
  func problems(_ text: String, _ message: String) {
    #expect(Reading.messages(saying: text) == [message])
  }
}
