import Model

/// A mapping from the names that Swift Testing lists or reports, such as `Module.Suite/test()/File.swift:15:6`, to the
/// names of the tests.
///
/// The place is dropped, unless nothing else distinguishes two overloads. The library itself also lists it for tests of
/// the same name in different modules.
struct SwiftTestingNames: Sendable {
  private let listed: Set<TestID>
  private var overloads: [TestID: Set<TestID>] = [:]

  /// - Parameter listed: the tests whose names are settled.
  init(listed: [TestID] = []) {
    self.listed = Set(listed)
  }

  /// Adds a test that the library lists or describes.
  mutating func add(_ libraryName: String) {
    guard let full = TestID(libraryName) else { return }
    overloads[full.withoutPlace, default: []].insert(full)
  }

  func testID(of libraryName: String) -> TestID? {
    guard let full = TestID(libraryName) else { return nil }
    let short = full.withoutPlace
    if listed.contains(full) { return full }
    if listed.contains(short) { return short }
    return (overloads[short]?.count ?? 0) > 1 ? full : short
  }
}
