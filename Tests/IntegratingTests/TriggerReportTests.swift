import FoundationEssentials
import Model
import Notifying
import Processes
import Rendering
import Testing

@testable import Integrating

@Suite("What is said of triggers that fail")
struct TriggerReportTests {
  @Test(
    "Reasons of any kind become whole sentences on one line",
    arguments: [
      ("failed with exit status 3", "The mail 1 failed with exit status 3."),
      ("was not sent: 550 nobody here.", "The mail 1 was not sent: 550 nobody here."),
      ("was not written: a\n  b\n\tc.\n", "The mail 1 was not written: a b c."),
      ("was refused: who are you?", "The mail 1 was refused: who are you?"),
    ])
  func sentence(end: String, sentence: String) {
    #expect(TriggerReport.sentence("The mail 1 ", end) == sentence)
  }

  @Test("A template that fails is named with its place, without its excerpt")
  func template() throws {
    let error = #expect(throws: TemplateError.self) {
      _ = try TemplateLibrary(sources: ["notice": "Dear\n{{#open}}"])
    }
    let words = try #require(error?.words)
    #expect(words == "the template notice:2:1: {{#open}} is never closed. Put {{/open}} where it ends.")
    #expect(
      TriggerReport.sentence("The mail 1 (daily) ", "was not written, because of \(words)")
        == "The mail 1 (daily) was not written, because of \(words)")
  }

  @Test(
    "A script without a file is named by the beginning of its first command, and by nothing that may be a secret",
    arguments: [
      ("#!/bin/sh\nset -e\n\n# Tell\ncurl -d x https://hooks.example.org/T0/secret", "trigger \"curl …\""),
      ("KEY=secret\n  git push origin", "trigger \"git push …\""), ("make deploy", "trigger \"make deploy\""),
      ("exit 3", "trigger \"exit 3\""), ("echo secret | login", "trigger \"echo …\""),
      ("notify Secret99", "trigger \"notify …\""), ("", "after-trigger 1"), ("$TOOL now", "after-trigger 1"),
    ])
  func inline(text: String, name: String) {
    #expect([Trigger.script(.init(moment: .after, source: .inline(text)))].names == [name])
  }

  @Test(
    "A sentence tells more of a script that begins with words for the log, and nothing that the log may not have",
    arguments: [
      (
        "#!/bin/sh\nset -e\necho The lamp oil is out of stock.\nexit 7",
        "that begins with “echo The lamp oil is out of stock.”"
      ), ("set -e\necho The lamp is lit.", "“echo The lamp is lit.”"),
      ("echo 'one two three' four five six seven eight nine", "“echo 'one two three' four five six seven …”"),
      ("echo no grain; exit 3", "“echo …”"), ("echo $KEY", "“echo …”"), ("echo secret | login", "“echo …”"),
      ("KEY=$(\necho secret\n)", "that begins with “echo …”"), ("make deploy", "“make deploy”"),
    ])
  func title(text: String, title: String) {
    let trigger = Trigger.script(.init(moment: .after, source: .inline(text)))
    #expect(trigger.title(of: [trigger].names[0]) == "trigger \(title)")
    #expect(trigger.title(of: [trigger, trigger].names[1]) == "trigger \(title) (2)")
  }

  @Test("Triggers keep their names when another comes before them, and no two have the same")
  func names() {
    func script(_ text: String) -> Trigger { .script(.init(moment: .after, source: .inline(text))) }
    let file = Trigger.script(.init(moment: .after, source: .packageFile("deploy.sh")))
    let some = [script("curl -d 1 a"), script("curl -d 2 b"), file, file]
    #expect(
      some.names == [
        "trigger \"curl …\"", "trigger \"curl …\" (2)", "after-trigger 'deploy.sh'", "after-trigger 'deploy.sh' (2)",
      ])
    #expect(([script("true")] + some).names.dropFirst() == some.names[...])
    #expect(some.indices.map { some[$0].olderName(at: $0 + 1) }.prefix(2) == ["after-trigger 1", "after-trigger 2"])
  }

  @Test("A log calls a script by its file or by the beginning of its first command, and nothing that it may not have")
  func beginning() {
    func beginning(_ source: Trigger.Script.Source) -> String? {
      Trigger.Script(moment: .before, source: source).beginning
    }
    #expect(beginning(.inline("#!/bin/sh\necho The oil is out.\nexit 7")) == "echo The oil is out.")
    #expect(beginning(.inline("notify Secret99")) == "notify …" && beginning(.inline("$TOOL now")) == nil)
    #expect(beginning(.packageFile("script/a.sh")) == "script/a.sh" && beginning(.botFile("/srv/bots/b.sh")) == "b.sh")
  }

  @Test("Programs that fail say how, and limits too large for this machine are no trap")
  func failures() {
    var limits = ResourceLimits()
    #expect(limits.failure(ProcessResult(end: .exited(0), why: .byItself)) == nil)
    #expect(limits.failure(ProcessResult(end: .exited(4), why: .byItself)) == "failed with exit status 4")
    #expect(limits.failure(ProcessResult(end: .signaled(9), why: .byItself)) == "was ended by signal 9 (SIGKILL)")
    var starved = ProcessResult(end: .signaled(9), why: .byItself)
    starved.memoryKills = 2
    #expect(limits.failure(starved) == "was stopped: the kernel ended 2 processes for want of memory")
    starved.end = .exited(1)
    #expect(limits.failure(starved) == "failed with exit status 1")
    #expect(limits.failure(ProcessResult(end: .notStarted, why: .canceled)) == "was not started")
    #expect(
      limits.failure(ProcessResult(end: .signaled(9), why: .timedOut(after: .milliseconds(300))))
        == "was stopped, because it took longer than 0.3 s")
    #expect(
      limits.failure(ProcessResult(end: .signaled(9), why: .tooManyProcesses(limit: 5)))
        == "was stopped: it had more than 5 processes")
    limits.processes = .max / 2
    #expect(limits.limits(writing: []).tasks == .max)
  }

  @Test("A message that waits is told in words that stay true when it has arrived")
  func postponed() {
    func delivery(_ way: Delivery.Way) -> Delivery {
      Delivery(
        key: ["1"], bot: "small", place: "ada@example.org", way: way, content: [],
        queuedAt: Date(timeIntervalSince1970: 0))
    }
    #expect(
      delivery(.mail(from: "m@example.org", to: "ada@example.org")).postponement(because: nil)
        == "could not be delivered to ada@example.org at first, and was queued for another try")
    #expect(
      delivery(.webhook(url: "http://127.0.0.1:1", secret: nil, event: "integration")).postponement(
        because: "no answer")
        == "could not be called at first, and was queued for another try: no answer")
  }
}
