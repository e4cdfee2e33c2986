import FoundationEssentials
import Glibc
import Model
import Processes
import Rendering
import Synchronization
import Testing

@testable import Integrating

@Suite("A session, on the machine that asks")
struct HandOutTests {
  private static let id = "0123456789abcdef"
  private let scratch: Scratch
  private let home: Home

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    try home.prepare()
    // What is installed there says what it is told to, whatever it is asked for, and in later sessions something else.
    try scratch.folder.folder("templates").create()
    let script = "#!/bin/sh\ncd '\(scratch.path)' && mv answers said && cp later answers && exec cat said\n"
    try scratch.folder.write(script, to: "program")
    chmod(scratch.file("program"), 0o755)
  }

  /// Follows an integration there, where the clock goes so fast that a failure is tried once more only: a thousand
  /// seconds pass from the last word to the failure, as while a connection hangs, and as many until the next one.
  ///
  /// - Parameter later: what is said in later sessions.
  /// - Returns: the end, and whether the machine was told to remove what it has.
  private func follow(
    answers: some Collection<UInt8>, later: [UInt8] = []
  ) throws -> (end: IntegrationNews, isReleased: Bool) {
    try scratch.folder.write(Array(answers), to: "answers")
    try scratch.folder.write(later, to: "later")
    var machine = MachineSettings(name: "other", host: nil)
    machine.home = scratch.file("there")
    let order = IntegrationOrder(
      bot: Bot(name: "greeter", repository: "/r"), number: 3, commit: CommitID(rawValue: "a"), branch: "main",
      cause: .commit, queuedAt: Date(timeIntervalSince1970: 0))
    let time = Mutex(0.0)
    let news = Mutex<[IntegrationNews]>([])
    let clock = Clock(now: { Date(timeIntervalSince1970: 0) }) {
      time.withLock { time in
        time += 1000
        return time
      }
    }
    let handOut = HandOut(
      HandOutOrder(order, id: Self.id, machine: machine, isFollowing: true), home: home,
      program: MachineProgram(
        executable: scratch.file("program"), templates: scratch.file("templates"), override: nil),
      environment: ["PATH": "/usr/bin:/bin"], clock: clock, cancellation: try Cancellation(),
      tell: { one in news.withLock { $0.append(one) } })
    let end = try handOut.run()
    return (end, news.withLock { $0.contains(.released) })
  }

  /// What a machine says, answer after answer: news, the end, the files and that it has removed its own.
  private func answers() throws -> [[UInt8]] {
    var integration = Integration(
      bot: "greeter", number: 3, repository: "/r", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "a"), summary: "Begin", author: "Ada", date: Date(timeIntervalSince1970: 0)),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: "martlet run")
    integration.outcome = .buildErrors
    let made = try scratch.folder.folder("made/kept").create()
    try made.write(
      try IntegrationRecord(integration).encoded(), to: "integration.json")
    try made.write("log", to: "building.log")
    let files = try ResultManifest.files(of: [("kept", made)])
    let manifest = ResultManifest(id: Self.id, bot: "greeter", number: 3, files: files)
    var answers = [
      try MachineReply.news(.log(name: "building.log", offset: 0, bytes: Data("lo".utf8))).jsonLine,
      try MachineReply.news(.end(.result(manifest))).jsonLine,
    ]
    for name in ["building.log", "integration.json"] {
      try FileStream.write("kept/\(name)", from: made.file(name)) { answers.append($0) }
    }
    try FileStream.writeEnd { answers.append($0) }
    return answers + [try MachineReply.released.jsonLine]
  }

  private var isFinished: Bool { home.integrations(of: "greeter").folder("3").holds("integration.json") }

  @Test("The program is installed where it is not there, and its result is taken in")
  func whole() throws {
    let (end, isReleased) = try follow(answers: Array(try answers().joined()))
    guard case .finished(let summary) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(summary.outcome == .buildErrors && isReleased && isFinished)
    #expect(scratch.text("home/integrations/greeter/3/building.log") == "log")
    #expect(HandoverFolder.all(in: home).names() == [])
  }

  @Test("How long a machine did not answer is told from its last word on, not from the first failure")
  func silence() throws {
    #expect(
      try follow(answers: answers()[0]).end
        == .handed(
          .lost("other did not answer for 33 min 20 s: it cannot be reached: the command ended without a word.")))
  }

  @Test("A connection that is cut before the whole result has come takes nothing in, wherever it is cut")
  func cut() throws {
    let answers = try answers()
    let all = Array(answers.joined())
    var (ends, last) = ([Int](), 0)
    for answer in answers.dropLast() {
      ends += [last, last + 1, last + answer.count / 2, last + answer.count - 1]
      last += answer.count
    }
    for count in Set(ends).sorted() {
      #expect(
        try follow(answers: all.prefix(count)).end
          == .handed(
            .lost(
              "other did not answer for 33 min 20 s: it cannot be reached: the command ended without a word.")),
        "\(count)")
      #expect(!isFinished, "\(count)")
    }
    let (end, isReleased) = try follow(answers: all.prefix(last + 5))
    guard case .finished = end else {
      Issue.record("\(end)")
      return
    }
    #expect(!isReleased && isFinished)
  }

  @Test("A machine is not lost before it was asked again, however long this one slept")
  func slept() throws {
    let answers = try answers()
    let (end, isReleased) = try follow(answers: answers[0], later: Array(answers.joined()))
    guard case .finished = end else {
      Issue.record("\(end)")
      return
    }
    #expect(isReleased && isFinished)
  }

  @Test("A login that prints something itself is told, with what it prints")
  func noisy() throws {
    let welcome = Array("Welcome to Debian!\n".utf8)
    let end = try follow(answers: welcome, later: welcome).end
    #expect(
      end
        == .handed(
          .lost(
            "other did not answer for 33 min 20 s: cannot read what another machine says, which begins with 'Welcome to Debian!'. Check that its login prints nothing itself."
          )))
  }
}
