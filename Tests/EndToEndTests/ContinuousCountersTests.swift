import Testing

@testable import Integrating

/// Which builds count continuously, and how a process's counters are found again.
@Suite("Continuous counters")
struct ContinuousCountersTests {
  @Test("A package whose own C code counts gets no continuous counters, because that code's would be lost")
  func clangCounts() {
    let manifest = #"cSettings: [.unsafeFlags(["-fprofile-instr-generate"])]"#
    #expect(!ContinuousCounters(manifests: ["// swift-tools-version: 6.0", manifest]).areUsed)
    #expect(ContinuousCounters(manifests: ["// swift-tools-version: 6.0"]).areUsed)
  }

  @Test("Only where counters are relocatable is a mapped file named")
  func names() {
    let continuous = ContinuousCounters(manifests: [])
    #expect(continuous.fileName(of: "1-2") == "1-2-%c%m.%p.profraw")
    let usual = ContinuousCounters(manifests: ["-fprofile-instr-generate"])
    #expect(usual.fileName(of: "1-2") == "1-2-%m.%p.profraw")
  }

  @Test("A process that a signal ended left its counters only where they are continuous")
  func left() throws {
    let scratch = try ScratchFolder()
    try scratch.write("counters", to: "1-1-77_0.5.profraw")
    let folder = Folder(scratch.path)
    let continuous = ContinuousCounters(manifests: [])
    let usual = ContinuousCounters(manifests: ["-fprofile-instr-generate"])
    #expect(continuous.wereLeft(by: "1-1", endedBySignal: true, in: folder))
    #expect(!continuous.wereLeft(by: "1-10", endedBySignal: true, in: folder))
    #expect(!usual.wereLeft(by: "1-1", endedBySignal: true, in: folder))
    #expect(usual.wereLeft(by: "1-1", endedBySignal: false, in: folder))
  }
}
