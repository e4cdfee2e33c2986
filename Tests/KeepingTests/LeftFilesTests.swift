import Foundation
import TestGround
import Testing

@testable import Keeping

@Suite("What killed processes left aside in the home")
struct LeftFilesTests {
  /// More than any kernel counts to.
  private static let dead = 1 << 30

  private static let folders =
    ["", "/site", "/site/bot", "/integrations/bot", "/workspaces/bot", "/toolchains"] + states

  private static let states =
    ["", "/submodules/1234", "/builds/root", "/findings/root"].map { "/workspaces/bot/main-1/state\($0)" }

  @Test("goes when a watcher starts, but for what a living process writes", arguments: folders)
  func clearing(folder: String) throws {
    let scratch = try RepositoryScratch("left-files")
    let place = "\(scratch.path)\(folder)"
    try FileManager.default.createDirectory(atPath: "\(place)/.removed-7/deep", withIntermediateDirectories: true)
    let (left, own, others) = ("index.html.\(Self.dead).new", "ledger.\(getpid()).new", "index.html.\(getppid()).new")
    let kept = ["index.html", "4711.new", "notes.new"]
    for name in kept + [left, own, others] { try Data().write(to: URL(filePath: "\(place)/\(name)")) }
    #expect(LeftFiles.clear(in: WatchHome(scratch.path)) == ["\(place)/.removed-7"])
    let files = WatchHome.names(in: place).filter { $0.contains(".") && !$0.hasPrefix(".") }.sorted()
    #expect(files == (kept + [others]).sorted())
  }
}
