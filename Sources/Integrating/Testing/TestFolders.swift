/// The folders that the tests of one integration have for themselves.
///
/// They lie beside the folders that outlive the integration, on the same disk, and are new for each.
struct TestFolders {
  let root: Folder

  init(_ root: Folder) {
    self.root = root
  }

  /// Their home.
  var home: Folder { root.folder("home") }
  /// Where they find room for temporary files.
  var temporary: Folder { root.folder("tmp") }
  /// The folders in which processes hand back what is meant for Martlet, which they cannot exchange for others.
  var handed: Folder { root.folder("handed") }

  /// Where a view of the sources keeps what is written.
  func layers(_ name: String) -> String { root.file("view-\(name)") }
}

/// The folder in which one test process hands back what is meant for Martlet: events, attachments, reports of crashes and
/// counters.
///
/// It is made for the process, and nobody else writes there. So what Martlet makes in it before the process starts lies where
/// it belongs, and what Martlet reads when the process is over is read beneath it, without following links.
struct HandedFolder {
  let folder: Folder

  /// Makes it.
  init(of process: String, in folders: TestFolders) throws(IntegratingError) {
    folder = try folders.handed.folder(process).create()
  }

  /// The file in which Swift Testing writes its events.
  static let eventsName = "events.jsonl"
  var events: String { folder.file(Self.eventsName) }
  static let attachmentsName = "attachments"
  var attachments: Folder { folder.folder(Self.attachmentsName) }
  /// Where the Swift runtime puts reports of crashes.
  var crashes: Folder { folder.folder("crashes") }
  /// Where the observer finds its way to Martlet.
  var channel: Folder { folder.folder("channel") }
  /// Where the programs that it starts find theirs.
  var counters: Folder { folder.folder("counters") }
  /// Where counters are left.
  var profiles: Folder { Self.profiles(in: folder) }

  static func profiles(in folder: Folder) -> Folder { folder.folder("profiles") }
}
