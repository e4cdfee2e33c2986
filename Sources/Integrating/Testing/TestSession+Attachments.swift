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

/// A file name for an attachment whose name and contents a test chose.
///
/// A browser that opens the file from disk goes by its extension, and would run the script of a page. So only
/// extensions of plain data are kept; a picture gets the extension of its actual format.
struct AttachmentName {
  private static let harmless: Set<String> = [
    "txt", "log", "md", "json", "jsonl", "csv", "tsv", "yml", "yaml", "toml", "png", "jpg", "jpeg", "gif", "webp",
    "zip",
    "gz", "tar", "bin", "dat", "swift", "diff", "patch",
  ]

  private let stem: String
  private let ending: String

  init(_ attachment: TestAttachment) {
    let name = attachment.name.split(separator: "/").last.map(String.init) ?? ""
    var stem = Self.plain(name)
    var ending = ""
    if let point = stem.lastIndex(of: "."), Self.harmless.contains(stem[stem.index(after: point)...].lowercased()) {
      ending = String(stem[stem.index(after: point)...])
      stem = String(stem[..<point])
    }
    let own = attachment.picture.map(Self.endings) ?? [ending.isEmpty ? "bin" : ending]
    self.ending = own.contains(ending.lowercased()) ? ending : own[0]
    self.stem = stem.isEmpty ? "attachment" : String(stem.prefix(80))
  }

  /// Returns the name of the first, the second … attachment with the same name.
  func text(_ number: Int) -> String {
    number == 1 ? "\(stem).\(ending)" : "\(stem)-\(number).\(ending)"
  }

  private static func endings(of picture: TestAttachment.Picture) -> [String] {
    switch picture {
    case .png: ["png"]
    case .jpeg: ["jpeg", "jpg"]
    case .gif: ["gif"]
    case .webp: ["webp"]
    }
  }

  /// Returns the name with only ASCII letters, digits, points, hyphens and underscores, and no mark in front.
  private static func plain(_ name: String) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "._".unicodeScalars.contains(scalar) {
        plain.unicodeScalars.append(scalar)
      } else if !plain.hasSuffix("-") {
        plain.append("-")
      }
    }
    return String(plain.drop { ".-_".contains($0) })
  }
}
