import XCTest

/// Reports to Martlet what XCTest does; preloaded into test processes, started by `ProcessObserver.c`, and compiled for
/// their toolchain.
private final class XCTestObserver: NSObject, XCTestObservation {
  private let send: @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void
  /// The place in the order of each class that is to run before the others.
  private let order: [String: Int]
  private var started: UInt64 = 0
  private var finished: UInt64 = 0
  private var issues: UInt64 = 0

  init(send: @escaping @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void, first classes: [String]) {
    self.send = send
    order = Dictionary(zip(classes, classes.indices)) { first, _ in first }
  }

  func testBundleWillStart(_ testBundle: Bundle) {
    tell("B")
  }

  /// XCTest looks at what a suite holds only after this.
  func testSuiteWillStart(_ testSuite: XCTestSuite) {
    guard !order.isEmpty, testSuite.tests.first is XCTestSuite, let tests = storedTests(of: testSuite) else { return }
    let places = testSuite.tests.map { place(of: $0) }
    let sorted = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    tests.pointee = sorted.map { testSuite.tests[$0] }
  }

  func testSuite(
    _ testSuite: XCTestSuite, didFailWithDescription description: String, inFile filePath: String?, atLine line: Int
  ) {
    issues += 1
    tell("U", [text(testSuite.name), text(filePath ?? ""), number(UInt64(clamping: line)), text(description)])
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    started += 1
    tell("T", names(of: testCase))
  }

  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?, atLine line: Int
  ) {
    issues += 1
    tell(
      "I", names(of: testCase) + [text(filePath ?? ""), number(UInt64(clamping: line)), text(description)])
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    finished += 1
    let run = testCase.testRun
    tell(
      "t",
      names(of: testCase) + [
        number(run?.hasBeenSkipped == true ? 1 : 0), number(UInt64(clamping: run?.totalFailureCount ?? 0)),
        number((run?.totalDuration ?? 0).bitPattern),
      ])
  }

  func testBundleDidFinish(_ testBundle: Bundle) {
    tell("Z", [number(started), number(finished), number(issues)])
  }

  private func place(of test: XCTest) -> Int {
    guard let first = (test as? XCTestSuite)?.tests.first else { return .max }
    return order[String(reflecting: type(of: first))] ?? .max
  }

  /// The tests that only XCTest itself may replace; nil in an XCTest that does not tell where they are. Its library exports
  /// the offset of the property, `direct field offset for XCTest.XCTestSuite.tests` when demangled:
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  private func storedTests(of suite: XCTestSuite) -> UnsafeMutablePointer<[XCTest]>? {
    guard let offset = dlsym(nil, "$s6XCTest0A5SuiteC5testsSayA2ACGvpWvd") else { return nil }
    let object = Unmanaged.passUnretained(suite).toOpaque()
    return (object + offset.load(as: Int.self)).assumingMemoryBound(to: [XCTest].self)
  }

  private func names(of testCase: XCTestCase) -> [[UInt8]] {
    let type = type(of: testCase)
    return [text(String(reflecting: type)), text(String(describing: type)), text(name(of: testCase))]
  }

  /// Returns the name under which XCTest lists the test, even if a class overrides `name`.
  private func name(of testCase: XCTestCase) -> String {
    var mirror: Mirror? = Mirror(reflecting: testCase)
    while let each = mirror, each.subjectType != XCTestCase.self { mirror = each.superclassMirror }
    let stored = mirror?.children.first { $0.label == "_name" }?.value as? String
    return stored ?? testCase.name
  }

  /// Encodes a field with its length in front; of a long text, the rest is left out.
  private func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(32_768))
    return number(UInt64(bytes.count)) + bytes
  }

  private func number(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private func tell(_ kind: Unicode.Scalar, _ fields: [[UInt8]] = []) {
    let bytes = Array(fields.joined())
    send(UInt8(truncatingIfNeeded: kind.value), bytes, bytes.count)
  }
}

/// Starts to observe XCTest.
///
/// - Parameters:
///   - send: takes each record, with its kind in front.
///   - first: the classes to run before the others, in this order and a line each; nil to leave XCTest's order.
@_cdecl("martlet_follow_xctest")
public func followXCTest(
  send: @escaping @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void, first: UnsafePointer<CChar>?
) {
  let classes = first.map { String(cString: $0).split(separator: "\n").map(String.init) } ?? []
  XCTestObservationCenter.shared.addTestObserver(XCTestObserver(send: send, first: classes))
}
