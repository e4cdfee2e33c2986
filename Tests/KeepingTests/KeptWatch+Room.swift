import Foundation
import Model

@testable import Keeping

extension KeptWatch {
  /// Ends the only child that runs as one that has left a workspace, results and pages.
  func integrated(_ outcome: Outcome = .succeeded) {
    if let order = child?.order {
      let workspaces = [order.branch].compactMap(\.self).map {
        home.workspace(FileSystemName.workspace(of: $0), of: order.bot.name)
      }
      for folder in workspaces + [
        home.integration(order.number, of: order.bot.name), home.site(of: order.bot.name, order.number),
      ] { try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    }
    finish(outcome)
  }

  /// Makes a workspace of the bot `greeter`.
  func workspace(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: home.workspace(name, of: "greeter") + "/state", withIntermediateDirectories: true)
  }

  /// Takes the lock of a workspace of `greeter`; a descriptor that holds it.
  func hold(_ workspace: String) throws -> Int32 {
    let descriptor = open("\(home.workspace(workspace, of: "greeter"))/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    return descriptor
  }

  /// The workspaces of `greeter`.
  var workspaces: [String] { home.workspaceNames(of: "greeter") }
  /// The numbers of its integrations that have their results.
  var results: [Int] { numbers(in: home.integrations(of: "greeter")) }
  /// The same that have pages.
  var pages: [Int] { numbers(in: "\(home.path)/site/greeter") }

  private func numbers(in folder: String) -> [Int] { WatchHome.names(in: folder).compactMap { Int($0) }.sorted() }
}
