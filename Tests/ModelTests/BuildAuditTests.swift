import Foundation
import Testing

@testable import Model

@Suite("What an audit tells")
struct BuildAuditTests {
  private let commit = CommitID(rawValue: "0123456789012345678901234567890123456789")
  private let early = CommitID(rawValue: "abcdef0000000000000000000000000000000000")
  private let date = Date(timeIntervalSince1970: 0)

  @Test("A difference is told with the files and the commit since which they differ")
  func difference() {
    let audit = BuildAudit(
      date: date, commit: commit, difference: .init(files: ["Red.swift.o"], since: .init(number: 3, commit: early)))
    #expect(
      audit.words
        == "A clean build of 0123456 differs from the incremental one in Red.swift.o, since abcdef0, integration 3. "
        + "The incremental one has been removed; what was reported since then may be wrong.")
    #expect(BuildAudit(date: date, commit: commit).words == nil)
  }

  @Test("A clean build that fails is told with its error")
  func failure() {
    let audit = BuildAudit(date: date, commit: commit, difference: .init(files: [], error: "A.swift:1: no such module"))
    #expect(
      audit.words
        == "A clean build of 0123456 fails (A.swift:1: no such module), unlike the incremental one, since when is "
        + "not known. The incremental one has been removed; what was reported since then may be wrong.")
  }

  @Test("Reports say what a build began with, and when that was audited")
  func words() {
    func words(_ record: StepRecord) -> String? { [record].buildWords { _ in "yesterday" } }
    #expect(words(StepRecord(name: .building, duration: 1)) == nil)
    #expect(words(StepRecord(name: .building, duration: 1, warm: false)) == "clean build")
    var record = StepRecord(name: .building, duration: 1, warm: true)
    #expect(words(record) == "incremental build")
    record.audited = BuildAudit(date: date, commit: commit)
    #expect(words(record) == "incremental build, last audited yesterday, at 0123456")
    var own = StepRecord(name: .auditing, duration: 20)
    own.audited = BuildAudit(date: date, commit: early)
    let steps = [record, own]
    #expect(steps.buildWords { _ in "today" } == "incremental build, last audited today, at abcdef0")
  }
}
