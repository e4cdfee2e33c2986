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
        == "A build of 0123456 from nothing makes other code in Red.swift.o, unlike the one that went on from earlier "
        + "builds, since abcdef0, integration 3. What was built before has been removed; what was reported since then "
        + "may be wrong.")
    #expect(BuildAudit(date: date, commit: commit).words == nil)
  }

  @Test("A build from nothing that fails is told with its error")
  func failure() {
    let audit = BuildAudit(date: date, commit: commit, difference: .init(files: [], error: "A.swift:1: no such module"))
    #expect(
      audit.words
        == "A build of 0123456 from nothing fails (A.swift:1: no such module), unlike the one that went on from earlier "
        + "builds, and it is not known since when. What was built before has been removed; what was reported since "
        + "then may be wrong.")
  }

  @Test("Reports say what a build began with, and when that was audited")
  func words() {
    func words(_ record: StepRecord) -> String? { [record].buildWords { _ in "yesterday" } }
    #expect(words(StepRecord(name: .building, duration: 1)) == nil)
    #expect(words(StepRecord(name: .building, duration: 1, warm: false)) == "built from nothing")
    var record = StepRecord(name: .building, duration: 1, warm: true)
    #expect(words(record) == "built on what was there, not audited yet")
    record.audited = BuildAudit(date: date, commit: commit)
    #expect(words(record) == "built on what was there, last audited yesterday, at 0123456")
  }
}
