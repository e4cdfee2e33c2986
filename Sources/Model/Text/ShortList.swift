/// Some names as part of a sentence that must not become too long.
package enum ShortList {
  /// Returns the first names and the number of others: `a, b and 3 more`.
  package static func text(_ names: some Collection<String>, first count: Int) -> String {
    let left = names.count - count
    return names.prefix(count).joined(separator: ", ") + (left > 0 ? " and \(left) more" : "")
  }
}
