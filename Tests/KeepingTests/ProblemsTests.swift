import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("Problems of the watcher")
struct ProblemsTests {
  @Test("Those of the service are listed in one order, with removals by folder")
  func service() {
    var problems = Problems()
    #expect(problems.ofService == [])
    problems.removals = ["/b": "B stays.", "/a": "A stays."]
    problems.sending = "Nothing is sent."
    problems.store = "The disk is full."
    #expect(problems.ofService == ["The disk is full.", "Nothing is sent.", "A stays.", "B stays."])
  }

  @Test("A bot has its own, those of its repository, and what forges reject")
  func bot() {
    var problems = Problems()
    problems.bots["greeter"] = "The file is broken."
    problems.repositories["/srv/Greeter"] = Problems.OfRepository(words: "It cannot be read.")
    problems.refusals["greeter"] = "The token is wrong."
    #expect(
      problems.all(of: "greeter", in: "/srv/Greeter") == [
        "The file is broken.", "It cannot be read.", "The token is wrong.",
      ])
    #expect(problems.all(of: "other", in: "/srv/Other") == [])
  }

  @Test("A problem is told when it arises and when it changes, and not when it stays or is over")
  func telling() throws {
    let kept = try KeptWatch()
    let watcher = try kept.start()
    let before = kept.lines.all.count
    let changes = ["One.", "One.", "Two.", nil, nil, "Two."].map { watcher.note($0, as: \.removals["/a"]) }
    #expect(changes == [true, false, true, true, false, true])
    #expect(kept.lines.all.dropFirst(before) == ["One.", "Two.", "Two."])
  }

  @Test("A fault in a bot's file is told, shown and in the exit status until it is mended, while the bot runs on")
  func faultyFile() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    let watcher = try kept.start()
    kept.finish()
    let before = kept.lines.all.count
    #expect(try watcher.status().exitStatus == 0)
    try kept.bot("greeter", "Greeter", "branchs: [main]\n")
    kept.settle()
    let problem =
      "\(kept.scratch.path)/config/bots/greeter.yml:3:1: unknown key 'branchs'; did you mean 'branches'?\n"
      + "  branchs: [main]\n  ^"
    #expect(try kept.status(of: "greeter")?.problems == [problem])
    #expect(try watcher.status().exitStatus == 3)
    try kept.bot("greeter")
    kept.settle()
    #expect(try kept.status(of: "greeter")?.problems == [])
    #expect(try watcher.status().exitStatus == 0)
    #expect(kept.lines.all.dropFirst(before) == [problem, "greeter: the file is right again."])
  }

  @Test("A file that names a folder without a package now is told at once, until it or the repository is mended")
  func missingPackage() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    #expect(FileManager.default.createFile(atPath: "\(repository)/Package.swift", contents: nil))
    try kept.scratch.git(repository, "add", "--all")
    let tip = try kept.scratch.commit(repository)
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    func problems(_ settings: String) throws -> [String]? {
      try kept.bot("greeter", "Greeter", settings)
      kept.watcher?.reload()
      kept.settle()
      return try kept.status(of: "greeter")?.problems
    }
    let problem =
      "There is no folder 'packages/Nope' at \(tip.short) of main. Correct 'package' in greeter.yml."
    #expect(try problems("package: packages/Nope\n") == [problem])
    #expect(kept.lines.all.last == problem)
    #expect(kept.launcher.running.isEmpty)
    #expect(try problems("") == [])
    #expect(try problems("package: packages/Nope\n") == [problem])
    let folder = "\(repository)/packages/Nope"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: "\(folder)/Package.swift", contents: nil))
    try kept.scratch.git(repository, "add", "--all")
    try kept.scratch.commit(repository)
    kept.watcher?.reload()
    kept.settle()
    #expect(try kept.status(of: "greeter")?.problems == [])
  }
}
