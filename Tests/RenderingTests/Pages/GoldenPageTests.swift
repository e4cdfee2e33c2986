import FoundationEssentials
import Testing

@testable import Rendering

/// Whole pages against the ones that a person has looked at and accepted.
///
/// `MARTLET_ACCEPT=1` writes the pages as they are now over the golden ones and fails; look at the difference, then
/// run without it. On a mismatch the page as it is now lies beside the golden one, with the ending `.actual.html`.
@Suite("Golden pages")
struct GoldenPageTests {
  struct Page: Sendable, CustomTestStringConvertible {
    var sample: String
    var path: String
    var name: String

    var testDescription: String { name }
  }

  static let pages = [
    Page(sample: "red", path: "index.html", name: "red"),
    Page(sample: "red", path: "tests.html", name: "red-tests"),
    Page(
      sample: "red", path: "tests/GreeterTests-GreetingTests-test_greeting_atNoon_isAfternoon-e937df7a.html",
      name: "red-noon"),
    Page(
      sample: "red", path: "tests/GreeterTests-PhrasebookTests-unknownLanguageHasNone-202ded4b.html",
      name: "red-crash"),
    Page(
      sample: "red", path: "tests/DoorbellTests-DoorbellTests-answeredBeforeWaiting-dc516d6a.html", name: "red-hang"),
    Page(sample: "red", path: "log/building.html", name: "red-building"),
    Page(sample: "red", path: "log/testing.html", name: "red-testing"),
    Page(sample: "green", path: "index.html", name: "green"),
    Page(sample: "unsteady", path: "index.html", name: "unsteady"),
    Page(sample: "unsteady", path: "tests.html", name: "unsteady-tests"),
    Page(
      sample: "unsteady", path: "tests/DoorbellTests-EchoTests-echoFadesInTime-\(UnsteadySample.echo).html",
      name: "unsteady-flaky"),
    Page(
      sample: "unsteady", path: "tests/GreeterTests-PosterTests-drawsPoster-\(UnsteadySample.poster).html",
      name: "unsteady-attachments"),
    Page(
      sample: "unsteady", path: "tests/GreeterTests-GreetingTests-test_greeting_isFast-\(UnsteadySample.fast).html",
      name: "unsteady-measured"),
    Page(sample: "build-errors", path: "index.html", name: "build-errors"),
    Page(sample: "incomplete", path: "index.html", name: "incomplete"),
  ]

  @Test("A page is what was accepted", arguments: pages)
  func page(page: Page) throws {
    let text = try PageSite.sample(page.sample).text(page.path)
    let folder = PageSite.repository.appending(path: "Tests/RenderingTests/Golden")
    let golden = folder.appending(path: "\(page.name).html")
    let actual = folder.appending(path: "\(page.name).actual.html")
    if ProcessInfo.processInfo.environment["MARTLET_ACCEPT"] == "1" {
      try Data(text.utf8).write(to: golden)
      try? FileManager.default.removeItem(at: actual)
      Issue.record("\(golden.lastPathComponent) was written. Look at the difference, then run without MARTLET_ACCEPT.")
      return
    }
    let accepted = (try? Data(contentsOf: golden)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard text != accepted else {
      try? FileManager.default.removeItem(at: actual)
      return
    }
    try Data(text.utf8).write(to: actual)
    let difference = zip(
      text.split(separator: "\n", omittingEmptySubsequences: false),
      accepted.split(separator: "\n", omittingEmptySubsequences: false)
    ).enumerated().first { $1.0 != $1.1 }
    Issue.record(
      """
      \(golden.lastPathComponent) differs from line \(difference.map { $0.offset + 1 } ?? 0) on. \
      Compare it with \(actual.lastPathComponent); accept with MARTLET_ACCEPT=1.
      """)
  }
}
