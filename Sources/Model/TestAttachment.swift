/// Something that a test attached to its results.
package struct TestAttachment: Hashable, Sendable {
  /// The picture formats that pages show; everything else is offered for download.
  package enum Picture: String, Hashable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
  }

  /// The name given by the test; since it is foreign text, it never serves as a file name.
  package var name: String
  /// The file, relative to the integration's folder, such as `attachments/<test>/note.txt`; nil if it was not kept.
  package var path: String?
  package var byteCount: Int
  /// The format according to the first bytes; nil for everything but the pictures that pages show.
  package var picture: Picture?
  /// The arguments of the case that attached it, in a parameterised test.
  package var caseName: String?
  /// Why it was not kept, as a sentence.
  package var problem: String?

  package init(
    name: String, path: String? = nil, byteCount: Int = 0, picture: Picture? = nil, caseName: String? = nil,
    problem: String? = nil
  ) {
    self.name = name
    self.path = path
    self.byteCount = byteCount
    self.picture = picture
    self.caseName = caseName
    self.problem = problem
  }
}

extension TestAttachment.Picture {
  /// Recognises a picture by its first bytes, regardless of its name.
  ///
  /// The signatures are those of https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
  package init?(of bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(14))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).starts(with: Array("WEBPVP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}
