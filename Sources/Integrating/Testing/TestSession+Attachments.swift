import Model
import Parsing
import Processes
import Rendering

extension TestSession {
  /// Returns the arguments that make Swift Testing write attachments to files; toolchains before 6.2 have none.
  func attachments(in handed: HandedFolder) throws(IntegrationStop) -> [String] {
    guard surroundings.toolchain.version >= Toolchain.Version(major: 6, minor: 2) else { return [] }
    return try stopping { ["--attachments-path", try handed.attachments.create().path] }
  }

  /// Copies what the tests of a process attached to where no test can reach it.
  mutating func keepAttachments(of run: ParsedTestRun, in handed: HandedFolder) -> ParsedTestRun {
    var run = run
    for index in run.results.indices where keepsTraces {
      let test = run.results[index].id
      for place in run.results[index].attachments.indices {
        keep(&run.results[index].attachments[place], of: test, in: handed)
      }
    }
    try? handed.attachments.remove()  // It has been copied; a failure only wastes space.
    return run
  }

  /// Keeps one attachment, or records why it is not kept.
  private mutating func keep(_ attachment: inout TestAttachment, of test: TestID, in handed: HandedFolder) {
    guard let written = attachment.path else { return }
    attachment.path = nil
    switch read(written, in: handed) {
    case .bytes(let written):
      let bytes = output.log.mask.mask(written)
      attachment.byteCount = bytes.count
      attachment.picture = TestAttachment.Picture(of: bytes)
      do throws(IntegratingError) {
        attachment.path = try store(bytes, as: attachment, of: test)
        attachedBytes += bytes.count
        attachedCount += 1
      } catch {
        attachment.problem = error.description
      }
    case .absent: attachment.problem = "Not kept: its file is gone."
    case .refused(let reason): attachment.problem = "Not kept: \(reason)."
    }
    if let problem = attachment.problem {
      // A test that runs again, after another's crash or for a second chance, is reported only once.
      let warning = ServiceWarning.attachmentNotKept(attachment.name, of: test, problem: problem)
      if !serviceWarnings.contains(warning) { serviceWarnings.append(warning) }
    }
  }

  /// Reads an attachment. Its folder is where tests can write, so anything may be in it.
  private func read(_ path: String, in handed: HandedFolder) -> UntrustedFolder.Reading {
    guard let name = path.dropping("\(handed.folder.path)/").map(String.init),
      name.hasPrefix("\(HandedFolder.attachmentsName)/"),
      !name.split(separator: "/").contains("..")
    else {
      return .refused("it lies outside the folder for attachments")
    }
    let bounds = Bounds.standard
    let left = bounds.allAttachmentBytes - attachedBytes
    guard left > 0 else {
      return .refused("the attachments together have more than \(bounds.allAttachmentBytes >> 20) MB")
    }
    guard attachedCount < bounds.attachments else {
      return .refused("there are more than \(bounds.attachments) attachments")
    }
    return UntrustedFolder(handed.folder.path).read(name, limit: min(bounds.attachmentBytes, left))
  }

  private func store(_ bytes: [UInt8], as attachment: TestAttachment, of test: TestID) throws(IntegratingError)
    -> String
  {
    let folder = "attachments/\(ReportPaths(tests: []).anchor(of: test))"
    let place = try output.kept.folder(folder).create()
    let names = AttachmentName(attachment)
    var number = 1
    while place.holds(names.text(number)) { number += 1 }
    try place.create(names.text(number), bytes)
    return "\(folder)/\(names.text(number))"
  }
}
