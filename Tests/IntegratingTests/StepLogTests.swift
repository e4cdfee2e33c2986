import Model
import Processes
import Testing

@testable import Integrating

@Suite("The log of a step")
struct StepLogTests {
  @Test("How a program ended stands in a line of its own, also behind output that does not end one")
  func end() throws {
    let scratch = try Scratch()
    let log = try StepLog(.building, in: scratch.folder, mask: SecretMask([]))
    try log.note("[4/5] Emitting module Greeter")
    var result = ProcessResult(end: .signaled(15), why: .overdue)
    result.duration = .milliseconds(4015)
    try log.noteEnd(of: result, at: .init(.test, of: 4))
    result.end = .exited(1)
    try log.noteEnd(of: result)
    result.end = .notStarted
    try log.noteEnd(of: result)
    try log.close()
    #expect(
      scratch.text("log/building.log") == """
        [4/5] Emitting module Greeter
        $ # signal 15 after 4.015 s, test limit 4.0 s
        $ # exit status 1 after 4.015 s

        """)
  }
}
