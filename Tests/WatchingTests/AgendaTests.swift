import Testing

@testable import Watching

@Suite("The order in which repositories are read")
struct AgendaTests {
  @Test("News waits until it has been quiet for a moment, but never long")
  func quiet() {
    var agenda = Agenda(now: 0)
    agenda.note("a", now: 1)
    #expect(all(&agenda, now: 1.003) == [])
    #expect(all(&agenda, now: 1.0041) == ["a"])
    var now = 2.0
    while now < 2.024 {
      agenda.note("a", now: now)
      #expect(all(&agenda, now: now) == [])
      now += 0.002
    }
    #expect(all(&agenda, now: 2.0251) == ["a"])
  }

  @Test("Repositories with news come before those that are only looked at, each once")
  func order() {
    var agenda = Agenda(now: 0)
    for path in ["a", "b", "c", "b"] { agenda.putOff(path) }
    agenda.note("c", now: 0)
    #expect(all(&agenda, now: 1) == ["c", "a", "b"])
    #expect(agenda.wasAnnounced("c"))
    #expect(!agenda.wasAnnounced("a"))
  }

  @Test("Reconciliation comes after 30 seconds, then half as often each time, and often again after missed news")
  func reconciliation() {
    var agenda = Agenda(now: 0)
    var times: [Double] = []
    for second in 0...1000 where agenda.isTimeToReconcile(now: Double(second)) { times.append(Double(second)) }
    #expect(times == [30, 90, 210, 450, 930])
    agenda.startAgain()
    times = []
    for second in 1001...1100 where agenda.isTimeToReconcile(now: Double(second)) { times.append(Double(second)) }
    #expect(times == [1031, 1091])
  }

  @Test("Nothing wakes an idle watch more often than every 30 seconds")
  func idle() {
    for isPolling in [false, true] {
      var agenda = Agenda(now: 0)
      var wakings = 0
      var now = 0.0
      while now < 3600 {
        now = agenda.nextTime(now: now, isPolling: isPolling)
        wakings += 1
        _ = agenda.isTimeToReconcile(now: now)
        _ = agenda.isTimeToPoll(now: now)
      }
      #expect(wakings <= (isPolling ? 120 : 8))
    }
  }

  private func all(_ agenda: inout Agenda, now: Double) -> [String] {
    var taken: [String] = []
    while let path = agenda.next(now: now) { taken.append(path) }
    return taken
  }
}
