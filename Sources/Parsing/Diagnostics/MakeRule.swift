/// A rule in the form of make, in which compilers list the files that they read
/// (https://www.gnu.org/software/make/manual/html_node/Rule-Syntax.html).
package enum MakeRule {
  /// Returns the files behind the colon of the first rule; the rules of a list differ in what is before it.
  ///
  /// - Parameter list: blanks and number signs in it have a backslash before them, and dollar signs another one.
  package static func files(in list: [UInt8]) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var next = 0
    func isAt(_ index: Int, _ character: Unicode.Scalar) -> Bool {
      index < list.count && list[index] == UInt8(ascii: character)
    }
    func endWord() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    while next < list.count, !isAt(next, "\n") {
      let quotes =
        isAt(next, "\\") && (isAt(next + 1, " ") || isAt(next + 1, "#")) || isAt(next, "$") && isAt(next + 1, "$")
      if isAt(next, "\\"), isAt(next + 1, "\n") {
        next += 1
        endWord()
      } else if isAt(next, " ") {
        endWord()
      } else {
        if quotes { next += 1 }
        word.append(list[next])
      }
      next += 1
    }
    endWord()
    let colon = words.firstIndex { $0.hasSuffix(":") }
    return colon.map { Array(words[($0 + 1)...]) } ?? []
  }
}
