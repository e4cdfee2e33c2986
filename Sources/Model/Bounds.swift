/// How much is kept of what foreign code says, so that no commit can fill the memory or the disk of who looks at it.
///
/// The figures are far above what packages of thousands of tests say, and what is left out is counted and told. Nothing
/// of it changes a state: what is red for something stays red without it.
package struct Bounds: Hashable, Sendable {
  /// Failures of one test, and as many known issues and warnings: nobody reads on after so many.
  package var failuresPerTest = 100
  /// Failures of one process; beyond them each test keeps its first one, which says why it is red.
  package var failures = 10_000
  /// Bytes of one message: some hundred lines.
  package var message = 16 << 10
  /// Bytes of the messages of one process; later ones are cut to `shortMessage`.
  package var messages = 8 << 20
  /// Bytes of a message when there is no room for a long one: the words before the values.
  package var shortMessage = 200
  /// Cases of one parameterised test.
  package var cases = 10_000
  /// Bytes of one line of a transcript: of printed lines the readers keep 64 KB already, and the log of the step has all.
  package var transcriptLine = 66 << 10
  /// Bytes of one test's transcript, which has room for such a line at its beginning.
  package var transcript = 256 << 10
  /// Bytes of all transcripts of one process.
  package var transcripts = 16 << 20
  /// Bytes of one record of an event stream, which is decoded in one piece.
  package var record = 4 << 20
  /// Tests that a process runs though nobody asked for them; any of them makes the integration incomplete.
  package var unasked = 1000
  /// Bytes of a sentence about something that is not as it must be; it may quote names.
  package var sentence = 1000
  /// Bytes of a name that only people read: of a test, a tag, a case or an author.
  package var name = 1000
  /// Tags and bug reports of one test.
  package var marks = 100
  /// Listed tests of one executable, in either library: ten times what the largest packages have.
  package var tests = 100_000
  /// Bytes of the name of a listed test; it is an argument of the process that runs it.
  package var testName = 4096
  /// Bytes of a list of tests, which is decoded in one piece.
  package var listing = 8 << 20
  /// Bytes of the event stream of a list, which is decoded line by line.
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
  /// Bytes of an event stream that is kept for people.
  package var events = 32 << 20
  /// Sentences about why an outcome is what it is.
  package var reasons = 200

  package init() {}

  /// The bounds that hold everywhere but in tests.
  package static let standard = Bounds()
}

extension String {
  /// The text, or its beginning with a note of how much is missing where it has more bytes than that.
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
  /// The first elements, and a last one that tells how many more there were.
  package func prefix(_ count: Int, telling rest: (Int) -> Element) -> [Element] {
    self.count <= count ? self : Array(prefix(count)) + [rest(self.count - count)]
  }
}
