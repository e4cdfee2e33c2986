import Model

/// Names that are the same whenever and by whichever process they are made.
package enum MessageID {
  /// 32 lower-case hexadecimal digits for some words.
  package static func of(_ key: [String]) -> String {
    // Lengths keep ["ab", "c"] and ["a", "bc"] apart.
    let text = key.map { "\($0.utf8.count):\($0)" }.joined(separator: "/")
    return String(SHA256.hash(Array(text.utf8)).hexadecimal.prefix(32))
  }
}
