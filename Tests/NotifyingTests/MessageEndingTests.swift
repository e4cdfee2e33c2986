import Foundation
@testable import Model
import Rendering
import Testing

@Suite("The words of mails about what ended, and about what a suspect did")
struct MessageEndingTests {
  private let renderer: MessageRenderer

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../templates")
    renderer = MessageRenderer(templates: try TemplateLibrary(folder: folder.standardizedFileURL.path), time: .utc)
  }

  @Test("Where tests were only deleted or marked, no issue is left, but none is told as mended")
  func unmended() throws {
    var integration = MessageSample.green
    integration.issues[0].ending = .knownIssue
    let mixed = try renderer.text(.allResolved, of: integration, page: "/site/Greeter/42/index.html")
    #expect(mixed.subject == "[Greeter 42] All issues on the branch are resolved")
    integration.issues.removeLast()
    let notice = try renderer.text(.allResolved, of: integration, page: "/site/Greeter/42/index.html")
    #expect(notice.subject == "[Greeter 42] No open issues on the branch")
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.hasPrefix("Greeter 42: No open issues on main\n"))
    #expect(text.contains("[FAILED] test_greeting_atNoon_isAfternoon (marked as a known issue)\n"))
    integration.issues[0].ending = .testDeleted
    let report = try renderer.text(.integration, of: integration, page: "/site/Greeter/42/index.html")
    for part in [report.text, report.html] {
      #expect(String(decoding: part, as: UTF8.self).contains("test_greeting_atNoon_isAfternoon (test deleted)"))
    }
  }

  @Test("Where no report could be made, nothing leads to it, and mails say why there is none")
  func withoutReport() throws {
    let page = "https://ci.example.org/Greeter/42/"
    var integration = MessageSample.red
    let sentence = "There is no report of this integration: the template log:1:1: it fails."
    var issue = Model.Issue(id: "s-1", kind: .serviceWarning, message: sentence)
    issue.subject = ServiceWarning.reportNotMade(reason: "").subject
    integration.issues.append(issue)
    let mails = try [
      renderer.text(.newIssues, of: integration, page: page), renderer.text(.integration, of: integration, page: page),
      renderer.text(.allResolved, of: integration, page: page),
      renderer.text(.newIssues, of: integration, to: ["mira@example.org"], page: page),
    ]
    for text in mails.flatMap({ [$0.text, $0.html] }).map({ String(decoding: $0, as: UTF8.self) }) {
      #expect(text.contains(sentence) && !text.contains("The whole report") && !text.contains(page), "\(text)")
    }
    for shape in ["slack", "discord", "matrix"] {
      let body = String(decoding: try renderer.body(shape, of: integration, page: page), as: UTF8.self)
      #expect(!body.contains("ci.example.org"), "\(body)")
    }
    #expect(!NoteText.adding(integration, page: page, to: nil).contains(page))
  }

  @Test("What is no longer checked is told as that, and never as resolved")
  func dropped() throws {
    var integration = MessageSample.green
    integration.issues.append(Model.Issue(id: "m-1", kind: .sanitizer, status: .dropped, message: "data race"))
    let notice = try renderer.text(.allResolved, of: integration, page: "/site/Greeter/42/index.html")
    #expect(notice.subject == "[Greeter 42] No open issues on the branch")
    let report = try renderer.text(.integration, of: integration, page: "/site/Greeter/42/index.html")
    #expect(String(decoding: report.text, as: UTF8.self).contains("1 issue is no longer checked."))
  }

  @Test("Where a trigger's issue is open, not all issues are resolved")
  func others() throws {
    var integration = MessageSample.green
    integration.issues.append(Model.Issue(id: "s-1", kind: .triggerError, message: "The webhook answered 404."))
    let notice = try renderer.text(.allResolved, of: integration, page: "/site/Greeter/42/index.html")
    #expect(notice.subject == "[Greeter 42] All build and test issues on the branch are resolved")
  }

  @Test("A test that was deleted is called as in the mail before, by its display name")
  func deleted() throws {
    var integration = MessageSample.green
    (integration.issues[0].ending, integration.issues[0].displayName) = (.testDeleted, "Noon is afternoon")
    integration.tests.results = []
    let notice = try renderer.text(.integration, of: integration, page: "/site/Greeter/42/index.html")
    #expect(String(decoding: notice.text, as: UTF8.self).contains("Noon is afternoon (test deleted)"))
  }

  @Test("A sanitizer finds reports, and a suspect reads that all commits are by them as yours")
  func sanitizer() throws {
    var integration = MessageSample.integration(.testFailures)
    var issue = Model.Issue(id: "m-1", kind: .sanitizer, message: "data race")
    issue.suspects = [
      Suspect(
        Suspicion(
          MessageSample.commit, .sourceFile("Sources/Greeter/Door.swift"), [.oneAuthor(commits: 2, since: 41)], .high))
    ]
    integration.issues = [issue]
    let notice = try renderer.text(
      .newIssues, of: integration, to: ["mira@example.org"], page: "/site/Greeter/42/index.html")
    #expect(notice.subject.hasPrefix("[Greeter 42] 1 new sanitizer report, probably yours"))
    #expect(String(decoding: notice.text, as: UTF8.self).contains("; both commits since 41 are yours.\n"))
    #expect(issue.suspects[0].reason.hasSuffix("; both commits since 41 are by \(MessageSample.commit.author)."))
  }
}
