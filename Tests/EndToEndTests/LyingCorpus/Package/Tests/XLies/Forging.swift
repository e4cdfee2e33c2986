import CLies
import Foundation
import XCTest

/// Every observer of XCTest, found by looking into what is private.
private func observers() -> [any XCTestObservation] {
  let center = Mirror(reflecting: XCTestObservationCenter.shared)
  let set = center.children.first { $0.label == "observers" }!.value
  return Mirror(reflecting: set).children.compactMap { wrapper in
    Mirror(reflecting: wrapper.value).children.first { $0.label == "object" }?.value as? any XCTestObservation
  }
}

/// Those that are not XCTest's own.
private func others() -> [any XCTestObservation] {
  observers().filter { !String(reflecting: type(of: $0)).hasPrefix("XCTest.") }
}

/// Removes whoever watches, and fails.
final class UnwatchedTests: XCTestCase {
  func test1() {
    for observer in others() { XCTestObservationCenter.shared.removeTestObserver(observer) }
  }
  func test2() { XCTFail("the truth") }
}

/// Tells the one who watches that everything is well, and leaves.
final class InventedTests: XCTestCase {
  func test1() {
    for observer in others() {
      let other = InventedTests(name: "test2", testClosure: { _ in })
      observer.testCaseDidFinish(self)
      observer.testCaseWillStart(other)
      observer.testCaseDidFinish(other)
      observer.testBundleDidFinish(Bundle.main)
    }
    exit(0)
  }
  func test2() { XCTFail("the truth") }
}

/// Stands between XCTest and the one who watches, and passes on only what is good.
final class WrappedTests: XCTestCase {
  private final class Filter: NSObject, XCTestObservation {
    let behind: [any XCTestObservation]
    init(_ behind: [any XCTestObservation]) { self.behind = behind }
    func testCaseWillStart(_ testCase: XCTestCase) { behind.forEach { $0.testCaseWillStart(testCase) } }
    func testCaseDidFinish(_ testCase: XCTestCase) {
      let good = WrappedTests(name: testCase.name, testClosure: { _ in })
      behind.forEach { $0.testCaseDidFinish(good) }
    }
    func testBundleDidFinish(_ testBundle: Bundle) { behind.forEach { $0.testBundleDidFinish(testBundle) } }
  }

  func test1() {
    let found = others()
    for observer in found { XCTestObservationCenter.shared.removeTestObserver(observer) }
    XCTestObservationCenter.shared.addTestObserver(Filter(found))
  }
  func test2() { XCTFail("the truth") }
}

/// Has XCTest itself tell of a test that never ran, while nobody watches the real one.
final class StagedTests: XCTestCase {
  // Only XCTest's one thread comes here, a test after the other.
  nonisolated(unsafe) private static var removed: [any XCTestObservation] = []

  func test1() {
    let run = XCTestCaseRun(test: StagedTests(name: "test2", testClosure: { _ in }))
    run.start()
    run.stop()
    Self.removed = others()
    for observer in Self.removed { XCTestObservationCenter.shared.removeTestObserver(observer) }
  }
  func test2() {
    XCTFail("the truth")
  }
  override class func tearDown() {
    for observer in removed { XCTestObservationCenter.shared.addTestObserver(observer) }
  }
}

/// Runs a double of the test that comes next.
final class DoubleTests: XCTestCase {
  func test1() { DoubleTests(name: "test2", testClosure: { _ in }).run() }
  func test2() { XCTFail("the truth") }
}

/// Takes the name of a test of another class, which is not asked for.
final class BorrowedTests: XCTestCase {
  override var name: String { "HonestTests.test1" }
  func test1() { XCTFail("the truth") }
}

/// Counts its own failures, wrongly.
final class CountedTests: XCTestCase {
  private final class Run: XCTestCaseRun {
    override var totalFailureCount: Int { 0 }
    override var failureCount: Int { 0 }
    override var unexpectedExceptionCount: Int { 0 }
    override var hasSucceeded: Bool { true }
  }
  override var testRunClass: AnyClass? { Run.self }
  func test1() { XCTFail("the truth") }
}

/// Ends with status 0 behind XCTest's back.
final class HandlerTests: XCTestCase {
  func test1() { atexit { _exit(0) } }
  func test2() { XCTFail("the truth") }
}

/// The same from another thread, when all is printed.
final class RacingTests: XCTestCase {
  func test1() {
    Thread.detachNewThread {
      lies_wait()
      _exit(0)
    }
  }
  func test2() {
    addTeardownBlock { lies_let_go() }
    XCTFail("the truth")
  }
}

/// The package has `send`, `recv`, `exit`, `backtrace` and `dladdr` of its own, which this test lets lie.
final class InterposedTests: XCTestCase {
  func test1() { lies_interpose() }
  func test2() { XCTFail("the truth") }
}

/// Runs XCTest again inside a test, where `backtrace` says that there is nothing around it.
final class NestedTests: XCTestCase {
  func test1() {
    lies_interpose()
    XCTMain([testCase([("test1", { (_: NestedTests) in {} }), ("test2", { (_: NestedTests) in {} })])])
  }
  func test2() { XCTFail("the truth") }
}

/// What ran before `main` found a way to Martlet, or did not.
final class EarlyTests: XCTestCase {
  func test1() { XCTAssertEqual(lies_found_channel(), 0) }
  func test2() { XCTFail("the truth") }
}

/// Has XCTest run a double of a test.
@_cdecl("lies_run_doubles")
public func runDoubles() {
  XCTMain([testCase([("test1", { (_: BeforeMainTests) in {} })])])
}

/// What ran before `main` has XCTest run doubles of the tests.
final class BeforeMainTests: XCTestCase {
  func test1() { XCTFail("the truth") }
}

/// Puts another socket in the place of the one that leads to Martlet.
final class SwappedTests: XCTestCase {
  func test1() {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends)
    for descriptor in Int32(3)..<1100 where descriptor != ends[0] && descriptor != ends[1] {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { dup2(ends[0], descriptor) }
    }
  }
  func test2() { XCTFail("the truth") }
}

/// Has the kernel say that every record was sent, and sends none.
final class DroppedTests: XCTestCase {
  func test1() { XCTAssertEqual(lies_drop_messages(), 0) }
  func test2() { XCTFail("the truth") }
}

/// A child goes on in the place of the process.
final class ForkedTests: XCTestCase {
  func test1() { if lies_fork() != 0 { _exit(0) } }
  func test2() { XCTFail("the truth") }
}

/// Has XCTest call nothing.
final class UncalledTests: XCTestCase {
  override func invokeTest() {}

  func test1() { XCTFail("the truth") }
  func test2() async { XCTFail("the truth") }
}

/// What its heirs run and it does not itself, as it is usual.
class AbstractTests: XCTestCase {
  override func invokeTest() {
    if type(of: self) != AbstractTests.self { super.invokeTest() }
  }

  func test1() { XCTAssertTrue(Bool(true)) }
}

final class HeirTests: AbstractTests {}

/// Closes whatever is open, and the truth with it.
final class ClosedTests: XCTestCase {
  func test1() {
    for descriptor in CInt(0)..<4096 { close(descriptor) }
  }
  func test2() { XCTFail("the truth") }
}
