import Model

/// A mapping from test IDs in the event stream, such as `Module.Suite/test()/File.swift:15:6`, to names.
///
/// The place after the name is dropped, unless it alone distinguishes two overloads: then the library also lists the
/// tests with their places.
struct SwiftTestingNames: Sendable {
  private let listed: Set<TestID>
  private var fullNames: [String: Set<String>] = [:]

  init(listed: [TestID]) {
    self.listed = Set(listed)
  }

  /// Adds a test that the stream describes.
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

  /// Returns the ID without a final `/File.swift:15:6`.
  static func withoutPlace(_ eventID: String) -> String {
    guard let slash = eventID.utf8.lastIndex(of: UInt8(ascii: "/")) else { return eventID }
    let place = eventID[eventID.utf8.index(after: slash)...]
    guard place.isSourcePlace else { return eventID }
    return String(eventID[..<slash])
  }
}

extension StringProtocol {
  /// Whether the text has the form `File.swift:15:6`.
  var isSourcePlace: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count >= 3 && !contains("`") && parts.suffix(2).allSatisfy { Int($0) != nil }
  }
}
