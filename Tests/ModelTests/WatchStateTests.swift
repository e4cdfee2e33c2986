import FoundationEssentials
import Model
import Testing

@Suite("What a watcher is doing")
struct WatchStateTests {
  private func entry(_ bot: String) -> WatchState.Entry {
    WatchState.Entry(
      bot: bot, branch: "main", commit: CommitID(rawValue: "abc"), cause: .commit,
      since: Date(timeIntervalSince1970: 0))
  }

  private var state: WatchState {
    WatchState(
      asOf: Date(timeIntervalSince1970: 0),
      bots: ["a", "b"].map { WatchState.BotState(name: $0, repository: "/r", file: "\($0).yml") },
      running: [entry("a")], waiting: [entry("b"), entry("a")], unlisted: ["a": 2, "b": 1])
  }

  @Test("A renamed bot has its new name wherever it stands")
  func rename() {
    var state = state
    state.rename("a", to: "c")
    #expect(state.bots.map(\.name) == ["c", "b"] && state.bots.map(\.file) == ["c.yml", "b.yml"])
    #expect(state.running.map(\.bot) == ["c"] && state.waiting.map(\.bot) == ["b", "c"])
    #expect(state.unlisted == ["c": 2, "b": 1])
  }

  @Test("A removed bot runs and waits no more")
  func remove() {
    var state = state
    state.remove("a")
    #expect(state.bots.map(\.name) == ["b"])
    #expect(state.running.isEmpty && state.waiting.map(\.bot) == ["b"])
    #expect(state.unlisted == ["b": 1])
  }
}
