import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("On which machine an integration runs")
struct PlaceDecisionTests {
  private typealias Candidate = PlaceDecision.Candidate
  private typealias Wish = PlaceDecision.Wish

  private func choose(
    _ wish: PlaceDecision.Wish = .init(), among candidates: [PlaceDecision.Candidate], whenDown: WhenDown = .wait
  ) -> PlaceDecision.Choice {
    var decision = PlaceDecision(candidates, whenDown: whenDown)
    return decision.choose(wish, at: noon)
  }

  @Test("It goes to the machine with the most free slots, and to this one where others have no more")
  func free() {
    let here = Candidate(nil, slots: 1)
    #expect(choose(among: [here, Candidate("big", slots: 2)]) == .start(on: "big"))
    #expect(choose(among: [here, Candidate("big", slots: 2, ends: [noon])]) == .start(on: nil))
    #expect(
      choose(among: [Candidate(nil, slots: 1, ends: [noon]), Candidate("big", slots: 1)]) == .start(on: "big"))
  }

  @Test("A slot that one entry takes is not free for the next")
  func taken() {
    var decision = PlaceDecision([Candidate(nil, slots: 1), Candidate("big", slots: 1)])
    #expect(decision.choose(Wish(), at: noon) == .start(on: nil))
    #expect(decision.choose(Wish(), at: noon) == .start(on: "big"))
    #expect(decision.choose(Wish(), at: noon) == .wait("Every machine that will do is busy: local and big."))
  }

  @Test("A branch goes where it was integrated last, though others are freer")
  func warm() {
    let wish = Wish(last: LastPlace(machine: "small", seconds: 60))
    let candidates = [Candidate(nil, slots: 1), Candidate("big", slots: 8), Candidate("small", slots: 1)]
    #expect(choose(wish, among: candidates) == .start(on: "small"))
    let here = Wish(last: LastPlace(machine: nil, seconds: 60))
    #expect(choose(here, among: candidates) == .start(on: nil))
  }

  @Test("It waits for that machine as long as the last integration took, and goes elsewhere when it would be longer")
  func warmAndBusy() {
    let wish = Wish(last: LastPlace(machine: "small", seconds: 60))
    func busy(for seconds: Double) -> [PlaceDecision.Candidate] {
      [Candidate("big", slots: 8), Candidate("small", slots: 1, ends: [noon + seconds])]
    }
    #expect(
      choose(wish, among: busy(for: 60))
        == .wait(
          "It waits for small, which has the build of its branch and is expected to be free first.", until: noon + 60))
    #expect(choose(wish, among: busy(for: 61)) == .start(on: "big"))
  }

  @Test("It waits for what is still to end on that machine, and not for what should have ended already")
  func warmAndOverdue() {
    let wish = Wish(last: LastPlace(machine: "small", seconds: 60))
    func overdue(_ more: Date...) -> [PlaceDecision.Candidate] {
      let ends = [noon - 7200] + more
      return [Candidate("big", slots: 8), Candidate("small", slots: ends.count, ends: ends)]
    }
    #expect(choose(wish, among: overdue()) == .start(on: "big"))
    #expect(
      choose(wish, among: overdue(noon + 30))
        == .wait(
          "It waits for small, which has the build of its branch and is expected to be free first.", until: noon + 30))
  }

  @Test("It is decided again when the machine that is waited for should be free")
  func waitsUntil() {
    let places = Places(
      PlaceDecision([Candidate("big", slots: 8), Candidate("small", slots: 1, ends: [noon + 60])]),
      wishes: [1: Wish(last: LastPlace(machine: "small", seconds: 60))])
    let decision = StartDecision(entries: [entry(1, "a")], jobs: 1, places: places, at: noon)
    #expect(decision.start.isEmpty)
    #expect(decision.nextTime == noon + 60)
  }

  @Test("A machine that is gone or down is not waited for because of a build that it has")
  func warmAndDown() {
    let wish = Wish(last: LastPlace(machine: "small", seconds: 60))
    let down = Candidate("small", slots: 1, trouble: "It cannot be reached.")
    #expect(choose(wish, among: [Candidate("big", slots: 1), down]) == .start(on: "big"))
    #expect(choose(wish, among: [Candidate("big", slots: 1)]) == .start(on: "big"))
  }

  @Test("Only a machine with all the labels will do; a name is a label")
  func labels() {
    let candidates = [
      Candidate(nil, slots: 4), Candidate("big", slots: 1, labels: ["arm64", "docker"]),
      Candidate("small", slots: 2, labels: ["arm64"]),
    ]
    #expect(choose(Wish(labels: ["arm64"]), among: candidates) == .start(on: "small"))
    #expect(choose(Wish(labels: ["arm64", "docker"]), among: candidates) == .start(on: "big"))
    #expect(choose(Wish(labels: ["local"]), among: candidates) == .start(on: nil))
    #expect(choose(Wish(labels: ["big"]), among: candidates) == .start(on: "big"))
    #expect(
      choose(Wish(labels: ["risc-v"]), among: candidates)
        == .wait(
          "No machine has the label risc-v. The labels are arm64, big, docker, local and small. Give a machine the label risc-v, or add one that has it, under 'machines' in martlet.yml."
        ))
    #expect(
      choose(Wish(labels: ["arm64", "local"]), among: candidates)
        == .wait(
          "No machine has all the labels arm64 and local. The labels are arm64, big, docker, local and small. Give a machine all the labels arm64 and local, or add one that has them, under 'machines' in martlet.yml."
        ))
  }

  @Test("Of many labels the first are named, and a single one is said to be all there is")
  func manyLabels() {
    let many = (1...12).map { Candidate("m\($0 + 10)", slots: 1) }
    #expect(
      PlaceDecision.unknown(["gpu"], among: many).remedy
        == "The labels are m11, m12, m13, m14, m15, m16, m17, m18, m19, m20 and 2 others. Give a machine the label gpu, or add one that has it, under 'machines' in martlet.yml."
    )
    let own = PlaceDecision.unknown(["gpu"], among: [Candidate(nil, slots: 1)])
    #expect(own.reason == "no machine has the label gpu")
    #expect(
      own.words
        == "No machine has the label gpu. The only label is local. Give a machine the label gpu, or add one that has it, under 'machines' in martlet.yml."
    )
  }

  @Test("When no machine that will do can be used, it waits with the reasons, or runs here if the settings say so")
  func down() {
    let candidates = [
      Candidate(nil, slots: 0), Candidate("big", slots: 1, labels: ["arm64"], trouble: "It cannot be reached."),
    ]
    let wish = Wish(labels: ["arm64"])
    #expect(
      choose(wish, among: candidates)
        == .wait("No machine that will do can be used. big is unavailable: It cannot be reached."))
    #expect(choose(wish, among: candidates, whenDown: .local) == .start(on: nil))
    let busy = [Candidate(nil, slots: 0, ends: [noon]), candidates[1]]
    #expect(choose(wish, among: busy, whenDown: .local) == .wait("This machine is busy."))
  }

  @Test("What needs this machine runs here, even if others are freer or it hands everything else out")
  func here() {
    let wish = Wish(staysHere: "The bot writes git notes, and its repository is on this machine.")
    #expect(choose(wish, among: [Candidate(nil, slots: 1), Candidate("big", slots: 8)]) == .start(on: nil))
    #expect(choose(wish, among: [Candidate(nil, slots: 0), Candidate("big", slots: 8)]) == .start(on: nil))
    let elsewhere = Wish(labels: ["big"], staysHere: "The bot takes submodules from this machine.")
    #expect(
      choose(elsewhere, among: [Candidate(nil, slots: 1), Candidate("big", slots: 8)])
        == .wait("The bot takes submodules from this machine."))
  }

  @Test("What starts is spread over the machines, most urgent first, and the rest says what it waits for")
  func starting() {
    let entries = [
      entry(1, "a", bot: "one", cause: .schedule), entry(2, "b", bot: "two"), entry(3, "c", bot: "three"),
      entry(4, "d", bot: "two"),
    ]
    let places = Places(
      PlaceDecision([Candidate(nil, slots: 1), Candidate("big", slots: 1, labels: ["arm64"])]),
      wishes: [3: Wish(labels: ["arm64"])])
    let decision = StartDecision(entries: entries, jobs: 1, places: places, at: noon)
    #expect(decision.start.map(\.id) == [2, 3])
    #expect(decision.machines == [3: "big"])
    #expect(
      decision.waits == [
        1: "Every machine that will do is busy: local and big.",
        4: "two at b goes first; a bot has one integration at a time.",
      ])
  }

  @Test("Of many machines only the number is told, and of many that are down the first five")
  func many() {
    let busy = (1...6).map { Candidate("m\($0)", slots: 1, ends: [noon]) }
    #expect(choose(among: busy) == .wait("All 6 machines that will do are busy."))
    let down = (1...7).map { Candidate("m\($0)", slots: 1, trouble: "It cannot be reached.") }
    let reasons = (1...5).map { "m\($0) is unavailable: It cannot be reached." }.joined(separator: " ")
    #expect(
      choose(among: down)
        == .wait("No machine that will do can be used. \(reasons) 2 more machines cannot be used."))
  }

  @Test("What was cut off twice starts where nothing else runs, however much others do")
  func calm() {
    var last = entry(1, "a", bot: "one", queuedAt: noon - 10_000)
    last.assignment.attempt = 3
    let running = entry(2, "b", bot: "two", state: .running, number: 7)
    func start(_ candidates: [PlaceDecision.Candidate]) -> StartDecision {
      StartDecision(
        entries: [last, running], jobs: 1, places: Places(PlaceDecision(candidates), wishes: [:]), at: noon)
    }
    let busy = Candidate("big", slots: 4, ends: [noon + 60])
    #expect(start([Candidate(nil, slots: 0), busy]).start.isEmpty)
    #expect(start([Candidate(nil, slots: 0), busy]).waits[1]?.hasPrefix("It was cut off 2 times") == true)
    #expect(start([Candidate(nil, slots: 0), busy, Candidate("small", slots: 1)]).machines == [1: "small"])
  }
}
