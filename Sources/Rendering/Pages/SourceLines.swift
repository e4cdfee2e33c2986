/// The lines of one source file as a page shows them.
struct SourceLines {
  /// One piece of safe HTML per line.
  let lines: [SafeHTML]

  /// Invalid UTF-8 becomes replacement characters; a line longer than 4000 characters is cut.
  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      let text = VisibleText.of(String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self))
      return SafeHTML.escaping(text.utf8.count > 4000 ? String(text.prefix(4000)) + " …" : text)
    }
  }
}
