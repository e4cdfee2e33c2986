import FoundationEssentials

/// The documents of a bot that was renamed.
package enum RenamedDocuments {
  /// Writes the name into all documents that have another one; pages of reports continue to show the old one.
  package static func write(_ name: String, in home: Home) throws(IntegratingError) {
    for all in [home.integrations(of: name), home.site(of: name)] {
      for number in all.names() where Int(number) != nil {
        for file in [StoredIntegration.fileName, "coverage.json"] {
          let folder = all.folder(number)
          guard let bytes = folder.read(file), let changed = renamed(bytes, name) else { continue }
          try folder.write(changed, to: file)
        }
      }
    }
  }

  /// Returns the document with another name for its bot and no other byte changed; nil if there is nothing to change.
  ///
  /// The first key `bot` is the document's own: within a text, its quotation marks would be escaped.
  static func renamed(_ bytes: [UInt8], _ name: String) -> [UInt8]? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let match = text.firstMatch(of: /"bot"\s*:\s*"([A-Za-z0-9._-]*)"/), match.1 != name else { return nil }
    return Array((text[..<match.1.startIndex] + name + text[match.1.endIndex...]).utf8)
  }
}
