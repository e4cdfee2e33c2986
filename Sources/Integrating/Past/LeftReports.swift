import Processes

/// The reports in a bot's site that were left aside because the processes that wrote them are gone.
struct LeftReports {
  private struct Report {
    var number: Int
    var folder: Folder
  }

  let home: Home
  let bot: String

  /// Removes the useless reports: half-written ones, and those of integrations that are not finished or that have their
  /// report.
  func removeUseless() {
    for report in all where !isWaiting(report) {
      try? report.folder.remove()  // A failure only wastes disk space.
    }
  }

  /// Puts the reports of finished integrations in place, and does what else was left to do for them.
  ///
  /// The watcher does this through its orders; for one-shot runs, nobody else does.
  func complete() throws(IntegratingError) {
    let stored = StoredIntegrations(in: home)
    for report in all where isWaiting(report) {
      // An unreadable integration stays where a person can look at it.
      guard let integration = try? stored.integration(report.number, of: bot) else { continue }
      try stored.complete(integration)
    }
  }

  /// The reports whose process is gone; its number is the last part of the name. If that is in use again, a report is
  /// left for later.
  private var all: [Report] {
    let site = home.site(of: bot)
    return site.names().compactMap { name in
      guard name.hasPrefix("."), name.hasSuffix(".new") else { return nil }
      let parts = name.split(separator: ".")
      guard parts.count == 3, let number = Int(parts[0]),
        ProcessNumber(parts[1])?.isOfEarlierProcess == true
      else { return nil }
      return Report(number: number, folder: site.folder(name))
    }
  }

  /// Whether only the last step is missing: putting the report in place.
  private func isWaiting(_ report: Report) -> Bool {
    report.folder.holds(StoredIntegration.fileName)
      && home.integration(report.number, of: bot).holds(StoredIntegration.fileName)
      && !home.site(of: bot).holds("\(report.number)")
  }
}
