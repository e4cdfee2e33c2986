import FoundationEssentials
import Glibc

/// What other processes did not do for so long that a test gives up, with what was seen of them last.
struct Overdue: Error, CustomStringConvertible {
  /// Far longer than anything takes, so that only what never comes is given up; in seconds.
  static let limit = 240

  var description: String
}

/// Takes another look at what other processes do until it shows some words, and leaves them the processor meanwhile.
func wait(for words: String, in look: () throws -> String) throws {
  var seen = ""
  let isShown = try wait {
    seen = try look()
    return seen.contains(words)
  }
  if !isShown { throw Overdue(description: "\(words)\nwas not shown within \(Overdue.limit) s. Shown was:\n\(seen)") }
}

/// Takes another look until something holds; false when it does not for so long that nobody need wait on.
func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(Overdue.limit)
  while try !isTrue() {
    if ContinuousClock.now > end { return false }
    usleep(20_000)
  }
  return true
}
