/// Something that Martlet could not do as it should, without stopping the integration.
package enum ServiceWarning: Hashable, Sendable {
  case uncontained(why: String, remedy: String)
  case secretWithoutValue(String, bot: String)
  /// Files that Git LFS keeps elsewhere, by their paths in the repository.
  case pointerFiles([String])
  case noGitInformation
  case proxyOutOfReach([String])
  case loopbackInReach(why: String, remedy: String)
  case pinsNotFollowed([PackagePins.Departure], ofWorkTree: Bool)
  case filesTouched(TouchedFiles, by: Worker)
  case auditFailed(BuildAudit)
  case countersNotKept(reason: String, ofStartedProgram: Bool)
  case countersNotRead(file: String, reason: String)
  case attachmentNotKept(String, of: TestID, problem: String)
  case mangledNames(reason: String)
  case originsUnread(files: Int, of: Int)
  case originsUnreadable(reason: String)
  case testNamesUnread(pattern: String, limit: String)
  case nothingToArchive
  case silencesUnreadable(reason: String)
  case noteNotWritten(reason: String)
  case reportNotMade(reason: String)

  /// Something that works on checked-out files and should leave them alone.
  package enum Worker: String, Hashable, Sendable {
    case build, analyzer, tests
  }

  /// Changes to checked-out files, by their paths in the repository.
  package struct TouchedFiles: Hashable, Sendable {
    package var changed: [String]
    package var removed: [String]
    package var added: [String]

    package init(changed: [String], removed: [String], added: [String]) {
      self.changed = changed
      self.removed = removed
      self.added = added
    }

    package var isEmpty: Bool { changed.isEmpty && removed.isEmpty && added.isEmpty }
  }
}

extension ServiceWarning {
  /// The subject of an issue for this warning.
  package var subject: IssueSubject { IssueSubject(IssueSubject.Code(rawValue: code), name: name) }

  private var code: String {
    switch self {
    case .uncontained: "uncontained"
    case .secretWithoutValue: "secret-without-value"
    case .pointerFiles: "pointer-files"
    case .noGitInformation: "no-git-information"
    case .proxyOutOfReach: "proxy-out-of-reach"
    case .loopbackInReach: "loopback-in-reach"
    case .pinsNotFollowed: "pins-not-followed"
    case .filesTouched: "files-touched"
    case .auditFailed: "audit-failed"
    case .countersNotKept: "counters-not-kept"
    case .countersNotRead: "counters-not-read"
    case .attachmentNotKept: "attachment-not-kept"
    case .mangledNames: "mangled-names"
    case .originsUnread, .originsUnreadable: "origins-unread"
    case .testNamesUnread: "test-names-unread"
    case .nothingToArchive: "nothing-to-archive"
    case .silencesUnreadable: "silences-unreadable"
    case .noteNotWritten: "note-not-written"
    case .reportNotMade: IssueSubject.Code.reportNotMade.rawValue
    }
  }

  /// What distinguishes warnings with the same code; nil if there is only one.
  private var name: String? {
    switch self {
    case .secretWithoutValue(let name, _): name
    case .pinsNotFollowed(let departures, _): departures.map(\.pinned.identity).joined(separator: " ")
    case .filesTouched(let files, let worker):
      ([worker.rawValue] + files.changed + files.removed + files.added).prefix(10).joined(separator: " ")
    case .countersNotRead(let file, _): file
    case .attachmentNotKept(let name, let test, _): "\(test) \(name)"
    case .auditFailed(let audit): audit.commit.short
    case .uncontained, .pointerFiles, .noGitInformation, .proxyOutOfReach, .loopbackInReach, .countersNotKept,
      .mangledNames,
      .originsUnread,
      .originsUnreadable, .testNamesUnread, .nothingToArchive, .silencesUnreadable, .noteNotWritten,
      .reportNotMade:
      nil
    }
  }
}
