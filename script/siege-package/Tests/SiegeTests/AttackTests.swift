import Foundation
import XCTest

/// Carries out the attempts that the commit has for tests.
final class AttackTests: XCTestCase {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  func testAttempts() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "Attacks.txt"), encoding: .utf8)
    let names = text.split(separator: "\n").map { $0.split(separator: " ") }
    for name in names where name.first == "inside" { inside(String(name[1])) }
    guard names.contains(where: { $0.first == "test" }) else { return }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Self.folder.appending(path: "payloads.py").path, "test"]
    try process.run()
    process.waitUntilExit()
  }
}
