import Foundation
import Model
import Processes
import TestGround
import Testing

@testable import Keeping

@Suite("When the watcher sends messages")
struct SendingScheduleTests {
  private static let daily = "triggers: [{mail: {to: [ada@example.org], report: daily}}]\n"

  private func bot(_ kept: KeptWatch, _ more: String) throws {
    try kept.write(
      "config/bots/greeter.yml",
      "repository: \(kept.scratch.path)/Greeter\nschedule: {on: manual, time-zone: UTC, also-when-toolchain-changes: false}\n\(more)"
    )
  }

  @Test("Without anything to send no child is started, and nothing wakes the watcher")
  func nothing() throws {
    let kept = try KeptWatch()
    try bot(kept, "triggers: [{webhook: {url: \"https://example.org\"}}]\n")
    try kept.start()
    #expect(kept.launcher.posted.isEmpty)
    #expect(kept.watcher?.sending.nextTime(kept.time.clock) == nil)
  }

  @Test("A bot with a daily mail is looked at when the watcher starts, and each day")
  func daily() throws {
    let kept = try KeptWatch()
    try kept.write("config/martlet.yml", "mail: {sendmail: /bin/true, from: martlet@example.org}\n")
    try bot(kept, Self.daily)
    try kept.start()
    #expect(kept.launcher.posted.count == 1)
    #expect(kept.launcher.posted.first?.bots.map(\.name) == ["greeter"])
    #expect(kept.launcher.posted.first?.mailAccount?.server.from == "martlet@example.org")
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.advance(86_400)
    kept.settle()
    #expect(kept.launcher.posted.count == 2)
  }

  @Test("A daily mail is looked at again when a clock that was ahead is set right")
  func setBack() throws {
    let kept = try KeptWatch()
    try kept.write("config/martlet.yml", "mail: {sendmail: /bin/true, from: martlet@example.org}\n")
    try bot(kept, Self.daily)
    kept.time.set(ahead: 300 * 86_400)
    try kept.start()
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.set(ahead: 0)
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.posted.count == 2)
  }

  @Test("What waits in the outbox is looked at once a minute until it is gone")
  func outbox() throws {
    let kept = try KeptWatch()
    try bot(kept, "")
    try FileManager.default.createDirectory(atPath: kept.home.outbox, withIntermediateDirectories: true)
    try kept.write("home/outbox/00ff.json", "{}")
    try kept.start()
    #expect(kept.launcher.posted.count == 1)
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.posted.count == 2)
    try kept.remove("home/outbox/00ff.json")
    for _ in 0..<5 {
      kept.time.advance(61)
      kept.settle()
    }
    #expect(kept.launcher.posted.count <= 3)
    #expect(kept.watcher?.sending.nextTime(kept.time.clock) == nil)
  }

  @Test("What is due within a minute is sent when it is due")
  func dueSooner() throws {
    let kept = try KeptWatch()
    try bot(kept, "")
    try FileManager.default.createDirectory(atPath: kept.home.outbox, withIntermediateDirectories: true)
    try kept.write("home/outbox/00ff.json", "{}")
    var result = SendingResult()
    result.nextDue = kept.time.clock.now().addingTimeInterval(40)
    kept.launcher.sendingResult = result
    try kept.start()
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.advance(20)
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.advance(20)
    kept.settle()
    #expect(kept.launcher.posted.count == 2)
  }

  @Test("Secrets of one bot that cannot be read hold up no other bot, which is said once until it is mended")
  func unreadableSecrets() throws {
    let kept = try KeptWatch()
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/config/secrets", withIntermediateDirectories: true)
    func secrets(of name: String, mode: Int) throws -> String {
      let file = "\(kept.scratch.path)/config/secrets/\(name).env"
      try kept.write("config/secrets/\(name).env", "KEY=tulip\n")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      return file
    }
    let file = try secrets(of: "one", mode: 0o644)
    _ = try secrets(of: "two", mode: 0o600)
    for name in ["one", "two"] {
      try kept.write(
        "config/bots/\(name).yml",
        "repository: \(kept.scratch.path)/Greeter\nschedule: {on: manual, also-when-toolchain-changes: false}\n"
          + "triggers: [{webhook: {url: \"https://example.org\", secret: KEY}}]\n")
    }
    try FileManager.default.createDirectory(atPath: kept.home.outbox, withIntermediateDirectories: true)
    try kept.write("home/outbox/00ff.json", "{}")
    func look() {
      kept.time.advance(61)
      kept.settle()
    }
    try kept.start()
    look()
    #expect(kept.launcher.posted.map(\.secrets) == Array(repeating: ["two": ["KEY": "tulip"]], count: 2))
    #expect(kept.launcher.posted.last?.bots.map(\.name) == ["one", "two"])
    let words =
      "one sends nothing that needs its secrets: \(file): secrets are refused, because others than the owner can open the file "
      + "(its mode is 644); run: chmod 600 '\(file)'."
    #expect(kept.lines.all.filter { $0 == words }.count == 1)
    #expect(try kept.watcher?.status().problems == [words])
    _ = try secrets(of: "one", mode: 0o600)
    look()
    #expect(kept.launcher.posted.last?.secrets == ["one": ["KEY": "tulip"], "two": ["KEY": "tulip"]])
    #expect(try kept.watcher?.status().problems == [])
  }

  @Test("Secrets of the server that cannot be read hold up mail alone, which is said while something waits")
  func unreadableLogin() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    let file = "\(kept.scratch.path)/config/secrets.env"
    func allow(_ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
    try kept.write(
      "config/martlet.yml",
      "mail: {smtp: \"smtps://mail.example.org\", from: martlet@example.org, user: USER, password: PASSWORD}\n")
    try kept.write("config/secrets.env", "USER=ada\nPASSWORD=tulip\n")
    try allow(0o644)
    try kept.bot("greeter", "Greeter", Self.daily)
    try kept.start()
    #expect(kept.child?.order?.mailAccount?.lacksLogin == true)
    #expect(kept.launcher.posted.map { $0.mailAccount?.lacksLogin } == [true])
    #expect(try kept.watcher?.status().problems == [])
    try FileManager.default.createDirectory(atPath: kept.home.outbox, withIntermediateDirectories: true)
    try kept.write("home/outbox/00ff.json", "{}")
    kept.finish()
    let words =
      "No mail is sent: \(file): secrets are refused, because others than the owner can open the file "
      + "(its mode is 644); run: chmod 600 '\(file)'."
    #expect(kept.lines.all.filter { $0 == words }.count == 1)
    #expect(try kept.watcher?.status().problems == [words])
    try allow(0o600)
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.posted.last?.mailAccount?.login?.password == "tulip")
    #expect(try kept.watcher?.status().problems == [])
  }

  @Test("Lists and pages tell of an integration whose message was refused later")
  func changed() throws {
    let kept = try KeptWatch()
    try bot(kept, "")
    try FileManager.default.createDirectory(atPath: kept.home.outbox, withIntermediateDirectories: true)
    try kept.write("home/outbox/00ff.json", "{}")
    var result = SendingResult()
    result.changed = ["greeter": [3]]
    kept.launcher.sendingResult = result
    try kept.start()
    kept.settle()
    kept.time.advance(2)
    kept.settle()
    #expect(kept.launcher.published.contains { $0.integrations["greeter"]?.contains(3) == true })
  }

  @Test("A child's last words may be a sentence of their own")
  func lastWords() {
    for words in ["Cannot write x. Make room, and run it again", "Cannot write x. Make room, and run it again."] {
      #expect(TaskEnd(failure: words).failure == "Cannot write x. Make room, and run it again.")
    }
  }

  @Test("A child that fails is said, and reports are tried again in a minute")
  func failing() throws {
    let kept = try KeptWatch()
    try kept.write("config/martlet.yml", "mail: {sendmail: /bin/true, from: martlet@example.org}\n")
    try bot(kept, Self.daily)
    kept.launcher.sendingEnd = TaskEnd(failure: "it ended with exit status 3")
    try kept.start()
    #expect(kept.lines.all.contains("Not everything could be delivered: it ended with exit status 3."))
    let count = kept.launcher.posted.count
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.posted.count == count + 1)
  }
}
