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
}
