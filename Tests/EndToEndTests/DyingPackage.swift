/// The home in which the dying package is built, once for all suites that let it die; their tests run one after the other.
struct DyingGround {
  static let shared = Result { try DyingGround() }

  let scratch: ScratchFolder
  let repository: GitFolder

  private init() throws {
    scratch = try ScratchFolder("dying")
    repository = try GitFolder(DyingPackage.bot, in: scratch)
    try repository.commit("Collect ways to die", DyingPackage.files)
  }
}

/// A package whose tests die in many ways; which of them run is chosen by a filter, so that it is built once.
enum DyingPackage {
  static let bot = "Dying"

  static let files = [
    "Package.swift": manifest, "Sources/Dying/Shelf.swift": shelf, "Sources/CStone/stone.c": stone,
    "Sources/Dying/Till.swift": till, "Sources/CStone/include/stone.h": "int stone(int);\n",
    "Tests/XDying/XDying.swift": xctest,
    "Tests/SDying/SDying.swift": swiftTesting,
  ]

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "Dying",
      targets: [
        .target(name: "CStone"),
        .target(name: "Dying", dependencies: ["CStone"]),
        .testTarget(name: "XDying", dependencies: ["Dying"]),
        .testTarget(name: "SDying", dependencies: ["Dying"]),
      ])

    """

  private static let stone = """
    #include "stone.h"
    int stone(int number) { return number > 2 ? number * 2 : number; }

    """

  static let shelf = """
    import CStone

    public struct Shelf {
      var books: [String]

      public init(_ books: [String]) {
        self.books = books
      }

      public func book(_ number: Int) -> String {
        let place = Int(stone(Int32(number)))
        return books[place]
      }

      public func count() -> Int {
        books.count
      }
    }

    """

  /// Ends the process where there is nothing to count.
  private static let till = """
    import Glibc

    public struct Till {
      public init() {}

      public func count(_ coins: [Int]) -> Int {
        guard !coins.isEmpty else { exit(0) }
        let sum = coins.reduce(0, +)
        return sum
      }
    }

    """

  static let xctest = """
    import Dying
    import Foundation
    import XCTest

    final class ThirdTests: XCTestCase {
      func test1() { XCTAssertEqual(Shelf(["a"]).book(0), "a") }
      func test2() { XCTAssertEqual(1, 1) }
      func test3() {
        print("about to fall")
        let book = Shelf(["a", "b"]).book(3)
        XCTAssertEqual(book, "c")
      }
      func test4() { XCTAssertEqual(Shelf(["a"]).count(), 1) }
      func test5() {}
    }

    final class EndingTests: XCTestCase {
      func test1() {}
      func test2() { abort() }
      func test3() { kill(getpid(), SIGKILL) }
      func test4() { _exit(3) }
      func test5() { fatalError("one\\ntwo") }
      func test6() {}
    }

    final class LeavingTests: XCTestCase {
      func test1() {}
      func test2() { exit(0) }
      func test3() {}
    }

    final class TillTests: XCTestCase {
      func test1() {
        let till = Till()
        let coins: [Int] = []
        XCTAssertEqual(till.count(coins), 0)
      }
    }

    final class GroundTests: XCTestCase {
      override class func setUp() { fatalError("no ground") }
      func test1() {}
      func test2() {}
    }

    final class DrainedTests: XCTestCase {
      override class func setUp() { exit(0) }
      func test1() {}
      func test2() {}
    }

    final class LaterTests: XCTestCase {
      func test1() {}
    }

    final class HangingTests: XCTestCase {
      func test1() {}
      func test2() {
        let lock = NSLock()
        lock.lock()
        print("waiting for ever")
        lock.lock()
      }
      func test3() { sleep(1000) }
      func test4() throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sleep")
        child.arguments = ["1000"]
        try child.run()
        child.waitUntilExit()
      }
      func test5() {
        var number = 0
        while number >= 0 { number = (number + 1) % 1000 }
      }
      func test6() { kill(getpid(), SIGSTOP) }
      func test7() {}
    }

    final class TalkingTests: XCTestCase {
      func test1() {}
      func test2() {
        while true {
          print("still here")
          usleep(20_000)
        }
      }
      func test3() {}
    }

    """

  static let swiftTesting = """
    import Dispatch
    import Dying
    import Glibc
    import Testing

    @Suite struct Eight {
      @Test func one() async { await pause() }
      @Test func two() async { await pause() }
      @Test func three() async {
        await pause()
        #expect(Bool(false))
      }
      @Test func four() async { await pause() }
      @Test func five() async {
        await pause()
        #expect(Shelf(["x"]).book(2) == "y")
      }
      @Test func six() async { await pause() }
      @Test func seven() async { await pause() }
      @Test func eight() async { await pause() }

      func pause() async { try? await Task.sleep(nanoseconds: 50_000_000) }
    }

    @Suite struct Killed {
      @Test func one() async { try? await Task.sleep(nanoseconds: 20_000_000) }
      @Test func two() async {
        try? await Task.sleep(nanoseconds: 10_000_000)
        kill(getpid(), SIGKILL)
      }
      @Test func three() async { try? await Task.sleep(nanoseconds: 20_000_000) }
    }

    @Suite struct Left {
      @Test func one() async { try? await Task.sleep(nanoseconds: 20_000_000) }
      @Test func two() async {
        try? await Task.sleep(nanoseconds: 10_000_000)
        exit(0)
      }
      @Test func three() async { try? await Task.sleep(nanoseconds: 20_000_000) }
    }

    @Suite(.serialized) struct Cases {
      @Test(arguments: [0, 1, 2, 5, 1]) func book(_ number: Int) {
        #expect(!Shelf(["x", "y", "z"]).book(number).isEmpty)
      }
    }

    @Suite struct ExitTests {
      @Test func dies() async { await #expect(processExitsWith: .failure) { _ = Shelf([]).book(0) } }
      @Test func aborts() async { await #expect(processExitsWith: .signal(SIGABRT)) { abort() } }
    }

    @Suite struct Never {
      @Test func one() async {}
      @Test func two() async {
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Nothing>) in waiters.append(waiting) }
      }
      @Test func three() async {}
    }

    typealias Nothing = Swift.Never
    nonisolated(unsafe) var waiters: [CheckedContinuation<Void, Nothing>] = []

    @Suite struct Pool {
      @Test func one() async { block() }
      @Test func two() async { block() }
      @Test func three() async { block() }
      @Test func four() async { block() }

      /// The task that would end the wait never gets a thread.
      func block() {
        let semaphore = DispatchSemaphore(value: 0)
        Task { semaphore.signal() }
        semaphore.wait()
      }
    }

    """
}
