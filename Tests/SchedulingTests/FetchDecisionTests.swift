import Scheduling
import Testing

@Suite("When repositories that lie elsewhere are fetched")
struct FetchDecisionTests {
  private func ended(_ failures: Int, every interval: Double? = 300, at now: Double = 0) -> FetchState {
    var state = FetchState(interval: interval, isAsked: true)
    for _ in 0..<max(1, failures) {
      state.start()
      state.end(failed: failures > 0, at: now)
    }
    return state
  }

  @Test("One that nobody has fetched yet is due at once, unless only a person decides")
  func first() {
    #expect(FetchState(interval: 300, isAsked: true).dueTime == -.infinity)
    #expect(FetchState(interval: nil, isAsked: true).dueTime == -.infinity)
    #expect(FetchState(interval: nil, isAsked: false).dueTime == nil)
  }

  @Test("After a fetch the interval counts from its end; without one somebody has to ask")
  func interval() {
    #expect(ended(0, at: 100).dueTime == 400)
    var state = ended(0, every: nil)
    #expect(state.dueTime == nil)
    state.ask()
    #expect(state.dueTime == -.infinity)
  }

  @Test("The pauses after failures grow to an hour, whatever the interval, and a success ends them")
  func pauses() {
    let pauses = (1...9).map { ended($0, every: $0.isMultiple(of: 2) ? 30 : nil).dueTime }
    #expect(pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    var state = ended(5)
    state.start()
    state.end(failed: false, at: 50)
    #expect(state.failures == 0)
    #expect(state.dueTime == 350)
  }

  @Test("Who asks does not wait for a pause, and while it is fetched the asker gets a fetch of his own")
  func asked() {
    var state = ended(7)
    state.ask()
    #expect(state.dueTime == -.infinity)
    state.start()
    #expect(state.dueTime == nil)
    state.ask()
    #expect(state.dueTime == nil)
    state.end(failed: false, at: 10)
    #expect(state.dueTime == -.infinity)
  }

  private func candidates(_ count: Int, host: String, _ state: FetchState) -> [FetchDecision.Candidate] {
    (0..<count).map { FetchDecision.Candidate(name: "\(host)\($0)", host: host, state: state) }
  }

  @Test("A machine that hangs takes two places and leaves the others to the rest")
  func hangs() {
    var running = FetchState(interval: 300, isAsked: true)
    running.start()
    let due = FetchState(interval: 300, isAsked: true)
    let hanging = candidates(2, host: "a", running)
    let waiting = [FetchDecision.Candidate(name: "a9", host: "a", state: due)]
    let decision = FetchDecision(hanging + waiting + candidates(3, host: "b", due), now: 0)
    #expect(decision.starting == ["b0", "b1"])
  }

  @Test("Eight are fetched at once, and none twice")
  func most() {
    var running = FetchState(interval: 300, isAsked: true)
    running.start()
    let due = FetchState(interval: 300, isAsked: true)
    let busy = ["a", "b", "c"].flatMap { candidates(2, host: $0, running) }
    let decision = FetchDecision(busy + ["d", "e", "f"].flatMap { candidates(1, host: $0, due) }, now: 0)
    #expect(decision.starting == ["d0", "e0"])
    #expect(FetchDecision(busy, now: 1e9).starting == [])
  }

  @Test("Who was asked for comes first, then who has waited longest; the clock wakes for the next one")
  func order() {
    let one = FetchDecision.Candidate(name: "late", host: "a", state: ended(0, at: 20))
    let other = FetchDecision.Candidate(name: "early", host: "b", state: ended(0, at: 10))
    let asked = FetchDecision.Candidate(name: "asked", host: "c", state: FetchState(interval: nil, isAsked: true))
    #expect(FetchDecision([one, other, asked], now: 400).starting == ["asked", "early", "late"])
    let later = FetchDecision([one, other], now: 100)
    #expect(later.starting == [])
    #expect(later.nextTime == 310)
    #expect(FetchDecision([], now: 0).nextTime == nil)
  }
}
