import Model
import Testing

@testable import Parsing

@Suite("What analyzers print")
struct AnalyzerReportTests {
  private func findings(_ output: String, errors: String = "") -> [String] {
    var report = AnalyzerReport { path in
      path.hasPrefix("/shop/") ? String(path.dropFirst("/shop/".count)) : nil
    }
    report.append(Array(output.utf8), from: .standardOutput)
    report.append(Array(errors.utf8), from: .standardError)
    return report.finish().map { finding in
      #expect(finding.severity == .warning)
      return "\(finding.location?.description ?? "nowhere") \(finding.message)"
    }
  }

  @Test("Lines of both streams are findings, each once, with paths relative to the package")
  func lines() {
    let output = """
      Linting 3 files
      ./Sources/Cart.swift:3:5: warning: [Semicolons] remove ';'
      /shop/Sources/Cart.swift:4: error: too long
      ./Sources/Cart.swift:3:5: warning: [Semicolons] remove ';'

      """
    #expect(
      findings(output, errors: "Sources/Pay.swift:1:1: error: [Indent] indent\n") == [
        "Sources/Cart.swift:3:5 [Semicolons] remove ';'", "Sources/Cart.swift:4 too long",
        "Sources/Pay.swift:1:1 [Indent] indent",
      ])
  }

  @Test("Lines of the two streams that arrive in pieces of each other stay whole")
  func interleaved() {
    var report = AnalyzerReport { _ in nil }
    report.append(Array("Sources/Cart.swift:3:5: warn".utf8), from: .standardOutput)
    report.append(Array("Sources/Pay.swift:1:1: error: indent\n".utf8), from: .standardError)
    report.append(Array("ing: odd\n".utf8), from: .standardOutput)
    #expect(report.finish().map(\.message) == ["indent", "odd"])
  }

  @Test("A SARIF document gives its results but notes, suppressed ones and those that pass")
  func sarif() {
    func result(_ more: String) -> String {
      let place =
        #""physicalLocation":{"artifactLocation":{"uri":"file:///shop/My%20Cart.swift"},"region":{"startLine":3}}"#
      return #"{"message":{"text":"odd"},"locations":[{\#(place)}]\#(more)}"#
    }
    let results = [
      result(#","ruleId":"naming""#), result(#","level":"error""#), result(#","level":"note","ruleId":"n""#),
      result(#","suppressions":[{"kind":"inSource"}],"ruleId":"s""#), result(#","kind":"pass","ruleId":"p""#),
      #"{"message":{}}"#,
    ]
    #expect(
      findings(#" {"version":"2.1.0","runs":[{"results":[\#(results.joined(separator: ","))]},{}]}"#) == [
        "My Cart.swift:3 [naming] odd", "My Cart.swift:3 odd", "nowhere no message",
      ])
  }

  @Test("A SARIF result without a level is as grave as its rule, by its index or its name, and else a warning")
  func levelOfRule() {
    let rules = #"[{"id":"a","defaultConfiguration":{"level":"note"}},{"id":"b"},{"id":"c","defaultConfiguration":{}}]"#
    let results = [
      #""ruleId":"a""#, #""ruleIndex":0"#, #""ruleId":"b""#, #""ruleId":"c""#, #""ruleId":"d""#, #""ruleIndex":7"#,
      #""ruleId":"a","level":"error""#,
    ].map { #"{"message":{"text":"odd"},\#($0)}"# }.joined(separator: ",")
    #expect(
      findings(#"{"runs":[{"tool":{"driver":{"rules":\#(rules)}},"results":[\#(results)]}]}"#) == [
        "nowhere [b] odd", "nowhere [c] odd", "nowhere [d] odd", "nowhere odd", "nowhere [a] odd",
      ])
  }

  @Test(
    "A SARIF result is suppressed where every wish for that was accepted",
    arguments: [
      (#"{"kind":"inSource"}"#, true), (#"{"status":"accepted"}"#, true), ("", false),
      (#"{"status":"rejected"}"#, false), (#"{"status":"underReview"},{"status":"accepted"}"#, false),
    ])
  func suppressed(wishes: String, isSuppressed: Bool) {
    let document = #"{"runs":[{"results":[{"message":{"text":"odd"},"suppressions":[\#(wishes)]}]}]}"#
    #expect(findings(document) == (isSuppressed ? [] : ["nowhere odd"]))
  }

  @Test(
    "What is no document is read as lines",
    arguments: ["", "{", "{}\n\0\u{FFFD}", "hello\n", "no {\"runs\": 3}\n"])
  func noDocument(output: String) {
    #expect(findings(output) == [])
    #expect(!isDamaged(output))
  }

  @Test(
    "A document that cannot be read is not taken for one without findings",
    arguments: ["{\"runs\":3}", " {\"runs\":[{\"results\":[{}]}]}", "{\"version\":\"2.1.0\",\"runs\":[{\"results\":["])
  func damaged(output: String) {
    #expect(findings(output) == [])
    #expect(isDamaged(output))
    #expect(!isDamaged("{\"runs\":[]}"))
  }

  private func isDamaged(_ output: String) -> Bool {
    var report = AnalyzerReport { $0 }
    report.append(Array(output.utf8), from: .standardOutput)
    _ = report.finish()
    return report.isDamaged
  }
}
