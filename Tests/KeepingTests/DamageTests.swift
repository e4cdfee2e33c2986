import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("What a damaged repository holds up")
struct DamageTests {
  private let missing = String(repeating: "1", count: 40)

  /// Two bots, and a repository whose branch names an object that it lacks.
  private func damaged() throws -> (kept: KeptWatch, ref: String, commit: CommitID) {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository("Greeter")
    let broken = try kept.scratch.repository("Broken")
    let commit = CommitID(rawValue: try kept.scratch.git(broken, "rev-parse", "HEAD"))
    let ref = "Broken/.git/refs/heads/main"
    try kept.write(ref, "\(missing)\n")
    try kept.bot("broken", "Broken")
    try kept.bot("greeter")
    return (kept, ref, commit)
  }

  private func trouble(_ kept: KeptWatch) -> String {
    "Cannot read the commit “\(missing)” of “\(kept.scratch.path)/Broken”: object not found - no match for id (\(missing)). If the repository is a partial clone, run `git fetch --refetch --no-filter` in it; otherwise run `git fsck`."
  }

  @Test("The bots of other repositories go on, and a watcher that is to end by itself ends")
  func others() throws {
    let (kept, _, _) = try damaged()
    kept.options.isOnce = true
    try kept.start()
    #expect(kept.child?.order?.bot.name == "greeter")
    kept.finish()
    let problems = try kept.status(of: "broken")?.problems
    #expect(problems == [trouble(kept)])
    #expect(kept.watcher?.isOver == true)
    #expect(kept.watcher?.worst == 3)
    #expect(kept.watcher?.problems.store == nil)
  }

  @Test("It is looked at when it is whole again without a ref that moved, whoever has read it meanwhile")
  func readBySomebodyElse() throws {
    let (kept, ref, commit) = try damaged()
    // The object comes back where it was, and nothing tells of that.
    let object = "Broken/.git/objects/\(commit.rawValue.prefix(2))/\(commit.rawValue.dropFirst(2))"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(kept.scratch.path)/\(object)"))
    try kept.write(ref, "\(commit.rawValue)\n")
    try kept.remove(object)
    try kept.start()
    kept.finish()
    let watcher = try #require(kept.watcher)
    _ = try watcher.read("\(kept.scratch.path)/Broken", watcher.bots(of: "\(kept.scratch.path)/Broken"))
    try bytes.write(to: URL(fileURLWithPath: "\(kept.scratch.path)/\(object)"))
    kept.time.advance(31)
    kept.settle()
    #expect(kept.child?.order?.commit == commit)
    #expect(try kept.status(of: "broken")?.problems == [])
  }

  @Test("It is looked at every 30 s, told once, and integrated and watched as soon as it is whole")
  func mended() throws {
    let (kept, ref, commit) = try damaged()
    try kept.start()
    kept.finish()
    kept.time.advance(31)
    kept.settle()
    #expect(kept.lines.all.filter { $0.contains(trouble(kept)) }.count == 1)
    try kept.write(ref, "\(commit.rawValue)\n")
    kept.time.advance(31)
    kept.settle()
    #expect(kept.child?.order?.commit == commit)
    #expect(try kept.status(of: "broken")?.problems == [])
    #expect(try kept.status(of: "broken")?.seeing == "watched")
    #expect(kept.lines.all.filter { $0.hasSuffix("Broken is watched again.") }.count == 1)
  }
}
