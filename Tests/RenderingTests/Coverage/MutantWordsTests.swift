import Foundation
import Model
import Testing

@testable import Rendering

@Suite("What is told of functions without their bodies")
struct MutantWordsTests {
  private func section(_ text: String) throws -> IntegrationRecord.MutantsSection {
    try JSONDecoder().decode(IntegrationRecord.MutantsSection.self, from: Data(text.utf8))
  }

  @Test(
    "There is a line about every result",
    arguments: [
      (#"{"scope": "all", "checked": 3, "unchecked": []}"#, "3 of 3 functions checked"),
      (
        #"{"scope": "all", "checked": 1, "unchecked": [], "notJudged": {"result": 2, "inlined": 1}}"#,
        "1 of 1 function checked; 3 not tried"
      ), (#"{"scope": "changed", "checked": 0, "unchecked": []}"#, "no changed function ran"),
      (
        #"{"scope": "changed", "checked": 0, "unchecked": [], "notJudged": {"kind": 1}}"#,
        "no changed function could be tried; 1 not tried"
      ), (#"{"reason": "The tests were not mapped."}"#, "The tests were not mapped."),
      (
        #"{"scope": "all", "checked": 0, "unchecked": [{"path": "a.swift", "line": 7, "name": "f()", "tests": 1, "bodies": []}]}"#,
        "1 function that ran is not checked, such as f() in a.swift:7"
      ),
    ])
  func summary(text: String, words: String) throws {
    #expect(MutantWords.summary(of: try section(text)) == words)
  }
}
