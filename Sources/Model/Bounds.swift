/// Limits on how much output of foreign code is kept, so that no commit can exhaust the memory or disk of those who
/// inspect it.
///
/// The limits are far above the output of packages with thousands of tests, and whatever is left out is counted and
/// reported. None of them changes a state: what is red for some reason stays red without the text.
package struct Bounds: Hashable, Sendable {
  /// Failures of one test, and as many known issues and warnings; more would not be read.
  package var failuresPerTest = 100
  /// Failures of one process; beyond them, each test keeps its first failure, which says why it is red.
  package var failures = 10_000
  /// Bytes of one message: some hundred lines.
  package var message = 16 << 10
  /// Bytes of all messages of one process; later ones are cut to `shortMessage`.
  package var messages = 8 << 20
  /// Bytes of a message when there is no room for a long one: enough for the words before the values.
  package var shortMessage = 200
  /// Cases of one parameterised test.
  package var cases = 10_000
  /// Bytes of one line of a transcript; the readers already limit printed lines to 64 KB, and the step's log has
  /// everything.
  package var transcriptLine = 66 << 10
  /// Bytes of one test's transcript, enough for such a line at its beginning.
  package var transcript = 256 << 10
  /// Bytes of all transcripts of one process.
  package var transcripts = 16 << 20
  /// Bytes of one record of an event stream, which is decoded in one piece.
  package var record = 4 << 20
  /// Tests that a process runs without having been asked to; any of them makes the integration incomplete.
  package var unasked = 1000
  /// Bytes of a sentence describing a problem, which may quote names.
  package var sentence = 1000
  /// Bytes of a name that is only displayed: of a test, a tag, a case or an author.
  package var name = 1000
  /// Tags and bug reports of one test.
  package var marks = 100
  /// Listed tests of one executable, per library: ten times the number in the largest packages.
  package var tests = 100_000
  /// Bytes of the name of a listed test, which becomes an argument of the process that runs it.
  package var testName = 4096
  /// Bytes of a list of tests, which is decoded in one piece.
  package var listing = 8 << 20
  /// Bytes of a list's event stream, which is decoded line by line.
  package var listingEvents = 32 << 20
  /// Bytes of a commit's subject.
  package var subject = 1000
  /// Errors of one build, and as many warnings.
  package var diagnostics = 10_000
  /// Attachments of one test.
  package var attachmentsPerTest = 999
  /// Attachments of one test executable.
  package var attachments = 10_000
  /// Bytes of one attachment.
  package var attachmentBytes = 32 << 20
  /// Bytes of the attachments of one test executable.
  package var allAttachmentBytes = 256 << 20
  /// Bytes of an event stream kept for people to read.
  package var events = 32 << 20
  /// Sentences explaining an outcome.
  package var reasons = 200

  package init() {}

  /// The limits used everywhere but in tests.
  package static let standard = Bounds()
}

extension String {
  /// Returns the text, or if it has more than `bytes` bytes, its beginning and a note of how much is missing.
  package func cut(to bytes: Int) -> String {
    let count = utf8.count
    guard count > bytes else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: bytes)
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    let left = count - utf8.distance(from: utf8.startIndex, to: end)
    return "\(self[..<end])… [\(left) more bytes left out]"
  }
}

extension Array {
  /// Returns the first elements, followed by one that reports how many more there were.
  package func prefix(_ count: Int, telling rest: (Int) -> Element) -> [Element] {
    self.count <= count ? self : Array(prefix(count)) + [rest(self.count - count)]
  }
}
