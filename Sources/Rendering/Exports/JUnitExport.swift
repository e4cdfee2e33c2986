import Model

/// Tests in the JUnit XML that CI servers read; its common form is described at https://github.com/testmoapp/junitxml
///
/// Nothing that did not pass appears as passed. A red test that is silenced, or whose destination only informs, appears as
/// skipped, as does one that canceled itself; crashed, timed-out and not-run tests are errors, and an integration that failed without a red test has
/// an error of its own. An expected failure is a passed case with a note.
enum JUnitExport {
  /// The cases of one class or suite.
  private struct Suite {
    var name: String
    var cases: [JUnitCase]
    var time: Double
    /// Nil if there is only one way to build.
    var destination: DestinationResult?

    func count(_ fits: (JUnitCase.Verdict) -> Bool) -> String { "\(cases.count { fits($0.verdict) })" }

    var isBad: Bool { cases.contains { $0.verdict.isBad } }
  }

  static func text(_ document: IntegrationRecord) -> String {
    var suites = ([document.own ?? document] + (document.cells ?? [])).flatMap(suites)
    if !document.outcome.isGreen, !suites.contains(where: \.isBad) {
      suites.append(Suite(name: "martlet", cases: [outcomeCase(document)], time: 0))
    }
    let all = Suite(name: document.bot, cases: suites.flatMap(\.cases), time: document.duration)
    let timestamp = SARIFExport.instant(document.startedAt)
    var xml = XMLText()
    xml.element("testsuites", attributes(of: all, timestamp)) { xml in
      for suite in suites {
        xml.element("testsuite", attributes(of: suite, timestamp)) { xml in
          if let destination = suite.destination {
            xml.element("properties", [:]) { xml in
              xml.element("property", ["name": "destination", "value": VisibleText.of(destination.name)])
              xml.element("property", ["name": "required", "value": destination.required ? "true" : "false"])
            }
          }
          for testCase in suite.cases { write(testCase, to: &xml) }
        }
      }
    }
    return xml.text
  }

  /// Returns the suites in the order of their first tests, and one of what a destination failed by without a red test.
  private static func suites(of document: IntegrationRecord) -> [Suite] {
    let silences = document.silencedTests
    func suite(_ name: String, _ cases: [JUnitCase], time: Double = 0) -> Suite {
      Suite(
        name: document.destination.map { "\(name) (\($0.name))" } ?? name, cases: cases, time: time,
        destination: document.destination)
    }
    var suites = document.tests.cases.grouped { JUnitCase.className(of: $0.id) }.map { tests in
      suite(
        JUnitCase.className(of: tests[0].id),
        tests.flatMap { JUnitCase.all(of: $0, in: document, silences: silences) },
        time: tests.reduce(0) { $0 + $1.duration })
    }
    let outcome = document.cells == nil ? document.destination?.outcome : nil
    if let outcome, !outcome.isGreen, !suites.contains(where: \.isBad) {
      suites.append(suite("martlet", [outcomeCase(document)]))
    }
    if document.destination?.required == false {
      for index in suites.indices { suites[index].cases = suites[index].cases.map(\.informing) }
    }
    return suites
  }

  /// Returns a case for an integration that failed outside its tests.
  private static func outcomeCase(_ document: IntegrationRecord) -> JUnitCase {
    // The reasons tell of failed gates.
    let gates = (document.reasonCodes ?? []).compactMap(\.gate)
    let counting = document.findings.filter { issue in
      issue.kind.level == .error && issue.status != .silenced
        && issue.knownSubject.map { subject in gates.contains { subject == .gate($0) } } != true
    }
    let issues = counting.map { issue in
      document.placeText(issue.file, issue.line).map { "\($0): \(issue.message)" } ?? issue.message
    }
    let outcome = document.outcome.rawValue
    return JUnitCase(
      className: "martlet", name: outcome,
      verdict: .bad(
        .error, type: outcome, message: document.reasons.first ?? "The outcome is \(outcome).",
        body: (document.reasons + issues).joined(separator: "\n")), isOfTest: false)
  }

  private static func attributes(of suite: Suite, _ timestamp: String) -> KeyValuePairs<String, String?> {
    [
      "name": VisibleText.of(suite.name), "tests": "\(suite.cases.count)", "failures": suite.count(\.isFailure),
      "errors": suite.count(\.isError), "skipped": suite.count(\.isSkipped), "time": seconds(suite.time),
      "timestamp": timestamp,
    ]
  }

  private static func write(_ testCase: JUnitCase, to xml: inout XMLText) {
    xml.element(
      "testcase",
      [
        "name": VisibleText.of(testCase.name), "classname": VisibleText.of(testCase.className),
        "time": testCase.time.map(seconds),
        "file": testCase.file, "line": testCase.line.map { "\($0)" },
      ]
    ) { xml in
      if !testCase.properties.isEmpty {
        xml.element("properties", [:]) { xml in
          for property in testCase.properties {
            // Other programs identify the test by its id.
            let value = property.name == "id" ? property.value : VisibleText.of(property.value)
            xml.element("property", ["name": property.name, "value": value])
          }
        }
      }
      write(testCase.verdict, to: &xml)
      for (number, attempt) in testCase.badAttempts {
        // As Surefire writes them:
        // https://maven.apache.org/surefire/maven-surefire-plugin/examples/rerun-failing-tests.html
        let kind = attempt.state == .failed ? "Failure" : "Error"
        let message = attempt.message.map { ": \($0.prefix { $0 != "\n" && $0 != "\r\n" })" } ?? "."
        xml.element(
          (testCase.verdict.isBad ? "rerun" : "flaky") + kind,
          [
            "message": VisibleText.of("Attempt \(number): \(attempt.state.rawValue)\(message)"),
            "type": attempt.state.rawValue,
          ])
      }
      // Readers show files with this notation: https://docs.gitlab.com/ci/testing/unit_test_report_examples/
      let notes = testCase.notes.map { VisibleText.of($0) } + testCase.attachments.map { "[[ATTACHMENT|\($0)]]" }
      if !notes.isEmpty { xml.element("system-out", text: notes.joined(separator: "\n")) }
    }
  }

  private static func write(_ verdict: JUnitCase.Verdict, to xml: inout XMLText) {
    let shown = { VisibleText.of($0) }
    switch verdict {
    case .passed: break
    // Never an empty element: Codecov's reader skips those and would take the case for passed.
    case .skipped(let reason):
      xml.element("skipped", ["message": reason.isEmpty ? nil : shown(reason)], text: shown(reason))
    case .bad(let element, let type, let message, let body):
      xml.element(element.rawValue, ["message": shown(message), "type": type], text: shown(body))
    }
  }

  /// Returns seconds with three decimals, even for values that make no sense.
  private static func seconds(_ duration: Double) -> String {
    guard duration.isFinite, duration > 0 else { return "0.000" }
    let milliseconds = Int(min(duration, 1e12) * 1000 + 0.5)
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

extension JUnitCase.Verdict {
  var isFailure: Bool { if case .bad(.failure, _, _, _) = self { true } else { false } }
  var isError: Bool { if case .bad(.error, _, _, _) = self { true } else { false } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
  var isBad: Bool { if case .bad = self { true } else { false } }
}
