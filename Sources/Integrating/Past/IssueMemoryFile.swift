import FoundationEssentials
import Model
import Processes

/// What an integration remembers of issues, in the folder of what is kept of it: `issues.json`.
///
/// It is written before the summary document, so that an integration that is finished has it; where it is missing, what
/// the summary document tells has to do.
struct IssueMemoryFile {
  static let name = "issues.json"

  private let folder: Folder

  /// - Parameter folder: that of what is kept of an integration.
  init(in folder: Folder) {
    self.folder = folder
  }

  /// Reads what the integration remembers; nil when it is not finished.
  func read() -> IssueMemory? {
    if let bytes = folder.read(Self.name),
      var memory = try? JSONDecoder().decode(IssueMemory.self, from: Data(bytes)),
      memory.schema == IssueMemory.schemaName
    {
      memory.addSubjects()
      return memory
    }
    // A document of another version remembers nothing.
    return (try? StoredIntegration(in: folder)).map { IssueMemory(of: $0.document) }
  }

  func write(_ memory: IssueMemory, mask: SecretMask) throws(IntegratingError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try encoder.encode(memory))
    } catch {
      throw IntegratingError(
        .service, "cannot write \(folder.file(Self.name)): \(error). This is a fault of Martlet; please report it.")
    }
    try folder.write(mask.mask(bytes) + [UInt8(ascii: "\n")], to: Self.name)
  }
}
