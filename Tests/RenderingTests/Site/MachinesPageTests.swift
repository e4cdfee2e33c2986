import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The page of machines")
struct MachinesPageTests {
  @Test("Where there are other machines, they have a page, which is what was accepted, and the index leads to it")
  func machines() throws {
    var state = SiteSample.state
    #expect(try SiteSample.pages().machines(state) == nil)
    var (big, small) = (
      MachineSettings(name: "big", host: "ci@big.example.org"), MachineSettings(name: "<small>", host: "small")
    )
    (big.slots, big.labels) = (4, ["arm64", "fast"])
    var report = MachineReport(date: SiteSample.start)
    report.toolchain = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
    (report.free, report.cores, report.architecture) = (81_000_000_000, 16, "aarch64")
    let running = [MachineState.Running(bot: "Greeter", number: 13, step: "testing")]
    state.machines = [
      MachineState(own: 0, running: []),
      MachineState(big, report, running: running, trouble: nil, heardAt: SiteSample.start),
      MachineState(small, nil, running: [], trouble: "It cannot be reached: <nobody> answers.", heardAt: nil),
    ]
    try GoldenFile("site/machines.html").compare(
      with: String(decoding: try #require(try SiteSample.pages().machines(state)), as: UTF8.self))
    let index = String(decoding: try SiteSample.pages().index([SiteSample.greeter], state: state), as: UTF8.self)
    #expect(index.contains(#"2 jobs at a time; <a href="machines.html">&lt;small&gt; is unavailable</a></p>"#))
    #expect(state.only { _ in true }.machines == nil)
  }
}
