import Foundation
import Lies
import XCTest

final class HonestTests: XCTestCase {
  func test1() { XCTAssertEqual(truth(-1), 1) }
}

final class ExitTests: XCTestCase {
  func test1() {}
  func test2() { exit(0) }
  func test3() {}
}

final class UnderscoreExitTests: XCTestCase {
  func test1() {}
  func test2() { _exit(0) }
  func test3() {}
}

/// Ends with the status that the observer ends a process with when it has lost its way to Martlet.
final class Status97Tests: XCTestCase {
  func test1() {}
  func test2() { exit(97) }
}

final class Status134Tests: XCTestCase {
  func test1() {}
  func test2() { _exit(134) }
}

final class AbortTests: XCTestCase {
  func test1() {}
  func test2() { abort() }
  func test3() {}
}

final class FatalTests: XCTestCase {
  func test1() {}
  func test2() { fatalError("told") }  // How the test dies.
  func test3() {}
}

final class KillTests: XCTestCase {
  func test1() {}
  func test2() { kill(getpid(), SIGKILL) }
  func test3() {}
}

final class KillEverybodyTests: XCTestCase {
  func test1() {
    kill(-1, SIGKILL)
    // Its reporter is gone, and the sandbox goes with that.
    sleep(60)
  }
  func test2() {
    for name in ["sleep", "LiesPackageTests.xctest", "martlet"] {
      let killer = Process()
      killer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      killer.arguments = ["pkill", "-KILL", name]
      try? killer.run()
      killer.waitUntilExit()
    }
  }
}

final class StackTests: XCTestCase {
  func test1() {}
  func test2() { XCTAssertEqual(dig(0), 0) }
  func test3() {}

  private func dig(_ depth: Int) -> Int { depth == .max ? 0 : dig(depth + 1) + 1 }
}

final class MemoryTests: XCTestCase {
  func test1() {}
  func test2() {
    while true {
      let block = UnsafeMutableRawPointer.allocate(byteCount: 8 << 20, alignment: 16)
      memset(block, 1, 8 << 20)
    }
  }
  func test3() {}
}

final class DiskTests: XCTestCase {
  func test1() {}
  func test2() throws {
    let file = open(NSTemporaryDirectory() + "/endless", O_CREAT | O_WRONLY, 0o644)
    let block = [UInt8](repeating: 1, count: 1 << 20)
    while write(file, block, block.count) > 0 {}
    XCTFail("The disk refused.")
  }
  func test3() {}
}

final class SetUpTests: XCTestCase {
  override class func setUp() { exit(0) }
  func test1() {}
}
