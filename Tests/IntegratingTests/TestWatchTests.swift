import Model
import Parsing
import Testing

@testable import Integrating

@Suite("The time that tests take")
struct TestWatchTests {
  private let first = TestID(module: "M", suite: "S", name: "first")
  private let second = TestID(module: "M", suite: "S", name: "second")

  @Test("A test that came to no end has the time from its start to the end of the process")
  func elapsed() {
    let watch = TestWatch()
    watch.tick(.seconds(2))
    watch.note(.started(first))
    watch.tick(.seconds(3))
    watch.note(.ended(first, .passed))
    watch.note(.started(second))
    watch.tick(.seconds(4))
    #expect(watch.elapsed(at: .milliseconds(11_500)) == [second: 8.5])
    // The last that was heard of it may be later than the end that the kernel tells.
    #expect(watch.elapsed(at: .seconds(1)) == [second: 0])
  }

  @Test("A test has its limit also when another one was told to have ended twice")
  func deadline() {
    let watch = TestWatch()
    watch.note(.started(first))
    watch.note(.ended(first, .passed))
    watch.note(.ended(first, .passed))
    #expect(watch.deadline(.seconds(5)) == nil)
    watch.tick(.seconds(3))
    watch.note(.started(second))
    #expect(watch.deadline(.seconds(5)) == .seconds(8))
    watch.note(.ended(second, .passed))
    #expect(watch.deadline(.seconds(5)) == nil)
  }

  @Test("A test that was told to have started twice has ended when it ended once")
  func twice() {
    let watch = TestWatch()
    watch.note(.started(first))
    watch.note(.started(first))
    watch.note(.ended(first, .passed))
    #expect(watch.deadline(.seconds(5)) == nil)
  }
}
