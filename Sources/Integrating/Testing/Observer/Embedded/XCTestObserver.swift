import XCTest

/// Reports to Martlet what XCTest does; preloaded into test processes, started by `ProcessObserver.c`, and compiled for
/// their toolchain.
private final class XCTestObserver: NSObject, XCTestObservation {
  private let send: @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void
  private var started: UInt64 = 0
  private var finished: UInt64 = 0
  private var issues: UInt64 = 0

  init(send: @escaping @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void) {
    self.send = send
  }

  func testBundleWillStart(_ testBundle: Bundle) {
    tell("B")
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

/// Starts to observe XCTest; passes each record to `send`, with its kind in front.
@_cdecl("martlet_follow_xctest")
public func followXCTest(send: @escaping @convention(c) (UInt8, UnsafePointer<UInt8>?, Int) -> Void) {
  XCTestObservationCenter.shared.addTestObserver(XCTestObserver(send: send))
}
