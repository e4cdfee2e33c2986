import Foundation
import Testing

@testable import Integrating

@Suite("What is kept of manifests")
struct ManifestCacheTests {
  private let scratch: Scratch
  private let memory: Folder
  private let caches: Folder

  init() throws {
    scratch = try Scratch()
    memory = scratch.folder.folder("memory")
    caches = scratch.folder.folder("caches")
  }

  /// Has a run with some manifests find something out, which is kept.
  private func keep(_ contents: [String], _ found: String) throws {
    let cache = ManifestCache(for: contents, in: memory)
    try cache.lend(to: caches)
    try caches.folder("manifests").create().write(Array(found.utf8), to: "manifest.db")
    cache.keep(from: caches)
  }

  /// What a run with some manifests finds.
  private func lent(_ contents: [String]) throws -> String? {
    try ManifestCache(for: contents, in: memory).lend(to: caches)
    return caches.read("manifests/manifest.db").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("The same manifests get what was found out, others nothing")
  func lends() throws {
    #expect(try lent(["one", "two"]) == nil)
    try keep(["one", "two"], "answer")
    #expect(try lent(["one", "two"]) == "answer")
    #expect(try lent(["onetwo"]) == nil)
    #expect(try lent(["one", "two", ""]) == nil)
  }

  @Test("What a run writes to its copy is gone with it, and so is everything else in the folder")
  func throwAway() throws {
    try keep(["one"], "answer")
    #expect(try lent(["one"]) == "answer")
    try caches.folder("manifests").write(Array("forged".utf8), to: "manifest.db")
    try caches.folder("repositories").create().write([1], to: "planted")
    #expect(try lent(["one"]) == "answer")
    #expect(caches.names() == ["manifests"])
  }

  @Test("A link in the place of the cache is not followed")
  func link() throws {
    try scratch.folder.write(Array("secret".utf8), to: "secret")
    let cache = ManifestCache(for: ["one"], in: memory)
    try cache.lend(to: caches)
    symlink(scratch.file("secret"), try caches.folder("manifests").create().file("manifest.db"))
    cache.keep(from: caches)
    #expect(try lent(["one"]) == nil)
  }
}
