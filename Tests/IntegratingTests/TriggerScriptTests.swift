import FoundationEssentials
import Model
import Testing

@testable import Integrating

@Suite("The scripts of a bot")
struct TriggerScriptTests {
  private func words(_ text: String) throws -> [String] {
    let script = try TriggerScript(path: "/s", text: Array(text.utf8))
    return [script.program] + script.arguments
  }

  @Test(
    "The first line chooses the interpreter as Linux reads it, else the shell does",
    arguments: [
      ("echo done", ["/bin/sh", "/s"]),
      ("", ["/bin/sh", "/s"]),
      ("#!/bin/sh", ["/bin/sh", "/s"]),
      ("#! /bin/sh -eu \necho", ["/bin/sh", "-eu", "/s"]),
      ("#!/usr/bin/env sh -x\r\necho", ["/usr/bin/env", "sh -x", "/s"]),
      ("\u{7F}ELF…", ["/s"]),
    ])
  func interpreter(text: String, expected: [String]) throws {
    #expect(try words(text) == expected)
  }

  @Test(
    "A first line that names no program of this machine is refused with the reason",
    arguments: [
      ("#!python3\n", "its first line does not name an interpreter by its absolute path"),
      ("#!\n", "its first line does not name an interpreter by its absolute path"),
      ("#!/bin/sh\0x -e\n", "its first line does not name an interpreter by its absolute path"),
      ("#!/nowhere/python3\n", "its interpreter /nowhere/python3 is not on this machine, or is not a program"),
    ])
  func refused(text: String, reason: String) {
    #expect(throws: TriggerScript.Refusal(reason: reason)) { try words(text) }
  }

  @Test("A script is let into folders that it may write, but not where others could lead it")
  func write() throws {
    let policy = SandboxPolicy(write: ["/var/cache/greeter"])
    func reason(_ path: String) -> String? {
      TriggerScript.refusal(of: ["/tmp", path], beside: policy, own: "/var/lib/martlet")?.reason
    }
    #expect(reason("/usr") == nil)
    #expect(reason("srv") == "its 'write' names srv: it is not an absolute path")
    #expect(reason("/srv/../etc") == "its 'write' names /srv/../etc: it is not an absolute path")
    #expect(reason("//") == "its 'write' names //: it is the whole machine")
    for path in ["/var/lib", "/var/lib/martlet", "/var/lib/martlet/site"] {
      #expect(reason(path) == "its 'write' names \(path): Martlet's own folders lie there, in /var/lib/martlet")
    }
    #expect(
      reason("/var/cache/greeter/www")
        == "its 'write' names /var/cache/greeter/www: it lies in /var/cache/greeter, which the sandbox lets the code under test write to"
    )
    #expect(reason("/nowhere") == "its 'write' names /nowhere: No such file or directory")
    #expect(reason("/etc/passwd") == "its 'write' names /etc/passwd: it is no folder")
  }

  @Test("Scripts write where they may; those of the package only where it is trusted")
  func trustedWriting() {
    var bot = Bot(name: "shop", repository: "/shop")
    bot.secretBranches = ["main"]
    for (branch, isTrusted) in [("main", true), ("topic", false)] {
      let order = IntegrationOrder(
        bot: bot, number: 1, commit: CommitID(rawValue: String(repeating: "a", count: 40)), branch: branch,
        cause: .commit, queuedAt: .distantPast)
      let scripts = IntegrationRequest(order).scripts
      func write(_ source: Trigger.Script.Source) -> [String] {
        scripts.write(for: Trigger.Script(moment: .after, source: source, write: ["/srv"]))
      }
      #expect(write(.packageFile("a.sh")) == (isTrusted ? ["/srv"] : []))
      #expect(write(.botFile("/a.sh")) == ["/srv"])
      #expect(write(.inline("true")) == ["/srv"])
    }
  }

  @Test("Scripts see the secrets that the bot names; those of the package only where it is trusted")
  func secrets() {
    var bot = Bot(name: "shop", repository: "/shop")
    bot.secrets = ["TOKEN", "MISSING"]
    bot.triggers = [
      .script(Trigger.Script(moment: .after, source: .packageFile("deploy.sh"))),
      .script(Trigger.Script(moment: .before, source: .inline("true"))),
    ]
    var order = IntegrationOrder(
      bot: bot, number: 1, commit: CommitID(rawValue: String(repeating: "a", count: 40)), branch: "main",
      cause: .commit, queuedAt: .distantPast, secrets: ["TOKEN": "tulip-4711", "OTHER": "rose"])
    var request = IntegrationRequest(order)
    #expect(request.secrets.sorted() == ["rose", "tulip-4711"])
    #expect(request.scripts.before.count == 1)
    #expect(request.scripts.after.count == 1)
    #expect(request.scripts.missingSecrets == ["MISSING"])
    #expect(request.scripts.secrets(for: .inline("")) == ["TOKEN": "tulip-4711"])
    #expect(request.scripts.secrets(for: .botFile("/x")) == ["TOKEN": "tulip-4711"])
    #expect(request.scripts.secrets(for: .packageFile("x")) == [:])
    for (branch, globs, trusted) in [
      ("main", ["main"], true), ("main", ["release/*"], false), ("main", [], false),
      ("release/7", ["main", "release/*"], true),
      (nil, ["*"], false),
    ] {
      order.branch = branch
      order.bot.secretBranches = globs
      request = IntegrationRequest(order)
      let seen = trusted ? ["TOKEN": "tulip-4711"] : [:]
      #expect(request.scripts.secrets(for: .packageFile("x")) == seen, "\(branch ?? "no branch"), \(globs)")
    }
  }
}
