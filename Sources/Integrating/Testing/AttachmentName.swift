import Model

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
