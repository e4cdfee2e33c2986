import CLies
import Foundation
import XCTest

final class StopTests: XCTestCase {
  func test1() {}
  func test2() { kill(getpid(), SIGSTOP) }
  func test3() {}
}

final class LoopTests: XCTestCase {
  func test1() {}
  func test2() {
    var number = 0
    while number >= 0 { number = (number + 1) % 1000 }
  }
  func test3() {}
}

final class LockTests: XCTestCase {
  func test1() {}
  func test2() {
    let lock = NSLock()
    lock.lock()
    lock.lock()
  }
  func test3() {}
}

final class InputTests: XCTestCase {
  func test1() { XCTAssertNil(readLine()) }
}

final class ChildTests: XCTestCase {
  func test1() { lies_leave_child() }
  func test2() {}
}

final class DaemonTests: XCTestCase {
  func test1() { lies_leave_daemon() }
  func test2() {}
}

final class MultiplyTests: XCTestCase {
  func test1() {}
  func test2() { lies_multiply() }
  func test3() {}
}
