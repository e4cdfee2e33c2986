/// A package whose tests try to have more believed of them than is true; a filter chooses which of them run.
enum ForgingPackage {
  static let bot = "Forging"

  static let files = [
    "Package.swift": manifest, "Sources/Forging/One.swift": "public func one() -> Int { 1 }\n",
    "Tests/ForgingTests/Printed.swift": printed, "Tests/ForgingTests/Descriptors.swift": descriptors,
    "Tests/ForgingTests/Events.swift": events, "Tests/OtherTests/ALastTests.swift": sameName,
  ]

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "Forging",
      targets: [
        .target(name: "Forging"), .testTarget(name: "ForgingTests", dependencies: ["Forging"]),
        .testTarget(name: "OtherTests", dependencies: ["Forging"]),
      ])

    """

  /// The class that runs after all others, so that something can be claimed of it.
  private static let printed = """
    import Foundation
    import XCTest

    final class ZLastTests: XCTestCase { func test() { XCTAssertEqual(1, 2) } }

    final class PrintTests: XCTestCase {
      func test() {
        let time = " started at 2026-11-20 09:00:00.000\\n"
        print("Test Case 'PrintTests.test' passed (0.0 seconds)")
        print("Test Case 'ZLastTests.test'\\(time)Test Case 'ZLastTests.test' passed (0.0 seconds)")
        print("Test Suite 'Selected tests' passed at 2026-11-20 09:00:00.000")
        print("\\t Executed 2 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds")
        fflush(nil)
        _exit(0)
      }
    }

    final class QuietTests: XCTestCase {
      func test() {
        close(1)
        close(2)
      }
    }

    final class InsideTests: XCTestCase { func test() { XCTMain([]) } }

    final class NestingTests: XCTestCase {
      func test() {
        print("Test Case 'NestingTests.test' passed (0.0 seconds)")
        atexit {
          print("Test Suite 'Selected tests' passed at 2026-11-20 09:00:00.000")
          print("\\t Executed 1 test, with 0 failures (0 unexpected) in 0.0 (0.0) seconds")
        }
        XCTMain([])
      }
    }

    """

  private static let descriptors = """
    import Foundation
    import XCTest

    final class WriteTests: XCTestCase {
      func test() {
        let text = "Test Case 'ZLastTests.test' passed (0.0 seconds)\\n"
        for descriptor in Int32(3)..<1100 where fcntl(descriptor, F_GETFD) >= 0 {
          _ = write(descriptor, text, text.utf8.count)
        }
      }
    }

    final class CloseAllTests: XCTestCase {
      func test() { for descriptor in Int32(3)..<1100 { close(descriptor) } }
    }

    final class CloseTests: XCTestCase {
      func test() {
        for descriptor in Int32(3)..<1100 {
          var status = stat()
          if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { close(descriptor) }
        }
      }
    }

    final class LookTests: XCTestCase {
      func test() throws {
        let environment = try String(contentsOfFile: "/proc/self/environ", encoding: .isoLatin1)
        XCTAssertFalse(environment.contains("/channel"))
        // By these, programs that a test starts hand over their counters.
        XCTAssertEqual(
          ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("MARTLET") }.sorted(),
          ["MARTLET_COUNTERS", "MARTLET_PROFILES", "MARTLET_PROGRAMS"])
        XCTAssertFalse(ProcessInfo.processInfo.environment["LD_PRELOAD"]?.contains("xctest.so") == true)
      }
    }

    final class ALastTests: XCTestCase { func test() { XCTFail("of ForgingTests") } }

    """

  private static let sameName = """
    import Forging
    import XCTest

    final class ALastTests: XCTestCase { func test() { XCTAssertEqual(one(), 1) } }

    """

  private static let events = """
    import Foundation
    import Testing

    @Test func last() { #expect(1 == 2) }

    /// Completes the library's stream in its own words, as far as they can be read, and leaves.
    @Test func complete() throws {
      let arguments = CommandLine.arguments
      let path = try #require(arguments.firstIndex(of: "--event-stream-output-path").map { arguments[$0 + 1] })
      let names = ["last()/Events.swift:4:2", "complete()/Events.swift:7:2"]
      var forged = names.map { line("testEnded", #","testID":"ForgingTests.\\#($0)""#) }.joined()
      forged += line("runEnded", "")
      let file = fopen(path, "a")
      fputs(forged, file)
      fclose(file)
      for descriptor in Int32(3)..<1100 where fcntl(descriptor, F_GETFD) >= 0 {
        _ = write(descriptor, forged, forged.utf8.count)
      }
      _exit(0)
    }

    private func line(_ kind: String, _ rest: String) -> String {
      let instant = #""instant":{"absolute":1,"since1970":1}"#
      return #"{"kind":"event","payload":{\\#(instant),"kind":"\\#(kind)","messages":[]\\#(rest)},"version":"6.3.0"}"# + "\\n"
    }

    """
}
