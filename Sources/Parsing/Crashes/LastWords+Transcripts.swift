package import Model

extension LastWords {
  /// Gives what a process said last to the test that crashed, of all those that ran beside it.
  ///
  /// Whatever is printed while several tests run may be any one's, but these lines are known to be of the crash.
  package static func assign(to results: inout [TestResult]) {
    var words: Set<String> = []
    for index in results.indices where results[index].state == .crashed {
      for line in ownLines(of: results[index].transcript) {
        words.insert(results[index].transcript[line].text)
        results[index].transcript[line].isShared = false
      }
    }
    guard !words.isEmpty else { return }
    for index in results.indices where results[index].state != .crashed {
      let transcript = results[index].transcript
      let foreign = Set(ownLines(of: transcript) { words.contains($0) })
      guard !foreign.isEmpty else { continue }
      results[index].transcript = transcript.indices.filter { !foreign.contains($0) }.map { transcript[$0] }
    }
  }

  /// Returns the indices of shared lines that are messages with which a process ends, with the notes of the backtracer
  /// and the empty lines that follow each.
  ///
  /// - Parameter isMeant: whether a message is one of those that are looked for.
  private static func ownLines(
    of transcript: [TranscriptLine], where isMeant: (String) -> Bool = { _ in true }
  ) -> [Int] {
    var isOpen = false
    return transcript.indices.filter { index in
      let line = transcript[index]
      guard line.kind == .output, line.isShared else {
        isOpen = false
        return false
      }
      isOpen =
        message(in: line.text) != nil
        ? isMeant(line.text) : isOpen && (line.text.isEmpty || line.text.hasPrefix("*** "))
      return isOpen
    }
  }
}
