import CLies
import Foundation
import XCTest

final class NamesakeTests: XCTestCase {
  func test1() { XCTFail("the truth") }
}

/// What passes alone and fails after another.
final class TogetherTests: XCTestCase {
  func test1() { setenv("LIES", "1", 1) }
  func test2() { XCTAssertNil(getenv("LIES")) }
}

final class RemountTests: XCTestCase {
  func test1() { XCTAssertEqual(lies_remount(), 0) }
  func test2() { XCTAssertEqual(lies_nest(), 0) }
}

final class NetworkTests: XCTestCase {
  func test1() { XCTAssertEqual(lies_call(Int32("@PORT@") ?? 0), 0) }
}

final class FileTests: XCTestCase {
  func test1() {
    // The folder may be there as a mount point, and then what is written is gone with the sandbox.
    try? "x".write(toFile: "@SCRATCH@/by-test", atomically: false, encoding: .utf8)
    XCTAssertThrowsError(try String(contentsOfFile: "@SCRATCH@/private", encoding: .utf8))
  }
}

/// Removes the folder that it runs in, with the package's sources.
final class HomelessTests: XCTestCase {
  func test1() {
    let here = FileManager.default.currentDirectoryPath
    for name in (try? FileManager.default.contentsOfDirectory(atPath: here)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(here)/\(name)")
    }
    try? "left behind".write(toFile: "\(here)/by-test", atomically: false, encoding: .utf8)
  }
  func test2() {}
}

final class ProfileTests: XCTestCase {
  private var folder: String {
    (ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]! as NSString).deletingLastPathComponent
  }

  func test1() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}

final class LinkedProfileTests: XCTestCase {
  func test1() throws {
    let file = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]!
    let folder = (file as NSString).deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: "@SCRATCH@/private")
    }
  }
}
