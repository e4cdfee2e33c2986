package import Model

/// The logs of an integration that may still be running.
package struct GrowingLog: Sendable {
  package let number: Int
  let folder: Folder

  /// Whether the integration is over or was removed.
  package var isOver: Bool { folder.holds(StoredIntegration.fileName) || !folder.exists }

  /// The logs so far, in the order of the steps.
  package var logs: [StoredIntegration.Log] { StoredIntegration.Log.all(in: folder) }

  /// Returns the bytes of a log from an offset on; none if it cannot be read yet.
  package func bytes(of step: Step, from start: Int = 0) -> [UInt8] {
    folder.piece(of: step.logPath, from: start, bytes: max(0, folder.size(of: step.logPath) - start))
  }
}

extension StoredIntegrations {
  /// Returns the logs of an integration, running or over; nil if there is no such integration.
  ///
  /// - Parameter number: the number of the integration; nil for the newest.
  package func growingLog(of bot: String, _ number: Int?) -> GrowingLog? {
    guard !bot.isEmpty, !bot.contains("/"), !bot.hasPrefix(".") else { return nil }
    guard let number = number ?? home.integrations(of: bot).numbers.max() else { return nil }
    let folder = home.integration(number, of: bot)
    return folder.exists ? GrowingLog(number: number, folder: folder) : nil
  }
}
