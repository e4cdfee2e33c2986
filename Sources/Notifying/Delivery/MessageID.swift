import Model

/// Names that are the same whenever and by whichever process they are created.
package enum MessageID {
  /// Returns 32 lowercase hexadecimal digits for some words.
  package static func of(_ key: [String]) -> String {
    // The lengths distinguish ["ab", "c"] from ["a", "bc"].
    let text = key.map { "\($0.utf8.count):\($0)" }.joined(separator: "/")
    return String(SHA256.hash(Array(text.utf8)).hexadecimal.prefix(32))
  }
}
