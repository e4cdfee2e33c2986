import Foundation
import TestGround
import Testing

@testable import Watching

@Suite("The stamp of a toolchain")
struct ToolchainStampTests {
  private let scratch: RepositoryScratch

  init() throws {
    scratch = try RepositoryScratch()
    for name in ["A", "B"] {
      for file in ["bin/swift", "bin/swiftc", "bin/swift-frontend", "bin/less", "lib/swift/linux/libTesting.so"] {
        try write("\(name)/\(file)", "one")
      }
    }
  }

  private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  private func write(_ name: String, _ text: String) throws {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func lead(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: path(name))
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path(target))
  }

  @Test(
    "It changes with every program and library that takes part, though 'swiftc' is what it was",
    arguments: [
      "bin/swift-frontend", "bin/swift-build", "bin/clang-21", "lib/swift/linux/libTesting.so", "lib/swift/host/x",
    ])
  func rebuilt(file: String) throws {
    let before = ToolchainStamp.of(programs: path("A/bin"))
    #expect(ToolchainStamp.of(programs: path("A/bin")) == before)
    try write("A/\(file)", "another")
    #expect(ToolchainStamp.of(programs: path("A/bin")) != before)
  }

  @Test("It does not change with another program in the same folder")
  func others() throws {
    let before = ToolchainStamp.of(programs: path("A/bin"))
    try write("A/bin/less", "another")
    #expect(ToolchainStamp.of(programs: path("A/bin")) == before)
  }

  @Test("A link that leads to another copy has another one, and a link to the same none of its own")
  func link() throws {
    try lead("now", to: "A")
    let first = ToolchainStamp.of(programs: path("now/bin"))
    #expect(first == ToolchainStamp.of(programs: path("A/bin")))
    try lead("now", to: "B")
    #expect(ToolchainStamp.of(programs: path("now/bin")) != first)
  }

  @Test("What older versions remembered is none")
  func older() {
    #expect(ToolchainStamp.isStamp(ToolchainStamp.of(programs: path("A/bin"))))
    #expect(!ToolchainStamp.isStamp("/usr/bin/swift-driver 36765920 1776124800"))
  }
}
