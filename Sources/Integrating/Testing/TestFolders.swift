/// The folders for the tests of one destination in one integration.
///
/// They are beside the folders that outlive the integration, on the same disk, and new for each integration.
struct TestFolders {
  let root: Folder

  init(_ root: Folder) {
    self.root = root
  }

  var home: Folder { root.folder("home") }
  var temporary: Folder { root.folder("tmp") }
  /// The folders in which processes hand back what is meant for Martlet, which they cannot replace with others.
  var handed: Folder { root.folder("handed") }

  /// The list of accounts that tests in a sandbox see.
  var accounts: String { root.file(Self.accountsName) }
  static let accountsName = "passwd"

  /// Returns where a view of the sources keeps what is written.
  func layers(_ name: String) -> String { root.file("view-\(name)") }
}

/// The folder in which one test process hands back what is meant for Martlet: events, attachments, crash reports and
/// counters.
///
/// It is made for the process, and nobody else writes there. So what Martlet makes in it before the process starts is
/// where it belongs, and what Martlet reads when the process is over is read beneath it, without following links.
struct HandedFolder {
  let folder: Folder

  init(of process: String, in folders: TestFolders) throws(IntegratingError) {
    folder = try folders.handed.folder(process).create()
  }

  /// The file in which Swift Testing writes its events.
  static let eventsName = "events.jsonl"
  var events: String { folder.file(Self.eventsName) }
  static let attachmentsName = "attachments"
  var attachments: Folder { folder.folder(Self.attachmentsName) }
  /// The folder for the Swift runtime's crash reports.
  var crashes: Folder { folder.folder("crashes") }
  /// The folder in which the observer finds its channel to Martlet.
  var channel: Folder { folder.folder("channel") }
  /// The folder in which the programs that it starts find theirs.
  var counters: Folder { folder.folder("counters") }
  var profiles: Folder { Self.profiles(in: folder) }

  static func profiles(in folder: Folder) -> Folder { folder.folder("profiles") }
}
