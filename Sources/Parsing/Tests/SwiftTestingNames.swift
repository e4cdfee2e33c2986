import Model

/// Turns the test IDs of the event stream, such as `Module.Suite/test()/File.swift:15:6`, into names.
///
/// The place behind the name is dropped, except where it is all that tells two overloads apart: there the library
/// lists the tests with the place too.
struct SwiftTestingNames: Sendable {
  private let listed: Set<TestID>
  private var fullNames: [String: Set<String>] = [:]

  init(listed: [TestID]) {
    self.listed = Set(listed)
  }

  /// Takes note of a test that the stream describes.
  mutating func add(_ eventID: String) {
    fullNames[Self.withoutPlace(eventID), default: []].insert(eventID)
  }

  func testID(of eventID: String) -> TestID? {
    let short = Self.withoutPlace(eventID)
    let full = TestID(eventID)
    if let full, listed.contains(full) { return full }
    if let id = TestID(short), listed.contains(id) { return id }
    return (fullNames[short]?.count ?? 0) > 1 ? full : TestID(short)
  }

  /// The ID without `/File.swift:15:6` at its end, if it ends so.
  static func withoutPlace(_ eventID: String) -> String {
    guard let slash = eventID.utf8.lastIndex(of: UInt8(ascii: "/")) else { return eventID }
    let place = eventID[eventID.utf8.index(after: slash)...]
    guard place.isSourcePlace else { return eventID }
    return String(eventID[..<slash])
  }
}

extension StringProtocol {
  /// Whether the text is `File.swift:15:6`.
  var isSourcePlace: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count >= 3 && !contains("`") && parts.suffix(2).allSatisfy { Int($0) != nil }
  }
}
