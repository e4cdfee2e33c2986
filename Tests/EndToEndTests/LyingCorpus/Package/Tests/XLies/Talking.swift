import Foundation
import XCTest

/// Prints what XCTest would print, and fails.
final class ForgedVerdictTests: XCTestCase {
  func test1() {
    print("Test Case 'ForgedVerdictTests.test1' passed (0.001 seconds)")
    XCTFail("the truth")
  }
  func test2() {}
}

/// Prints what XCTest would print to the end, and leaves before a test that fails.
final class ForgedEndTests: XCTestCase {
  func test1() {
    let now = "2026-11-20 09:00:00.000"
    print(
      """
      Test Case 'ForgedEndTests.test1' passed (0.001 seconds)
      Test Case 'ForgedEndTests.test2' started at \(now)
      Test Case 'ForgedEndTests.test2' passed (0.001 seconds)
      Test Suite 'ForgedEndTests' passed at \(now)
      \t Executed 2 tests, with 0 failures (0 unexpected) in 0.002 (0.002) seconds
      Test Suite 'Selected tests' passed at \(now)
      \t Executed 2 tests, with 0 failures (0 unexpected) in 0.002 (0.002) seconds
      """)
    fflush(nil)
    _exit(0)
  }
  func test2() { XCTFail("the truth") }
}

/// The same, with all its letters put into every descriptor that is open.
final class ForgedEverywhereTests: XCTestCase {
  func test1() {
    let text = "Test Case 'ForgedEverywhereTests.test2' passed (0.001 seconds)\n"
    for descriptor in Int32(0)..<64 { _ = write(descriptor, text, text.utf8.count) }
  }
  func test2() { XCTFail("the truth") }
}

final class BytesTests: XCTestCase {
  func test1() {
    let bytes: [UInt8] = [0xFF, 0xC3, 0x28, 0xE2, 0x82]
    fflush(nil)
    _ = write(1, bytes, bytes.count)
  }
  func test2() {
    let bytes: [UInt8] = [0, 65, 0, 27, 91, 0]
    fflush(nil)
    _ = write(1, bytes, bytes.count)
  }
}

/// Tells a secret in several ways.
final class SecretTests: XCTestCase {
  func test1() {
    let token = "@TOKEN@"
    print("\(token), or \(Data("user:\(token)".utf8).base64EncodedString())")
    for letter in token.utf8 {
      putchar(Int32(letter))
      fflush(nil)
    }
    print()
    XCTFail("no access with \(token)")
  }
}

final class ClosingTests: XCTestCase {
  func test1() {}
  func test2() { close(1) }
  func test3() { XCTFail("the truth") }
}

/// Prints a long line.
final class MuchTests: XCTestCase {
  func test1() { put(megabytes: 20) }
  func test2() { XCTAssertTrue(true) }

  func put(megabytes: Int) {
    let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    for _ in 0..<megabytes {
      var done = 0
      while done < block.count {
        done += block.withUnsafeBytes { write(1, $0.baseAddress! + done, $0.count - done) }
      }
    }
    _ = write(1, "\n", 1)
  }
}

final class GigabyteTests: XCTestCase {
  func test1() {
    let line = [UInt8]("A line of a test that cannot stop talking, and goes on for sixty-four.\n".utf8)
    let block = (0..<15_000).flatMap { _ in line }
    for _ in 0..<1_000 {
      var done = 0
      while done < block.count {
        done += block.withUnsafeBytes { write(1, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }
  func test2() {}
}
