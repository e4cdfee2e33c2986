import Model

extension StoredIntegrations {
  /// Does what was left to do for an integration whose process was killed after its summary document was written: the
  /// lines in the ledger and the history, and the report, which lies aside and is renamed into the site.
  ///
  /// To be called only where that process is gone. A report that could not be made stays missing.
  package func complete(_ stored: StoredIntegration) throws(IntegratingError) {
    let document = stored.document
    let all = home.integrations(of: document.bot)
    // Two who come at the same time must not both write the lines that are missing.
    let lock = try FileLock.open(all.file("completing.lock"))
    try lock.await()
    let ledger = Ledger(in: all)
    if !ledger.entries().contains(where: { $0.number == document.number }) {
      // The document does not say which tests were selected; with an unknown scope it is nobody's baseline.
      try ledger.append(
        Ledger.Entry(
          number: document.number, commit: document.commit.id, outcome: document.outcome,
          scope: Ledger.Entry.unknownScope,
          isDirty: document.workingTree != nil, branchKey: document.branch.map(FileSystemName.encode)))
    }
    let history = History(in: all)
    if !history.newest().contains(where: { $0.number == document.number }) {
      try history.append(HistoryLine(of: document))
    }
    try putReport(of: document)
  }

  private func putReport(of document: IntegrationDocument) throws(IntegratingError) {
    let site = home.site(of: document.bot)
    let place = site.folder("\(document.number)")
    guard !place.exists else { return }
    for name in site.names() where name.hasPrefix(".\(document.number).") && name.hasSuffix(".new") {
      guard site.folder(name).holds(StoredIntegration.fileName) else { continue }
      return try site.folder(name).rename(to: place)
    }
  }
}
