/// Creates readable folder names from arbitrary text, without collisions.
package enum FileSystemName {
  /// Returns the text itself if it is a plain name, otherwise a plain rendering of it followed by a fingerprint.
  package static func encode(_ text: String) -> String {
    let plain = String(
      text.map { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character)) ? character : "-"
      }.prefix(100))
    let readable = plain.drop { ".-".contains($0) }
    if plain == text, readable == plain, !plain.isEmpty, !endsLikeEncoded(plain) { return plain }
    return "\(readable.isEmpty ? "x" : readable)-\(fingerprint(text))"
  }

  /// Returns the name of the workspace folder for a branch.
  package static func workspace(of branch: String) -> String { encode(branch) }

  /// The prefix of workspace folders used by a single integration; no encoded name begins with a dot.
  package static let aloneBeginning = ".alone-"

  /// Returns whether a plain name could be mistaken for the encoded form of another.
  private static func endsLikeEncoded(_ name: String) -> Bool {
    let end = name.suffix(7)
    return end.count == 7 && end.hasPrefix("-") && end.dropFirst().allSatisfy { "0123456789abcdef".contains($0) }
  }

  /// Returns six hexadecimal digits that depend on every byte of the text (FNV-1a,
  /// http://www.isthe.com/chongo/tech/comp/fnv/).
  package static func fingerprint(_ text: String) -> String {
    String(fingerprint64(text).prefix(6))
  }

  /// Returns all sixteen hexadecimal digits of the same hash.
  package static func fingerprint64(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
