import FoundationEssentials
package import Model
import Processes

/// The silences of a bot's issues: `silences.json` in the folder of its integrations.
package struct Silences: Sendable {
  private static let fileName = "silences.json"
  private static let schemaName = "martlet.silences/1"

  private struct Document: Codable {
    var schema: String
    var silences: [Silence]
  }

  private let folder: Folder

  /// - Parameter folder: the folder of the bot's integrations.
  package init(in folder: Folder) {
    self.folder = folder
  }

  /// Returns all silences, including those that have ended, in the order in which they were made.
  ///
  /// - Throws: if there is a file that cannot be read, since it is then unknown what is silenced.
  package func all() throws(IntegratingError) -> [Silence] {
    guard folder.holds(Self.fileName) else { return [] }
    guard let bytes = folder.read(Self.fileName),
      let document = try? IntegrationRecord.decoder.decode(Document.self, from: Data(bytes)),
      document.schema == Self.schemaName
    else {
      throw IntegratingError(
        .service,
        "cannot read \(folder.file(Self.fileName)): it is not a complete \(Self.schemaName) document. Mend it, or remove it and silence the issues again."
      )
    }
    return document.silences
  }

  /// Replaces all silences of an issue.
  package func replace(those issue: String, with new: [Silence]) throws(IntegratingError) {
    try change { silences in
      silences.removeAll { $0.issue == issue }
      silences += new
    }
  }

  /// Changes the list; concurrent changes wait for each other.
  package func change(_ change: (inout [Silence]) -> Void) throws(IntegratingError) {
    try folder.create()
    let lock = try FileLock.open(folder.file("silences.lock"))
    try lock.await()
    var silences = try all()
    change(&silences)
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try IntegrationRecord.encoder.encode(Document(schema: Self.schemaName, silences: silences)))
    } catch {
      throw IntegratingError(
        .service, "cannot write \(folder.file(Self.fileName)): \(error). This is a fault of Martlet; please report it.")
    }
    try folder.write(bytes + [UInt8(ascii: "\n")], to: Self.fileName)
  }
}
